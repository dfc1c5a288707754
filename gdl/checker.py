"""Checking a game: all its declarations, from syntax to a `CheckedGame`."""

from __future__ import annotations

from collections.abc import Iterable

from gdl import core as c
from gdl import syntax as s
from gdl.beginning import check_board, check_constants, check_options, check_site_condition, check_states
from gdl.declarations import check_header, check_repeated, declare
from gdl.diagnostics import Diagnostic
from gdl.draft import Draft
from gdl.endings import check_end, check_score, check_stuck
from gdl.source import Source
from gdl.turns import check_again, check_pie, check_play, check_turn
from gdl.unused import check_unused


def check(
    source: Source, declarations: list[s.Declaration], faults: Iterable[Diagnostic] = ()
) -> tuple[c.CheckedGame | None, list[Diagnostic]]:
    """The checked game, or None if anything is wrong, and all diagnostics about the file.

    `source` is the file asked for; declarations from another file come from its base game.
    `faults` are those of parsing: what could not be read is not reported as missing.
    """
    draft = Draft(source, declarations, list(faults))
    game = _game(draft)
    return (None if draft.failed else game), draft.diagnostics


def _game(draft: Draft) -> c.CheckedGame | None:
    """One pass over the declarations, in the order in which they need each other."""
    header = draft.required(s.Header, "this file is no game yet: it has no header", 'begin with: game "Name"')
    if header is None and not draft.declarations:
        return None
    draft.names.headless = header is None and draft.unreadable
    check_header(draft, header)
    repeated = check_repeated(draft)
    players = draft.required(s.Players, "this game has no players", "for example: players Black, White")
    board = draft.required(s.BoardDecl, "this game has no board", "for example: board squares(8)")
    pieces = draft.one(s.Pieces)
    if not draft.every(s.StateDecl):
        draft.required(s.Pieces, "this game has no pieces", "for example: pieces stone")
    end = draft.required(
        s.End, "nothing ends this game", "for example: end: and, below it, if stuck(next): next loses"
    )
    declare(draft, players, pieces, board, repeated)
    options = check_options(draft)
    board_args = check_board(draft, board) if board else ()
    check_constants(draft, players)
    site_slot, site_condition = check_site_condition(draft, board)
    setup = draft.one(s.Setup)
    block = draft.statements.setup(setup.body) if setup else ()
    states = check_states(draft)  # after `setup`: their first values look at the board
    turns = {turn.name.text: check_turn(draft, turn) for turn in draft.every(s.TurnDecl)}
    play = check_play(draft, draft.one(s.Play), turns)
    check_again(draft, draft.one(s.Play), turns, play)
    pie = check_pie(draft, draft.one(s.Pie))
    score_slot, score = check_score(draft, draft.one(s.Score))
    endings = check_end(draft, end) if end else ()
    check_unused(draft)
    if end:
        check_stuck(draft, end, endings, turns, play)
    if header is None or board is None or draft.failed:
        return None
    about = draft.one(s.About)
    return c.CheckedGame(
        name=header.name.text,
        base=header.base.text if header.base else None,
        designer=header.designer.text if header.designer else None,
        year=header.year,
        about=about.text.text if about else "",
        # Options of the base that mean nothing in the variant are left out.
        options={n: o for n, o in options.items() if f"option {n}" in draft.names.used or draft.own(o.span)},
        players=(draft.names.players[0], draft.names.players[1]),
        kinds=draft.names.kinds,
        board=board.shape.function.text,
        board_args=board_args,
        board_lines=tuple(tuple(site.text for site in line) for line in board.lines),
        site_slot=site_slot,
        site_condition=site_condition,
        states=states,
        setup=block,
        turns=turns,
        play=play,
        pie=pie,
        score_slot=score_slot,
        score=score,
        end=endings,
        slots=draft.scopes.slots,
    )
