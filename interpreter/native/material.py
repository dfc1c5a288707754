"""Material: what the pieces on the board are worth."""

from __future__ import annotations

from interpreter.native.assembly import I64, POINTER, Value
from interpreter.native.body import Body
from interpreter.native.statements import Statements


def material(low: Statements, body: Body, worths: Value) -> Value:
    """How much more the pieces of the first player are worth than those of the second.

    `worths` is the address of what a piece of each plane is worth.
    """
    code = body.code
    table = code.b.inttoptr(worths, POINTER)
    lead: Value = I64(0)
    for i, ((_, owner), offset) in enumerate(zip(low.bound.planes, low.layout.planes, strict=True)):
        if owner is not None:
            worth = code.b.mul(code.size(code.set_from(body.position, offset)), code.word(table, i))
            lead = code.b.sub(lead, worth) if owner else code.b.add(lead, worth)
    return lead
