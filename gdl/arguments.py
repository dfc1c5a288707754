"""The arguments of a call: their number, their labels, and which row of a built-in they fit."""

from __future__ import annotations

from gdl import core as c
from gdl import syntax as s
from gdl.builtins import Builtin
from gdl.core import Type
from gdl.diagnostics import did_you_mean
from gdl.names import FORMS, Wrong


def check_count(call: s.Apply, wanted: int) -> None:
    """Check that a call of something the author has declared has as many arguments as it wants."""
    if len(call.arguments) != wanted:
        message = f"`{call.function.text}` needs {_many(wanted, wanted)}, not {len(call.arguments)}"
        raise Wrong(call, message)


def unlabelled(argument: s.Argument) -> s.Node:
    """The value of an argument that must not have a label."""
    if argument.label is not None:
        raise Wrong(argument.label, "this argument has no label", "write its value alone")
    return argument.value


def in_order(call: s.Apply, rows: list[Builtin]) -> list[s.Node]:
    """The arguments in the order of the parameters, labelled ones last. All rows have the same labels."""
    name = call.function.text
    by_label: dict[str, s.Argument] = {}
    for argument in call.arguments:
        if argument.label and argument.label.text in by_label:
            raise Wrong(argument.label, f"`{argument.label.text}:` is given twice")
        if argument.label:
            by_label[argument.label.text] = argument
    plain = [a.value for a in call.arguments if a.label is None]
    labels = [p.label for p in rows[0].parameters if p.label]
    for argument in by_label.values():
        assert argument.label is not None
        if argument.label.text not in labels:
            message = f"`{name}` has no argument called `{argument.label.text}`"
            raise Wrong(argument.label, message, did_you_mean(argument.label.text, labels))
    missing = [label for label in labels if label not in by_label]
    if missing:
        raise Wrong(call, f"`{name}` needs its argument `{missing[0]}:`", _usage(rows[0]))
    least = min(sum(p.label is None and p.default is None for p in row.parameters) for row in rows)
    most = max(sum(p.label is None for p in row.parameters) for row in rows)
    if not least <= len(plain) <= most:
        raise Wrong(call, f"`{name}` needs {_many(least, most)}, not {len(plain)}", _usage(rows[0]))
    return [*plain, *(by_label[label].value for label in labels)]


def suited_row(call: s.Apply, rows: list[Builtin], found: list[c.Expr]) -> Builtin:
    """The row that the values of the arguments fit; the first one if none does."""
    row = next((row for row in rows if _suits(row, found)), None)
    if row is not None:
        return row
    turned = [row for row in rows if _suits(row, found[::-1])]
    if turned and len(found) == 2 and not any(argument.label for argument in call.arguments):
        message = f"the arguments of `{call.function.text}` stand in another order"
        raise Wrong(call, message, _usage(turned[0]))
    return rows[0]


def _suits(row: Builtin, found: list[c.Expr]) -> bool:
    return all(
        value.type is parameter.type or (value.type is Type.KIND and parameter.type is Type.SET)
        for value, parameter in zip(found, row.parameters, strict=False)
    )


def _many(least: int, most: int) -> str:
    if least == most:
        return f"{least} argument{'s' if least != 1 else ''}"
    return f"{least} to {most} arguments"


def _usage(row: Builtin) -> str:
    shown = [f"{p.label}: {FORMS[p.type]}" if p.label else FORMS[p.type] for p in row.parameters]
    form = f"{row.word}({', '.join(shown)})"
    if row.parameters[-1].default is not None:
        form = f"{row.word}({', '.join(shown[:-1])}) or {form}"
    return f"the form is: {form}"
