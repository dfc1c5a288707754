"""The command `gdl`, which is `python -m interpreter`, too."""

import math
import signal
import sys
from time import monotonic
from types import FrameType

#: An interrupt that comes sooner after another (seconds) is for the same: the work in hand is put away.
AGAIN = 1.0


def main() -> None:
    """Run the command; who interrupts it while it is being read is told nothing."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # somebody ignores them
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
    finally:  # there is nothing left to interrupt, but Python would say where it was
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run() -> None:
    try:
        from interpreter.cli import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command(prog_name="gdl")


if __name__ == "__main__":
    main()
