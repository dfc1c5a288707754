"""Checking the foundations of a game: its options, its board, its players' constants, its states."""

from __future__ import annotations

import attrs

from gdl import core as c
from gdl import syntax as s
from gdl.boards import BOARDS, LINES, LineError, drawn
from gdl.core import Type
from gdl.diagnostics import closest, did_you_mean
from gdl.draft import Draft
from gdl.names import FUNCTION_WORDS, TYPES, Wrong

#: The types an author can give a state.
STATE_TYPES = {t.value: t for t in Type if t is not Type.GROUPS}

# --- options ---


def check_options(draft: Draft) -> dict[str, c.OptionSpec]:
    """The options in order: bounds and defaults may use earlier ones."""
    for option in draft.every(s.OptionDecl):
        name = option.name.text
        spec = draft.attempt(_option, draft, option)
        if spec is None:
            draft.names.broken.add(name)
        else:
            draft.names.options[name] = spec
    return draft.names.options


def _option(draft: Draft, option: s.OptionDecl) -> c.OptionSpec:
    value = draft.expressions.value
    span, name = option.name.span, option.name.text
    default = value(option.default)
    limits = option.range
    if limits is None:
        if default.type is Type.INT:
            raise Wrong(
                option.default,
                "an option that is a number needs a range",
                f"for example: option {name}: 1..9 = 5",
            )
        if default.type is not Type.BOOL:
            raise Wrong(option.default, "an option is a number with a range, or yes or no")
        return c.OptionSpec(name, span, Type.BOOL, default)
    draft.expressions.fit(default, Type.INT, option.default)
    low, high = draft.expressions.all([(limits.low, Type.INT), (limits.high, Type.INT)])
    step = value(limits.by, Type.INT) if limits.by else None
    spec = c.OptionSpec(name, span, Type.INT, default, low, high, step)
    _check_range(option, spec)
    return spec


def _check_range(option: s.OptionDecl, spec: c.OptionSpec) -> None:
    """Check that range and default fit each other, as far as they are plain numbers."""
    low, high = _number(spec.low), _number(spec.high)
    default, step = _number(spec.default), _number(spec.step) if spec.step else 1
    assert option.range is not None
    if step is not None and step < 1 and option.range.by:
        raise Wrong(option.range.by, "the step of a range is at least 1")
    if low is None or high is None:
        return
    if low > high:
        raise Wrong(option.range, "this range is empty: it starts above its end")
    if default is not None and step is not None and (not low <= default <= high or (default - low) % step):
        by = f" step {step}" if step > 1 else ""
        raise Wrong(option.default, f"the default is not one of {low}..{high}{by}")


def _number(value: c.Expr | None) -> int | None:
    return value.value if isinstance(value, c.Const) else None


# --- the board ---


def check_board(draft: Draft, declaration: s.BoardDecl) -> tuple[tuple[str, c.Expr], ...]:
    """The arguments of the board, by parameter."""
    if declaration.lines:
        _check_lines(draft, declaration)
        return ()
    shape = declaration.shape
    name = shape.function.text
    kind = BOARDS.get(name)
    if kind is None:
        hint = did_you_mean(name, BOARDS) or "boards are " + ", ".join(BOARDS)
        if name == LINES.name:
            hint = "write board lines: and below it the sites of each line, as: a1 b1 c1"
        draft.error(shape.function, f"there is no board `{name}`", hint)
        return ()
    arguments: dict[str, c.Expr] = {}
    form = f"the form is: {kind.name}({', '.join(side.name for side in kind.parameters)})"
    unlabelled = iter(kind.parameters)
    for argument in shape.arguments:
        label = argument.label.text if argument.label else getattr(next(unlabelled, None), "name", None)
        known = [side.name for side in kind.parameters] + ["adjacent", "wrap"]
        if label not in known or label in arguments:
            draft.error(argument, f"`{kind.name}` has no place for this argument", form)
            continue
        want = Type.DIRECTIONS if label in ("adjacent", "wrap") else Type.INT
        value = draft.attempt(draft.expressions.value, argument.value, want)
        if value is not None:
            arguments[label] = value
    for side in kind.parameters:
        if side.default is None and side.name not in arguments and not draft.failed:
            draft.error(shape, f"`{kind.name}` needs its argument `{side.name}`", form)
    return tuple(arguments.items())


