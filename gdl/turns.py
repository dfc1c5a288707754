"""Checking what a turn is and who takes it: the turns, `play` and the pie rule."""

from __future__ import annotations

from gdl import core as c
from gdl import syntax as s
from gdl.core import Type
from gdl.diagnostics import did_you_mean
from gdl.draft import Draft
from gdl.names import Wrong
from gdl.parts import onward, taken
from gdl.statements import leaves_a_choice

#: How many players the lines of `play` may name together.
MOST_PLACES = 1_000

#: In how many ways `again: TURN` may lead on, from all players of `play` together.
MOST_WAYS = 1_000


def check_turn(draft: Draft, turn: s.TurnDecl) -> c.Block:
    """The statements of a turn, of which at least one is a choice."""
    before = draft.statements.lost
    block = draft.statements.turn(turn.body)
    if draft.statements.lost == before and not draft.unreadable and not leaves_a_choice(block):
        draft.error(
            turn.head, "this turn leaves the player nothing to choose", "for example: choose s in empty"
        )
    return block


def check_play(draft: Draft, declaration: s.Play | None, turns: dict[str, c.Block]) -> tuple[c.PlayStep, ...]:
    """Who plays which turn, in order; without `play` both players alternate with the one turn."""
    if declaration is None:
        if "turn" not in turns and not draft.unreadable:
            hint = "for example: turn: and, below it, choose s in empty"
            if turns:
                players = ", ".join(draft.names.players)
                hint = f"for example: play: and, below it, repeat {players}: {next(iter(turns))}"
            draft.error(draft.place, "this game does not say what a turn is", hint)
        return (c.PlayStep(False, (0, 1), "turn"),)
    steps = []
    for place, step in enumerate(declaration.steps):
        last = place == len(declaration.steps) - 1
        if step.once == last:
            message = (
                "the last line of `play` is the one that repeats"
                if last
                else "only the last line of `play` repeats"
            )
            draft.error(step, message, "begin it with " + ("`repeat`" if last else "`once`"))
        checked = draft.attempt(_step, draft, step)
        if checked is not None:
            steps.append(checked)
    if sum(len(step.players) for step in steps) > MOST_PLACES:
        draft.error(declaration.head, f"`play` names more than {MOST_PLACES:,} players")
    return tuple(steps)


def _step(draft: Draft, step: s.PlayStepDecl) -> c.PlayStep:
    names = draft.names
    players = []
    for word in step.players:
        if word.text not in names.players:
            names.doubt(word)
            raise Wrong(word, f"there is no player `{word.text}`", did_you_mean(word.text, names.players))
        players.append(names.players.index(word.text))
    if len(players) > 64:
        raise Wrong(step, "a line of `play` names at most 64 players")
    turn = names.turn(step.turn)
    with draft.scopes.open("setup"):
        when = draft.expressions.value(step.condition, Type.BOOL) if step.condition else None
    if when is not None and not step.once:
        raise Wrong(step, "the line that repeats has no condition")
    return c.PlayStep(step.once, tuple(players), turn, when)


def check_again(
    draft: Draft, declaration: s.Play | None, turns: dict[str, c.Block], play: tuple[c.PlayStep, ...]
) -> None:
    """Note which turns are taken, and bound the ways of `again`: each may follow each player of `play`."""
    if draft.failed:
        return
    draft.names.used |= {f"turn {name}" for name in taken(turns, play)}
    ways = sum(len(step.players) for step in play) * sum(len(onward(turn)) for turn in turns.values())
    if ways > MOST_WAYS:
        where = declaration.head if declaration else draft.place
        message = f"from the players of `play`, `again` leads to turns in more than {MOST_WAYS:,} ways"
        draft.error(where, message, "let `again` lead to fewer turns, or name fewer players in `play`")


def check_pie(draft: Draft, declaration: s.Pie | None) -> c.Expr | None:
    """Whether the second player may take the first one's place: a condition on the options alone."""
    if declaration is None:
        return None
    if declaration.condition is None:
        return c.Const(Type.BOOL, declaration.span, True)
    return draft.attempt(draft.expressions.value, declaration.condition, Type.BOOL)
