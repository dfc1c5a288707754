"""Errors for what people may not do, or not now; each is answered with its own status."""

from __future__ import annotations


class Denied(Exception):
    """Something may not be done at a table, or not now; the message is one sentence."""


class Unknown(Denied):
    """There is no such table."""


class NoSeat(Denied):
    """The person asking has no seat here, or it is not that seat's turn."""


class Late(Denied):
    """The game has moved on."""
