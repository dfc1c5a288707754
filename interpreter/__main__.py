"""The command `gdl`, also available as `python -m interpreter`."""

import math
import signal
import sys
from time import monotonic
from types import FrameType

#: An interrupt within this many seconds of another is ignored: the first is still being handled.
AGAIN = 1.0


def main() -> None:
    """Run the command; an interrupt while it is still loading ends it silently."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # interrupts are ignored
        _run()
        return
    last = -math.inf

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if monotonic() - last > AGAIN:
            last = monotonic()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        _run()
    finally:  # nothing is left to interrupt, but Python would print a traceback
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run() -> None:
    try:
        from interpreter.cli import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command(prog_name="gdl")


if __name__ == "__main__":
    main()
