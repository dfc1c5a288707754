"""Moves as text: the one notation of each legal move, and what a text typed by a person means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from gdl import core as c
from gdl.core import Type
from gdl.parts import walk
from gdl.words import written
from interpreter.engine import Candidate, Choice
from interpreter.errors import AmbiguousMove, IllegalMove, TooMuchWork, UnreadableMove
from interpreter.meanings import bits, first

if TYPE_CHECKING:
    from interpreter.binding import Bound
    from interpreter.piece import Piece

#: How much of a text an error quotes, the longest text that is read, and how many moves are listed.
QUOTED = 40
LONGEST = 10_000
LISTED = 8

#: The most characters that all the moves of a position together may take to write.
MOST_TEXT = 20_000_000
TOO_MUCH_TEXT = f"a move is written with more than {LONGEST:,} characters, or all with {MOST_TEXT:,}"


@frozen
class Move:
    """A legal move of a position: the choices it is made of, and its one notation there."""

    path: tuple[Choice, ...]
    notation: str

    @property
    def sites(self) -> tuple[int, ...]:
        """The sites that were chosen, in order, by their numbers in `Board.names`."""
        return tuple(first(site) for kind, members in self.path if kind == "set" for site in bits(members))

    def __hash__(self) -> int:
        return hash(self.notation)

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Move({self.notation!r})"


class Speller:
    """Writes the values of one game, and its moves."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound

    def value(self, kind: str, value: Any) -> str:
        """A value of the named type: a kind by its letter, anything with a name by its name."""
        match kind:
            case Type.SET.value:
                return "-".join(members_of(self._bound.board.names, value))
            case Type.DIRECTIONS.value:
                return "-".join(members_of(self._bound.board.directions, value))
            case Type.PLAYER.value:
                return self._bound.program.players[value]
            case Type.KIND.value:
                return self._bound.program.kinds[value].letter if value >= 0 else ""
            case Type.BOOL.value:
                return written(bool(value))
        return str(value)

    def candidate(self, path: tuple[Choice, ...], notation: str | None, run: Any) -> Candidate:
        """A move as the rules' own `notation` writes it, else by its choices."""
        text = "".join(notation.split()) if notation else ""  # spaces separate the moves of a record
        move = Move(path, text or self.path(path))
        check_length(move.notation)
        return Candidate(move, bool(text), run)

    def path(self, path: Iterable[Choice]) -> str:
        """The derived notation: the choices joined by `-`, kinds as `=Q`; branches are not written."""
        words = []
        for kind, value in path:
            if kind in ("pass", "keep", "swap"):
                words.append(kind)
            elif kind == Type.KIND.value:
                words.append("=" + self.value(kind, value))
            elif kind != "branch":
                words.append(self.value(kind, value))
        # A move without any choice still needs a word.
        return "-".join(words).replace("-=", "=") or "go"


def members_of(names: Sequence[str], members: int) -> list[str]:
    """The names of the members of a set, whose bits are numbered like the names."""
    return [names[first(member)] for member in bits(members)]


