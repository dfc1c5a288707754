"""What is shown at a terminal while something goes on."""

from __future__ import annotations

from typing import Protocol


class Display(Protocol):
    """`Live`, `Progress` and `Status` of rich."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Meanwhile:
    """Shows this, or nothing, until it is left; nothing of it stays, however soon an interrupt comes.

    A display of rich that stands behind `with` can be interrupted when it has been started and before `with`
    knows that there is something to stop; so can a generator of contextlib.
    """

    def __init__(self, display: Display | None) -> None:
        self.display = display

    def __enter__(self) -> None:
        if self.display is None:
            return
        try:
            self.display.start()
        except BaseException:
            self.display.stop()
            raise

    def __exit__(self, *_: object) -> None:
        if self.display is not None:
            self.display.stop()
