"""Sorts of pieces, as players and programs see them."""

from __future__ import annotations


class Piece(str):
    """A sort of pieces as text: "Black stone", or "arrow" if nobody owns it."""

    __slots__ = ("kind", "owner")

    kind: str
    owner: str | None

    def __new__(cls, kind: str, owner: str | None = None) -> Piece:
        piece = super().__new__(cls, kind if owner is None else f"{owner} {kind}")
        piece.kind, piece.owner = kind, owner
        return piece

    def __reduce__(self) -> tuple[type[Piece], tuple[str, str | None]]:
        return Piece, (self.kind, self.owner)
