"""What is shown on a terminal while something is going on."""

from __future__ import annotations

from typing import Protocol


class Display(Protocol):
    """What `Live`, `Progress` and `Status` of rich have in common."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Meanwhile:
    """Shows a display, if there is one, inside `with`; it always goes away, however early an interrupt comes.

    A rich display used directly in `with` can be interrupted after it has started but before `with`
    knows that there is something to stop; so can a contextlib generator.
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
