"""The command line, run for tests: in this process, in a separate one, or at a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from typing import Any

from click.testing import CliRunner, Result

from interpreter.cli import main

CORNER = """\
variant "Corner Egotzi" of "Egotzi"
"A full board without a winner is a draw."

end:
    if no empty: highest score wins, tie: draw
"""

FULL = """\
game "Full"
"Fill the board."
players Black, White
board squares(3)
pieces stone

turn:
    choose square in empty
    place stone at square

end:
    if no empty: draw
"""

BROKEN = """\
game "Broken"
players Black, White
board points(size)
"""


def gdl(*args: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, args, input=stdin, catch_exceptions=False)


def data_of(*args: str, stdin: str = "") -> Any:
    """The JSON that a command prints on success."""
    result = gdl(*args, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def run(*args: str, **keywords: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as a separate process."""
    command = [sys.executable, "-m", "interpreter", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **keywords)


PROMPT = b"(or help): "


def at_terminal(
    typed: bytes, status: int, *args: str, when: bytes = PROMPT, columns: int = 80, **environment: str
) -> str:
    """What the command shows at its own terminal, where all is typed once it first shows `when`."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    command = [sys.executable, "-m", "interpreter", *args]
    variables = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=variables,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
    ) as process:
        os.close(theirs)
        output = b""
        while True:
            try:
                output += os.read(ours, 65536)
            except OSError:  # the other end is closed: the program has ended
                break
            if typed and when in output:
                os.write(ours, typed + b"\x04")  # and then the end of the input
                typed = b""
        assert process.wait(timeout=60) == status
    os.close(ours)
    return output.decode().replace("\r", "")