def _check_lines(draft: Draft, declaration: s.BoardDecl) -> None:
    """Check that a board of lines is called so, and that its lines can be drawn."""
    name = declaration.shape.function
    if name.text != LINES.name:
        draft.error(name, f"there is no board `{name.text}` of lines", "write board lines:")
    for line in declaration.lines:
        if len(line) == 1:
            draft.error(line[0], "a line has two sites or more")
    try:
        drawn([[site.text for site in line] for line in declaration.lines])
    except LineError as error:
        draft.error(declaration.lines[error.line][error.place], str(error))


def check_site_condition(draft: Draft, board: s.BoardDecl | None) -> tuple[int, c.Expr | None]:
    """The slot for a site of the full board, and the condition for that site to exist."""
    if board is None or board.site is None or board.condition is None:
        return -1, None
    with draft.scopes.open("constant"):
        slot = draft.attempt(draft.scopes.bind, board.site, Type.SET)
        if slot is None:
            return -1, None
        return slot, draft.attempt(draft.expressions.value, board.condition, Type.BOOL)


# --- constants of the players ---


def check_constants(draft: Draft, players: s.Players | None) -> None:
    """Check the constants of the players' block: both players have the same ones, of the same types."""
    if players is None or not any(player.constants for player in players.players):
        return
    names = draft.names
    first, *others = players.players
    for player in others:
        mine, theirs = ({x.name.text: x.name for x in each.constants} for each in (player, first))
        names.broken |= mine.keys() ^ theirs.keys()
        lacking = theirs.keys() - mine.keys()
        for name in sorted(mine.keys() - theirs.keys()):
            hint = did_you_mean(name, lacking)
            where = mine[name] if hint else first.name
            draft.error(where, f"{first.name.text} lacks `{name}`, which {player.name.text} has", hint)
            lacking -= {closest(name, lacking)}
        for name in sorted(lacking):
            draft.error(player.name, f"{player.name.text} lacks `{name}`, which {first.name.text} has")
    for constant in first.constants:
        name = constant.name.text
        if name in FUNCTION_WORDS or name in names.defines:
            draft.error(constant.name, f"`{name}` is a function already", "choose another name")
        found = [
            draft.attempt(draft.expressions.value, x.value)
            for player in players.players
            for x in player.constants
            if x.name.text == name
        ]
        values = tuple(value for value in found if value is not None)
        if len(values) != 2:
            names.broken.add(name)
        elif values[0].type is not values[1].type:
            here, there = (TYPES[value.type] for value in values)
            draft.error(constant, f"`{name}` is {here} for one player, {there} for the other")
            names.broken.add(name)
        else:
            names.constants[name] = values


# --- states ---


def check_states(draft: Draft) -> dict[str, c.StateSpec]:
    """The states in order: first values may use earlier ones."""
    names = draft.names
    states = draft.every(s.StateDecl)
    on_sites = [state for state in states if "per site" in state.type.text]
    for few, most, what in ((states, 32, "states"), (on_sites, 8, "states with a number on each site")):
        if len(few) > most:
            draft.error(few[most].head, f"a game has at most {most} {what}")
    for state in states:
        name = state.name.text
        type_ = STATE_TYPES.get(state.type.text.removesuffix(" per player"))
        if type_ is None:
            hint = did_you_mean(state.type.text, STATE_TYPES) or "types are " + ", ".join(STATE_TYPES)
            draft.error(state.type, f"there is no type `{state.type.text}`", hint)
            names.broken.add(name)
            continue
        spec = c.StateSpec(name, type_, state.name.span, None)
        with draft.scopes.open("setup"):
            spec = draft.attempt(_with_first_value, draft, state, spec) or spec
        if not state.type.text.endswith(" per player"):
            names.states[name] = spec
            continue
        names.per_player[name] = type_
        for player in (0, 1):
            names.states[names.state_of(name, player)] = attrs.evolve(spec, player=player)
    return names.states


def _with_first_value(draft: Draft, state: s.StateDecl, spec: c.StateSpec) -> c.StateSpec:
    """The state with its first value, or with its values on sites."""
    if state.per_site:
        if spec.type is not Type.COUNTERS:
            raise Wrong(state.type, "only `int per site` has values on sites")
        pairs = []
        for value, sites in state.per_site:
            amount, at = draft.expressions.all([(value, Type.INT), (sites, Type.SET)])
            pairs.append((amount, at))
        return attrs.evolve(spec, per_site=tuple(pairs))
    if state.initial is not None:
        want = Type.INT if spec.type is Type.COUNTERS else spec.type
        return attrs.evolve(spec, initial=draft.expressions.value(state.initial, want))
    if spec.type is Type.COUNTERS:
        return spec
    raise Wrong(
        state.name,
        f"the state `{spec.name}` needs a first value",
        f"the form is: state {spec.name}: {spec.type.value} = VALUE",
    )
