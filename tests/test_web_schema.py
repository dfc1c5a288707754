"""The description of the server (OpenAPI) against what it does, with requests made up by schemathesis."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.webserver import Server

SETTINGS = Path(__file__).parents[1] / "schemathesis.toml"


def test_every_path_is_described(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        paths = server.client.get("/api/openapi.json").json()["paths"]
    assert len(paths) >= 15
    for path, methods in paths.items():
        for method, about in methods.items():
            assert about["description"], (method, path)
            assert {"400", "413", "422", "429", "503"} <= about["responses"].keys()


@pytest.mark.slow
@pytest.mark.parametrize("inside", [False, True], ids=["from outside", "at a table"])
def test_nothing_is_found(inside: bool, tmp_path: Path) -> None:
    pytest.importorskip("schemathesis")
    with Server(tmp_path, "--no-limits") as server:
        settings = SETTINGS.read_text(encoding="utf-8")
        more = []
        if inside:
            table = server.open(size=5)
            parameters = (
                f'"path.table" = "{table.id}", "header.Authorization" = "Bearer {table.seats["first"]}"'
            )
            settings += '[[operations]]\ninclude-path-regex = "/api/tables/.*"\n'
            settings += f"parameters = {{ {parameters} }}\n"
            # A given path is always sound.
            check = "[checks.negative_data_rejection]"
            settings = settings.replace(check, f"{check}\nenabled = false")
            more = ["--include-path-regex", "/api/tables/"]
        (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(tmp_path / "settings.toml")]
        command += ["run", f"{server.address}/api/openapi.json", "--max-time", "60", *more]
        found = subprocess.run(
            command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path
        )
        assert found.returncode == 0, found.stdout[-5000:]
        assert httpx.get(f"{server.address}/api/words").status_code == 200
