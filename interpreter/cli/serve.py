"""The command that opens the board in a browser: serve."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import TextIO

import click

from interpreter.cli.shell import Wrong, main


@main.command()
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="0: any that is free."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: others can reach it, too.")
@click.option("--name", "names", multiple=True, help="A name under which others reach it.")
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="Where games and files are kept."
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--no-limits", is_flag=True, help="Do not count the requests of a client.")
def serve(
    port: int, host: str, names: tuple[str, ...], data: Path | None, no_browser: bool, no_limits: bool
) -> None:
    """Open the board in a browser: play any game, edit any rule.

    Only this machine can reach it, unless --host says otherwise.
    """
    import uvicorn

    from interpreter.web.app import create
    from interpreter.web.hall import Settings

    folder = data or _folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = _alone(folder)
    listener = _listen(host, port)
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    ours = frozenset({"localhost", socket.gethostname().lower(), *(name.lower() for name in names)})
    settings = Settings(folder, ours, limited=not no_limits)

    app = create(settings)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                click.echo(f"The board is at {address} (Ctrl-C ends it).")
                sys.stdout.flush()
                if not no_browser:
                    click.launch(address)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.hall.tables.dismiss()  # they would watch for ever
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # nobody may say who somebody else is
        server_header=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=64 * 1024,
    )
    with lock, listener:
        Server(config).run(sockets=[listener])


def _folder() -> Path:
    """The user's own folder of data."""
    import os

    asked = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (asked if asked.is_absolute() else Path.home() / ".local" / "share") / "gdl"


def _alone(folder: Path) -> TextIO:
    """Hold the folder; a server that finds it held must not write there. Ends with the file."""
    file = (folder / "lock").open("w")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on every system
        pass
    except OSError:
        raise Wrong(f"Another server has its games in {folder}; choose another folder with --data.") from None
    return file


def _listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections there."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise Wrong(f"Nothing can listen at {host}, port {port}: {error.strerror or error}.") from None


def _shown(host: str) -> str:
    """A host as it stands in an address."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
