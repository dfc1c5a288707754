"""What people may not do, or not now; each is answered with a status of its own."""

from __future__ import annotations


class Denied(Exception):
    """What somebody may not do at a table, or not now; the message is one sentence."""


class Unknown(Denied):
    """There is no such table."""


class NoSeat(Denied):
    """Who asks has no seat here, or it is not that seat's turn."""


class Late(Denied):
    """The game stands elsewhere by now."""
