"""The command that opens the board in a browser: serve."""

from __future__ import annotations

import gc
import logging
import math
import os
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import click

from interpreter.cli.shell import Wrong, main

#: The most files that the server has open, if the system lets it.
MOST_FILES = 8192
#: What to do if a data folder cannot be used.
ELSEWHERE = "choose another folder with --data."


def _said(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """The value given, which must not be empty: an empty text often comes from a variable that is not set."""
    if value == "":
        raise click.BadParameter("it is empty")
    return value


@main.command()
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="0 for any free port."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    callback=_said,
    help="0.0.0.0 lets others reach it.",
)
@click.option("--name", "names", multiple=True, help="A host name that others may use.")
@click.option(
    "--data", type=click.Path(file_okay=False), callback=_said, help="Where to keep games and rule files."
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--proxy", is_flag=True, help="A proxy on this machine names clients (X-Forwarded-For).")
@click.option("--no-limits", is_flag=True, help="Do not limit requests and connections per address.")
def serve(
    port: int,
    host: str,
    names: tuple[str, ...],
    data: str | None,
    no_browser: bool,
    proxy: bool,
    no_limits: bool,
) -> None:
    """Open the board in a browser: play any game, edit any rules.

    Only this machine can reach it, unless --host says otherwise.
    """
    import uvicorn

    from interpreter.web import connections, nursery
    from interpreter.web.app import create
    from interpreter.web.guard import NAME
    from interpreter.web.hall import Settings

    for name in names:
        if not NAME.fullmatch(name.lower()):
            raise Wrong(f"{name!r} is not the name of a machine.")
    folder = Path(data) if data else _folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = _alone(folder)
    _look_at_data(folder)
    listener = _listen(host, port)
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    ours = frozenset({"localhost", socket.gethostname().lower(), *(name.lower() for name in names)})

    app = create(Settings(folder, ours, limited=not no_limits))

    class Connection(connections.Connection):
        most = 0.8 * _files()  # the rest are for processes and the database
        of_one = math.inf if no_limits or proxy else connections.OF_ONE

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                click.echo(f"The board is at {address} (Ctrl-C ends it).")
                sys.stdout.flush()
                if not no_browser:
                    click.launch(address)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            self.force_exit = False  # it ends soon; cutting it short would only make it complain

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.hall.dismiss()
            await super().shutdown(sockets)

    # The library warns about a process that has ended by itself just as it is killed.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",  # mistakes in what clients send are not logged
        access_log=False,
        proxy_headers=proxy,  # only a proxy may say who a client is
        forwarded_allow_ips=["127.0.0.1", "::1"],
        server_header=False,
        backlog=128,
        timeout_keep_alive=int(connections.PATIENCE),  # a page that is in use asks again sooner
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=64 * 1024,
    )
    nursery.settle()
    gc.freeze()  # what is loaded stays; searching it for garbage would hold up the players
    with lock, listener:
        Server(config).run(sockets=[listener])


def _folder() -> Path:
    """The user's own data folder."""
    asked = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (asked if asked.is_absolute() else Path.home() / ".local" / "share") / "gdl"


def _alone(folder: Path) -> TextIO:
    """Lock the folder, which no second server may write to. The lock ends with the file."""
    path = folder / "lock"
    if path.exists() and not path.is_file():  # opening anything but a file could block forever
        raise Wrong(f"{path} is no file; {ELSEWHERE}")
    file = path.open("w")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on every system
        pass
    except OSError:
        raise Wrong(f"Another server has its games in {folder}; {ELSEWHERE}") from None
    return file


def _look_at_data(folder: Path) -> None:
    """Check that the data in the folder can be used."""
    import sqlite3

    from interpreter.web.hall import DATABASE, furnish
    from interpreter.web.store import Foreign, Store

    try:
        furnish(folder)
    except OSError as error:
        raise Wrong(f"Nothing can be kept in {error.filename}: {error.strerror}; {ELSEWHERE}") from None
    try:
        Store(folder / DATABASE).close()
    except (OSError, sqlite3.Error, Foreign) as error:
        says = getattr(error, "strerror", None) or error
        raise Wrong(f"The games cannot be kept in {folder / DATABASE}: {says}; {ELSEWHERE}") from None


def _files() -> float:
    """Raise the limit on open files and connections as far as allowed, up to a maximum; the new limit."""
    try:
        import resource
    except ImportError:  # not on every system
        return math.inf
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(soft, min(hard, MOST_FILES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _listen(host: str, port: int) -> socket.socket:
    """A socket that accepts connections at this host and port."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        says = str(error.strerror or error).partition(" (while")[0]  # Python repeats the address
        raise Wrong(f"Nothing can listen at {host}, port {port}: {says}.") from None
    except (TypeError, ValueError):  # not possible as the name of a machine
        raise Wrong(f"{host!r} is not the name of a machine.") from None


def _shown(host: str) -> str:
    """A host as it is written in an address."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
