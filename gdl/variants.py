"""Variants: whole declarations of a base game replaced, added or dropped."""

from __future__ import annotations

from gdl import syntax as s
from gdl.diagnostics import Diagnostic, did_you_mean

#: What each declaration is called; those marked True are distinguished by their names.
TITLES: dict[type[s.Declaration], tuple[str, bool]] = {
    s.Header: ("game", False),
    s.About: ("about", False),
    s.OptionDecl: ("option", True),
    s.Players: ("players", False),
    s.BoardDecl: ("board", False),
    s.Pieces: ("pieces", False),
    s.StateDecl: ("state", True),
    s.Setup: ("setup", False),
    s.Pie: ("pie rule", False),
    s.Define: ("define", True),
    s.TurnDecl: ("turn", True),
    s.Play: ("play", False),
    s.Score: ("score", False),
    s.End: ("end", False),
}


def title(declaration: s.Declaration) -> str:
    """What a declaration is called, such as `option size` or `setup`; unique within a game."""
    word, named = TITLES[type(declaration)]
    name = getattr(declaration, "name", None)
    if not named or not isinstance(name, s.Word) or (word, name.text) == ("turn", "turn"):
        return word
    return f"{word} {name.text}"


def merge(
    base: list[s.Declaration], variant: list[s.Declaration]
) -> tuple[list[s.Declaration], list[Diagnostic]]:
    """The declarations of the variant's game, the base's first; faults are drops of what does not exist."""
    merged = {title(d): d for d in base}
    faults = []
    for declaration in variant:
        if not isinstance(declaration, s.Without):
            merged[title(declaration)] = declaration
            continue
        dropped = declaration.what + (f" {declaration.name.text}" if declaration.name else "")
        if merged.pop(dropped, None) is None:
            message = f"the base game has no `{dropped}` to do without"
            faults.append(Diagnostic("error", declaration.span, message, did_you_mean(dropped, merged)))
    return list(merged.values()), faults