def bounded(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The same candidates. Raises TooMuchWork if they take too many characters in all."""
    found, total = list[Candidate](), 0
    for candidate in candidates:
        total += len(candidate.move.notation)
        if total > MOST_TEXT:
            raise TooMuchWork(TOO_MUCH_TEXT)
        found.append(candidate)
    return found


def check_length(text: str) -> None:
    """Raises TooMuchWork for a text that is too long to be read."""
    if len(text) > LONGEST:
        raise TooMuchWork(TOO_MUCH_TEXT)


def told_apart(speller: Speller, candidates: Sequence[Candidate]) -> list[Move]:
    """The moves of a position, no two written alike.

    Equal notations of the rules are replaced by the derived ones; if those are equal too, the later ones
    get `~2`, `~3` ... appended.
    """
    moves = [candidate.move for candidate in candidates]
    if len({move.notation for move in moves}) == len(moves):
        return moves
    ruled = Counter(candidate.move.notation for candidate in candidates if candidate.ruled)
    used, numbers, total = set[str](), Counter[str](), 0
    for i, move in enumerate(moves):
        usual = text = move.notation if ruled[move.notation] == 1 else speller.path(move.path)
        while text in used:
            numbers[usual] += 1
            text = f"{usual}~{numbers[usual] + 1}"
        total += len(text)
        if len(text) > LONGEST or total > MOST_TEXT:
            raise TooMuchWork(TOO_MUCH_TEXT)
        used.add(text)
        moves[i] = Move(move.path, text)
    return moves


# --- reading -----------------------------------------------------------------


def find(
    bound: Bound, legal: Sequence[Move], text: str, board: Mapping[str, Piece], position: object
) -> Move:
    """The legal move that the text means: exactly as written, else ignoring case, else by its words alone.

    Failing that, it is read as chess players write moves: `Nf3`, `exd5`, `e8=Q`, `0-0`. Messages show the
    position.

    Raises UnreadableMove, IllegalMove or AmbiguousMove.
    """
    asked = text[:LONGEST].strip()
    for form in (str, str.casefold, _words, _squeezed):
        meant = form(asked)
        fitting = [move for move in legal if meant and form(move.notation) == meant]
        if len(fitting) == 1 and len(text) <= LONGEST:
            return fitting[0]
        if fitting:
            break
    words = _words(asked)
    fitting = fitting or [move for move in legal if words and _words(move.notation)[: len(words)] == words]
    if not fitting:
        fitting = _as_in_chess(bound, legal, asked, board)
        if len(fitting) == 1:
            return fitting[0]
    said = f"`{_quoted(text)}`"
    if len(fitting) > 1:
        raise AmbiguousMove(f"{said} fits {len(fitting)} legal moves: {_list(fitting)}.\n{position}")
    if not legal:
        raise IllegalMove(f"{said} cannot be played: the game is over.\n{position}")
    if not _known(bound, legal, words):
        raise UnreadableMove(f"{said} is no move: a move here looks like {legal[0].notation}.\n{position}")
    near = fitting or _nearest(legal, words)
    listed = f"near it: {_list(near)}; " if near else ""
    example = "" if near else f", {legal[0].notation} is one"
    legal_here = f"{len(legal)} legal {'moves' if len(legal) > 1 else 'move'}"
    raise IllegalMove(f"{said} is not legal here; {listed}{legal_here} in all{example}.\n{position}")


#: Games with at least this many kinds of pieces accept moves written as in chess.
FEWEST = 3

#: The piece, where it comes from, where it goes, what it becomes.
_CHESS = re.compile(r"([A-Z]?)([a-z]??[0-9]*?)[x:-]?([a-z][0-9]+)(?:=?([A-Z]))?[+#!?]*", re.ASCII)
_CASTLING = re.compile(r"([O0o](?:-[O0o]){1,2})[+#!?]*")


def _as_in_chess(bound: Bound, legal: Sequence[Move], text: str, board: Mapping[str, Piece]) -> list[Move]:
    """The moves that chess players would write this way, in games with several kinds of pieces.

    A move that names no piece means one of the first kind, if that fits.
    """
    letters = {kind.name: kind.letter for kind in bound.program.kinds}
    if len(letters) < FEWEST:
        return []
    if castling := _CASTLING.fullmatch(text):
        return [move for move in legal if move.notation == re.sub("[0o]", "O", castling[1])]
    if (written := _CHESS.fullmatch(text)) is None:
        return []
    letter, origin, target, becomes = written.groups(default="")
    speller = Speller(bound)
    fitting: list[tuple[str, Move]] = []
    for move in legal:
        sites = [speller.value(kind, value) for kind, value in move.path if kind == Type.SET.value]
        became = [speller.value(kind, value) for kind, value in move.path if kind == Type.KIND.value]
        piece = letters[board[sites[0]].kind] if sites and sites[0] in board else ""
        goes_so = piece and origin in sites[0] and target == sites[-1]
        if goes_so and "".join(became) == becomes and letter in ("", piece):
            fitting.append((piece, move))
    plain = [move for piece, move in fitting if piece == bound.program.kinds[0].letter]
    return plain if plain and not letter else [move for _, move in fitting]


def _words(text: str) -> list[str]:
    """The words of a text: names of sites, numbers, runs of letters; the word `to` is ignored."""
    return [word for word in re.findall(r"[^\W\d_]+[0-9]+|[0-9]+|[^\W\d_]+", text.casefold()) if word != "to"]


def _squeezed(text: str) -> str:
    """The words of a text without anything between them."""
    return "".join(_words(text))


def _known(bound: Bound, legal: Sequence[Move], words: Sequence[str]) -> bool:
    """Whether any of the words means something in this game."""
    rules = bound.program
    names = [*bound.board.names, *bound.board.directions, *rules.players, "pass", "swap", "keep", "yes", "no"]
    names += [name for kind in rules.kinds for name in (kind.name, kind.letter)]
    notations = (stmt for stmt in walk(rules.turns) if isinstance(stmt, c.Notation))
    names += [part for stmt in notations for part in stmt.parts if isinstance(part, str)]
    known = {word for name in (*names, *(move.notation for move in legal)) for word in _words(name)}
    numbers = any(kind == Type.INT.value for move in legal for kind, _ in move.path)
    return any(word in known or (numbers and word.isdecimal()) for word in words)


def _nearest(legal: Sequence[Move], words: Sequence[str]) -> list[Move]:
    """The legal moves that begin with the same word, else those that share any word."""
    alike = [move for move in legal if _words(move.notation)[:1] == words[:1]]
    return alike or [move for move in legal if set(words) & set(_words(move.notation))]


def _list(moves: Sequence[Move]) -> str:
    more = ", ..." if len(moves) > LISTED else ""
    return ", ".join(move.notation for move in moves[:LISTED]) + more


def _quoted(text: str) -> str:
    """The beginning of a text, safe to show on a terminal."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:QUOTED])
    return shown + "..." if len(text) > QUOTED else shown
