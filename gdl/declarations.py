"""Checking declarations as such: what may appear where and how often, and that a name has one meaning."""

from __future__ import annotations

from gdl import core as c
from gdl import syntax as s
from gdl.boards import BOARDS, LINES
from gdl.draft import Draft
from gdl.names import FUNCTION_WORDS
from gdl.source import Span
from gdl.variants import title


def check_header(draft: Draft, header: s.Header | None) -> None:
    """The header comes first; `without` belongs to variants; a name must not be empty."""
    if header is None:
        return
    if draft.own(header.span) and header is not draft.declarations[0] and header.base is None:
        draft.error(header, "the header stands above everything else")
    if not any(ch.isalnum() for ch in header.name.text):
        draft.error(header.name, "a game needs a name with letters in it")
    if header.year is not None and not 0 < header.year < 10_000:
        draft.error(header, "the year is a number from 1 to 9999")
    for text in [header.name, header.designer]:
        if text is not None and len(text.text) > 80:
            draft.error(text, "this name is too long: 80 characters are allowed")
    for without in draft.every(s.Without):
        draft.error(
            without, "only a variant can do without something", 'begin with: variant "Name" of "Base"'
        )


def check_repeated(draft: Draft) -> list[s.Declaration]:
    """Repeated declarations of the same thing; those of a variant have already replaced the base's."""
    repeated: list[s.Declaration] = []
    seen: dict[str, s.Declaration] = {}
    for declaration in draft.declarations:
        if isinstance(declaration, s.Without):
            continue
        name = title(declaration)
        if name in seen:
            line = seen[name].head.line
            draft.error(declaration.head, f"`{name}` is declared twice; the first is on line {line}")
            repeated.append(declaration)
        seen.setdefault(name, declaration)
    return repeated


def declare(
    draft: Draft,
    players: s.Players | None,
    pieces: s.Pieces | None,
    board: s.BoardDecl | None,
    repeated: list[s.Declaration],
) -> None:
    """Note all names before anything that uses them is checked."""
    names = draft.names
    if board is not None:
        names.board = LINES if board.lines else BOARDS.get(board.shape.function.text)
    taken: dict[str, Span] = {}
    if players is not None:
        _declare_players(draft, players, taken)
    if pieces is not None:
        _declare_pieces(draft, pieces, taken)
    for define in draft.every(s.Define):
        if define in repeated:
            continue
        _declare(draft, define.name, taken, function=True)
        for place, parameter in enumerate(define.parameters):
            _declare(draft, parameter, {})
            if parameter.text in [p.text for p in define.parameters[:place]]:
                draft.error(parameter, f"`{parameter.text}` is a parameter already", "choose another name")
                names.broken.add(define.name.text)
        names.defines.setdefault(define.name.text, define)
    later: list[s.OptionDecl | s.StateDecl] = [*draft.every(s.OptionDecl), *draft.every(s.StateDecl)]
    for named in later:
        names.later.add(named.name.text)
        if named not in repeated:
            _declare(draft, named.name, taken)
    for turn in draft.every(s.TurnDecl):
        _declare(draft, turn.name, {})
        names.turns.add(turn.name.text)


def _declare(draft: Draft, word: s.Word, taken: dict[str, Span], function: bool = False) -> None:
    """Note where a name is first declared; complain if it already has a meaning."""
    meaning = draft.names.taken(word.text)
    if meaning is None and function and word.text in FUNCTION_WORDS:
        meaning = "a built-in function"
    if meaning is None and word.text in taken and taken[word.text] != word.span:
        meaning = f"declared on line {taken[word.text].line}"
    if meaning is not None:
        draft.error(word, f"`{word.text}` is {meaning} already", "choose another name")
    taken.setdefault(word.text, word.span)


def _declare_players(draft: Draft, declaration: s.Players, taken: dict[str, Span]) -> None:
    for player in declaration.players:
        _declare(draft, player.name, taken)
    names = [player.name.text for player in declaration.players]
    if len(names) != 2:
        draft.error(
            declaration.head,
            f"a game has two players, not {len(names)}",
            "for example: players Black, White",
        )
    draft.names.players = tuple([*names, "?", "?"][:2])


def _declare_pieces(draft: Draft, declaration: s.Pieces, taken: dict[str, Span]) -> None:
    kinds: list[c.Kind] = []
    for piece in declaration.pieces:
        _declare(draft, piece.name, taken, function=not piece.neutral)
        name = piece.name.text
        letter = (piece.letter.text if piece.letter else name[0]).upper()
        where: s.Node = piece.letter or piece.name
        if len(letter) != 1 or not (letter.isascii() and letter.isalpha()):
            possible = next((ch.upper() for ch in name if ch.isascii() and ch.isalpha()), "X")
            draft.error(
                where,
                "the letter of a piece is one letter from A to Z",
                f'for example: {name} "{possible}"',
            )
        same = next((kind for kind in kinds if kind.letter == letter), None)
        if same is not None and same.name != name:
            hint = f'give them letters: {same.name} "{letter}", {name} "..."'
            draft.error(where, f"`{same.name}` and `{name}` have the same letter {letter}", hint)
        kinds.append(c.Kind(name, letter, piece.neutral))
    if len(kinds) > 16:
        draft.error(declaration, "a game has at most 16 kinds of pieces")
    draft.names.kinds = tuple(kinds)
