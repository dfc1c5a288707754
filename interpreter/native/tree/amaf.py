"""All moves as first (AMAF): moves made later in a playout guide the search as well.

This applies if a move puts a piece on one empty site, and pieces stay where they are put. For each person
and site, a table counts how often the person had a piece there at the end, and with what result. Nodes that
were visited often have their own table; the others use the nearest one above (Cazenave 2015, "Generalized
Rapid Action Value Estimation").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gdl import core as c
from gdl.parts import walk
from interpreter.native.assembly import I1, I64, Code, Value
from interpreter.native.body import Body
from interpreter.native.context import LOW_BITS, TAG, WIN
from interpreter.native.tree.memory import DOUBLE, Moves, Node, Tree

if TYPE_CHECKING:
    from interpreter.native.program import Program

#: Takes the place of the table in a node that has been studied and needs none.
NO_TABLE = 1

#: In a word of a table, the bits from this one up count occurrences, the lower ones add up results.
SEEN = 35


class Amaf:
    """Writes the code that handles the tables of one game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.low = program.low
        self.layout = program.layout
        self.table_words = 2 * self.layout.sites
        #: Whether there are tables.
        self.applies = self._stay_where_put()

    def _stay_where_put(self) -> bool:
        """Whether pieces are put on the board and stay there unchanged, unless they are taken.

        If they move or change, a piece on a site at the end says little about a move to that site.
        """
        stmts = list(walk(self.program.program.turns))
        changes = any(isinstance(stmt, c.Move | c.Flip | c.Become) for stmt in stmts)
        return not changes and any(isinstance(stmt, c.Place) for stmt in stmts)

    # --- the sites of moves ----------------------------------------------------

    def free_sites(self, body: Body) -> Value:
        """The sites without a piece."""
        return body.code.b.not_(self.low.occupied(body.code, self.low.load(body)))

    def site(self, code: Code, listed: Value, free_sites: Value) -> Value:
        """1 plus the number of the empty site that a listed move chooses, if that is all; else 0."""
        length = code.word(listed, 0)

        def of_one() -> list[Value]:
            word = code.word(listed, 1)
            return [code.equal(code.b.and_(word, I64(~LOW_BITS)), I64(TAG["site"])), word]

        alone, site = code.choice(
            code.equal(length, I64(1)), of_one, lambda: self._only_site(code, listed, length)
        )
        fits = code.b.and_(alone, code.some(code.b.and_(code.site(site), free_sites)))
        return code.b.select(fits, code.b.add(site, I64(1)), I64(0))

    def _only_site(self, code: Code, listed: Value, length: Value) -> list[Value]:
        """Whether a move chooses one site and nothing else, and that site."""

        def look(i: Value, sites: Value, last: Value, goes_on: Value) -> Sequence[Value]:
            word = code.word(listed, i)
            tag = code.b.and_(word, I64(~LOW_BITS))
            is_site = code.equal(tag, I64(TAG["site"]))
            quiet = code.b.or_(code.equal(tag, I64(TAG["branch"])), code.equal(tag, I64(TAG["prefer"])))
            text = code.equal(tag, I64(TAG["notation"]))
            # With any other choice, the site alone does not determine the move.
            step = code.b.select(quiet, I64(0), code.b.select(is_site, I64(1), I64(2)))
            sites = code.b.select(text, sites, code.b.add(sites, step))
            last = code.b.select(is_site, word, last)
            return [code.b.add(i, I64(1)), sites, last, code.b.not_(text)]

        _, sites, last, _ = code.loop(
            [I64(1), I64(0), I64(0), code.truth(True)],
            lambda i, sites, last, goes_on: code.b.and_(code.b.not_(code.less(length, i)), goes_on),
            look,
        )
        return [code.equal(sites, I64(1)), last]

    # --- the tables ------------------------------------------------------------

    def provide(self, tree: Tree, moves: Moves) -> None:
        """Give a node an empty table, if one of its moves has a site and there is room."""
        code = tree.code

        def clear(at: Value, i: Value) -> Sequence[Value]:
            code.put(at, i, I64(0))
            return [code.b.add(i, I64(1))]

        def table() -> list[Value]:
            place = tree.taken(I64(self.table_words))
            at = tree.at(place)
            code.loop([I64(0)], lambda i: code.less(i, I64(self.table_words)), lambda i: clear(at, i))
            moves.put("table", place)
            return [I64(0)]

        sited = code.differ(moves.get("sited"), I64(0))
        fits = code.less(I64(self.table_words), tree.free())
        code.choice(code.b.and_(sited, fits), table, lambda: [I64(0)])

    def of_person(self, tree: Tree, table: Value, person: Value) -> Value:
        """The address of a person's part of the table at this place."""
        return tree.at(tree.code.b.add(table, tree.code.b.mul(person, I64(self.layout.sites))))

    def seen(self, code: Code, table: Value, site: Value) -> tuple[Value, Value]:
        """How often a person was on a site (1 plus its number) at the end, and with what mean result."""
        cell = code.word(table, code.b.sub(site, I64(1)))
        seen = code.b.sitofp(code.b.lshr(cell, I64(SEEN)), DOUBLE)
        won = code.b.sitofp(code.b.and_(cell, I64((1 << SEEN) - 1)), DOUBLE)
        at_least = code.b.select(code.b.fcmp_ordered("<", seen, DOUBLE(1.0)), DOUBLE(1.0), seen)
        mean = code.b.fdiv(won, at_least)
        return seen, code.b.fsub(code.b.fmul(mean, DOUBLE(1 / WIN)), DOUBLE(1.0))

    def noter(self, body: Body, tree: Tree, result: Value) -> Callable[[Node], None]:
        """A function that enters who is where at the end of a playout into a node's table, if it has one."""
        code, layout = body.code, self.layout
        env = self.low.load(body)
        swapped = code.word(body.position, layout.register["swapped"])
        stood = [code.alloca(I64, layout.set_words) for _ in (0, 1)]
        for person, memory in enumerate(stood):
            code.put_set(memory, 0, self.low.pieces(code, env, code.b.xor(I64(person), swapped)))
        # Each adds 1 to the count, and to the results from 0 for a loss to twice WIN for a win.
        worth = [code.b.add(mine, I64((1 << SEEN) + WIN)) for mine in (result, code.b.sub(I64(0), result))]

        def write(table: Value) -> list[Value]:
            at = tree.at(table)
            for person in (0, 1):
                start = code.at(at, person * layout.sites)
                for k in range(layout.set_words):
                    word = code.word(stood[person], k)
                    self._add(code, code.at(start, 64 * k), word, worth[person])
            return [I64(0)]

        def note(node: Node) -> None:
            table = node.moves().get("table")
            code.choice(code.less(I64(NO_TABLE), table), lambda: write(table), lambda: [I64(0)])

        return note

    def _add(self, code: Code, start: Value, word: Value, worth: Value) -> None:
        """Add `worth` to the words whose bits are set."""

        def one(left: Value) -> Sequence[Value]:
            cell = code.at(start, code.b.cttz(left, I1(1)))
            code.b.store(code.b.add(code.b.load(cell), worth), cell)
            return [code.b.and_(left, code.b.sub(left, I64(1)))]

        code.loop([word], lambda left: code.differ(left, I64(0)), one)
