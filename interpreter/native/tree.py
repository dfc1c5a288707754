"""A search tree in native code: UCT (Kocsis, Szepesvari 2006) with proven results (Winands and others 2008).

One call of `grow` makes the tree so many playouts larger. A playout goes down the tree by the
upper confidence bound, looks at how the position it comes to ends, plays on from there at
random, and tells all nodes on its way what came of it. A node is proven where the rules
decide it, where a move leads to a proven win of its mover, or where all moves are proven.

The tree lies in memory of the caller: nodes grow up from its start, the moves of opened nodes grow
down from its end. It never outgrows that: where they meet, `grow` comes back, and `transplant` copies
to new memory what is still below the root and was visited often enough.

A node is a row of words (`context.NODE`). It has nodes below it only for the moves that were tried, in
one block, which is copied to a larger one as it grows. All its moves are listed when it has been
visited a few times (`context.MOVES`, then a row of `stride` words for each: its length in the lower
half of the first, in the upper half its site, see below), those tried first, in the order of the nodes.

All results are told to all nodes alike: `sum` counts a win of the first person as WIN and one of the second
as -WIN. So it does not matter who sits at which colour, or whether people take turns. A random game that
is cut short is worth a part of a win to the person who has more pieces by then.

Where a move puts a piece on one empty site, and pieces stay where they are put, what playouts say of that
site at any later time guides the search as well. A table counts for each person and site how often the
person stood there in the end, and with what result. Nodes that were visited often have a table of
their own; the others use the nearest one above (Cazenave 2015, "Generalized Rapid Action Value Estimation").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from gdl import core as c
from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.context import (
    FOREST,
    LOW_BITS,
    MODE,
    MOVES,
    MOVES_WORDS,
    NODE,
    NODE_WORDS,
    SWAP_PATH,
    TAG,
    WIN,
)
from interpreter.native.foresight import Foresight
from interpreter.native.shape import walk
from interpreter.native.values import Body

if TYPE_CHECKING:
    from interpreter.native.program import Program

DOUBLE = ir.DoubleType()

#: Nodes that a block below a node has room for at first.
BLOCK = 4

#: What stands in place of the table of a node that has been studied and needs none.
NO_TABLE = 1

#: Two moves ahead no more moves are looked at than so many times the square of those of the node.
MOST_LOOKS = 16

#: What stands for a result where there is none yet.
NOTHING_YET = WIN + 1

#: The upper bits of a word of a table count how often, the lower ones add up results.
SEEN = 35


class TreeSearch:
    """Writes the search of one game, on top of its rules and playouts."""

    def __init__(self, program: Program, playout: ir.Function) -> None:
        self.program = program
        self.turns = program.turns
        self.layout = program.layout
        self.playout = playout
        self.places = self._stay_where_put()
        self.table_words = 2 * self.layout.sites
        self.foresight = Foresight(program)
        self.judge = self._judge()
        self.expand = self._expand()
        self.study = self._study()
        self.foresee = self._foresee()
        self.select = self._select()
        self.tell = self._tell()
        self._grow()
        self._transplant()

    def _stay_where_put(self) -> bool:
        """Whether pieces are put on the board and stay there as they are, until they are taken perhaps.

        Where they move or change, who stands on a site in the end says little of a move to it.
        """
        stmts = list(walk(self.program.program.turns))
        changes = any(isinstance(stmt, c.Move | c.Flip | c.Become) for stmt in stmts)
        return not changes and any(isinstance(stmt, c.Place) for stmt in stmts)

    # --- the memory of the tree ----------------------------------------------

    def _of(self, code: Code, tree: Value, name: str) -> Value:
        return code.word(tree, FOREST[name])

    def _number(self, code: Code, tree: Value, name: str) -> Value:
        """A word of the head that holds a fraction."""
        return code.b.bitcast(self._of(code, tree, name), DOUBLE)

    def _to(self, code: Code, tree: Value, name: str, value: Value) -> None:
        code.put(tree, FOREST[name], value)

    def _memory(self, code: Code, tree: Value) -> Value:
        return code.b.inttoptr(self._of(code, tree, "memory"), POINTER)

    def _node(self, code: Code, tree: Value, number: Value) -> Value:
        """The address of a node."""
        return code.at(self._memory(code, tree), code.b.mul(number, I64(NODE_WORDS)))

    def _get(self, code: Code, node: Value, name: str) -> Value:
        return code.word(node, NODE[name])

    def _put(self, code: Code, node: Value, name: str, value: Value) -> None:
        code.put(node, NODE[name], value)

    def _moves(self, code: Code, tree: Value, node: Value) -> Value:
        """The address of the moves of an opened node."""
        return code.at(self._memory(code, tree), self._get(code, node, "moves"))

    def _move(self, code: Code, moves: Value, i: Value) -> Value:
        """The address of a move."""
        place = code.b.mul(i, code.word(moves, MOVES["stride"]))
        return code.at(moves, code.b.add(place, I64(MOVES_WORDS)))

    def _free(self, code: Code, tree: Value) -> Value:
        """How many words are free between the nodes and the moves."""
        used = code.b.mul(self._of(code, tree, "used"), I64(NODE_WORDS))
        return code.b.sub(self._of(code, tree, "low"), used)

    def _taken(self, code: Code, tree: Value, words: Value) -> Value:
        """The place of so many words at the end of the memory, which has room for them."""
        low = code.b.sub(self._of(code, tree, "low"), words)
        self._to(code, tree, "low", low)
        return low

    def _room(self, code: Code, tried: Value, count: Value) -> Value:
        """How many nodes the block of a node has room for that has so many below it, of so many moves."""
        zeros = code.b.ctlz(code.b.sub(tried, I64(1)), I1(0))
        power = code.b.shl(I64(1), code.b.sub(I64(64), zeros))
        power = code.b.select(code.less(I64(BLOCK), tried), power, I64(BLOCK))
        power = code.b.select(code.less(power, count), power, count)
        return code.b.select(code.equal(tried, I64(0)), I64(0), power)

    def _copy(self, code: Code, source: Value, target: Value, words: Value) -> None:
        self.program.copy(code, source, target, words)

    # --- growing -------------------------------------------------------------

    def _grow(self) -> None:
        """So many playouts from the root, whose position is given; how many were made."""
        body = self.turns.body("grow", I64, [POINTER, I64], public=True)
        code, layout = body.code, self.layout
        tree, count = code.function.args[2:]
        own = code.alloca(I64, layout.words + 1)
        root = self._of(code, tree, "root")
        stack = code.b.inttoptr(self._of(code, tree, "stack"), POINTER)
        body.put("seed", self._of(code, tree, "seed"))
        self._to(code, tree, "full", I64(0))

        def more(i: Value) -> Value:
            unproven = code.equal(self._get(code, self._node(code, tree, root), "proven"), I64(0))
            affordable = code.b.not_(self.turns.low.overworked(body))
            roomy = code.equal(self._of(code, tree, "full"), I64(0))
            return code.b.and_(code.b.and_(code.less(i, count), roomy), code.b.and_(unproven, affordable))

        def once(i: Value) -> Sequence[Value]:
            self._copy(code, body.position, own, I64(layout.words))
            self.turns.low.renew(body)
            code.put(stack, 0, root)
            before = self._of(code, tree, "played")
            depth, _, result = code.loop(
                [I64(0), I64(0), I64(NOTHING_YET)],
                lambda depth, table, result: code.equal(result, I64(NOTHING_YET)),
                lambda depth, table, result: self._step_down(body, tree, stack, own, depth, table),
            )
            played = code.differ(self._of(code, tree, "played"), before)
            code.call(self.tell, body.context, own, tree, depth, result, played)
            return [code.b.add(i, I64(1))]

        (done,) = code.loop([I64(0)], more, once)
        self._to(code, tree, "seed", body.word("seed"))
        code.b.ret(done)
        self.turns.close(body, I64(0))

    def _step_down(
        self, body: Body, tree: Value, stack: Value, own: Value, depth: Value, table: Value
    ) -> list[Value]:
        """From a node to one below it, or to a result: (depth, table, result), NOTHING_YET at first.

        `table` is the nearest one above, 0 where there is none.
        """
        code = body.code
        node = self._node(code, tree, code.word(stack, depth))
        below_root = code.less(I64(0), depth)

        def proven() -> Value:
            return self._worth(code, self._get(code, node, "proven"))

        def at_an_end(verdict: Value) -> Value:
            outcome = self.foresight.outcome(code, own, verdict)
            self._put(code, node, "proven", outcome)
            return self._worth(code, outcome)

        def play_on() -> Value:
            self._to(code, tree, "played", code.b.add(self._of(code, tree, "played"), I64(1)))
            before = code.word(own, self.layout.register["ply"])
            verdict = code.call(self.playout, body.context, own, self._of(code, tree, "plies"))
            moved = code.b.sub(code.word(own, self.layout.register["ply"]), before)
            self._to(code, tree, "moved", code.b.add(self._of(code, tree, "moved"), moved))
            return code.choice(
                code.less(I64(0), verdict),
                lambda: [self._worth(code, self.foresight.outcome(code, own, verdict))],
                lambda: [code.call(self.judge, body.context, own)],
            )[0]

        def unknown() -> list[Value]:
            fresh = code.equal(self._get(code, node, "visits"), I64(0))
            return code.choice(code.b.and_(fresh, below_root), leaf, inner)

        def leaf() -> list[Value]:
            verdict = self.program.ended(body, own)
            over = code.differ(verdict, I64(0))
            result = code.choice(over, lambda: [at_an_end(verdict)], lambda: [play_on()])[0]
            return [depth, table, result]

        def inner() -> list[Value]:
            opened = code.differ(self._get(code, node, "moves"), I64(0))
            return code.choice(opened, go_down, closed)

        def closed() -> list[Value]:
            above = self._node(
                code, tree, code.word(stack, code.b.select(below_root, code.b.sub(depth, I64(1)), depth))
            )
            # A node is worth its list of moves only when it has proved worth some visits; more where the
            # list is likely to be long. (The root has no node above it, and is opened at once.)
            siblings = code.word(self._moves(code, tree, above), MOVES["count"])
            few = code.less(self._get(code, node, "visits"), self._of(code, tree, "opened"))
            young = code.b.or_(few, code.b.not_(self._outweighs(code, tree, node, siblings, "listed")))
            young = code.b.and_(young, below_root)
            return code.choice(young, lambda: [depth, table, play_on()], opened)

        def opened() -> list[Value]:
            # 1: it has moves; 0: it has none; -1: there is no room to list them.
            state = code.call(self.expand, body.context, own, tree, code.word(stack, depth))
            return code.choice(
                code.less(I64(0), state),
                go_down,
                lambda: [
                    depth,
                    table,
                    code.choice(
                        code.equal(state, I64(0)),
                        lambda: [at_an_end(self.program.stranded(body, own))],
                        lambda: [play_on()],
                    )[0],
                ],
            )

        def go_down() -> list[Value]:
            moves = self._moves(code, tree, node)
            mine = code.word(moves, MOVES["table"])
            count = code.word(moves, MOVES["count"])
            often = self._outweighs(code, tree, node, count, "studied")
            due = code.b.and_(code.equal(mine, I64(0)), code.b.or_(often, code.b.not_(below_root)))
            code.choice(
                due,
                lambda: [code.call(self.study, body.context, own, tree, code.word(stack, depth))],
                lambda: [I64(0)],
            )
            # Two moves ahead there are about as many as the square of these.
            late = self._outweighs(code, tree, node, code.b.mul(count, count), "studied")
            late = code.b.and_(late, code.equal(code.word(moves, MOVES["foreseen"]), I64(0)))
            late = code.b.and_(late, code.equal(self._get(code, node, "proven"), I64(0)))
            code.choice(
                late,
                lambda: [code.call(self.foresee, body.context, own, tree, code.word(stack, depth))],
                lambda: [I64(0)],
            )
            now_proven = code.differ(self._get(code, node, "proven"), I64(0))
            mine = code.word(moves, MOVES["table"])
            nearest = code.b.select(code.less(I64(NO_TABLE), mine), mine, table)
            return code.choice(now_proven, lambda: [depth, nearest, proven()], lambda: chosen(nearest))

        def chosen(nearest: Value) -> list[Value]:
            number = code.word(stack, depth)
            i = code.call(self.select, body.context, own, tree, number, nearest)
            return code.choice(
                code.less(i, I64(0)), lambda: [depth, nearest, play_on()], lambda: follow(i, nearest)
            )

        def follow(i: Value, nearest: Value) -> list[Value]:
            self._follow(body, own, self._move(code, self._moves(code, tree, node), i))
            below = code.b.add(depth, I64(1))
            code.put(stack, below, code.b.add(self._get(code, node, "first"), i))
            deep = code.less(self._of(code, tree, "depth"), code.b.add(below, I64(2)))
            return [below, nearest, code.choice(deep, lambda: [play_on()], lambda: [I64(NOTHING_YET)])[0]]

        known = code.differ(self._get(code, node, "proven"), I64(0))
        return code.choice(known, lambda: [depth, table, proven()], unknown)

    def _outweighs(self, code: Code, tree: Value, node: Value, count: Value, factor: str) -> Value:
        """Whether the random games through a node had so many times as many moves as there are to look at."""
        games, moved = self._of(code, tree, "played"), self._of(code, tree, "moved")
        most = code.b.mul(self._get(code, node, "visits"), moved)
        looked_at = code.b.mul(code.b.mul(count, self._of(code, tree, factor)), games)
        return code.b.not_(code.less(most, looked_at))

    def _follow(self, body: Body, own: Value, move: Value) -> None:
        """Play a move."""
        code = body.code

        def swap() -> list[Value]:
            self.program.swap(body, own)
            return [I64(0)]

        def play() -> list[Value]:
            self.foresight.play(body, own, move)
            return [I64(0)]

        code.choice(code.equal(code.word(move, 0), I64(SWAP_PATH)), swap, play)

    def _worth(self, code: Code, outcome: Value) -> Value:
        """What an outcome is worth, a win of the first person more than nothing."""
        won = code.b.select(code.equal(outcome, I64(1)), I64(WIN), I64(-WIN))
        return code.b.select(code.equal(outcome, I64(3)), I64(0), won)

    def _judge(self) -> ir.Function:
        """What a game without an end is worth: half a win to who has more pieces, and more by their share."""
        body = self.turns.body("judge", I64)
        code = body.code
        env = self.turns.low.load(body)
        swapped = code.word(body.position, self.layout.register["swapped"])
        one, two = (
            code.size(self.turns.low.pieces(code, env, code.b.xor(I64(person), swapped))) for person in (0, 1)
        )
        lead = code.b.sub(one, two)
        share = code.divide(code.b.mul(lead, I64(WIN // 2)), code.b.add(one, two))[0]
        half = code.b.select(code.less(lead, I64(0)), I64(-WIN // 2), I64(WIN // 2))
        code.b.ret(code.b.select(code.equal(lead, I64(0)), I64(0), code.b.add(half, share)))
        self.turns.close(body, I64(0))
        return code.function

    # --- the parts -----------------------------------------------------------

    def _expand(self) -> ir.Function:
        """List the moves of a node: 1, or 0 where it has none, or -1 where there is no room."""
        body = self.turns.body("expand", I64, [POINTER, I64])
        code = body.code
        tree, number = code.function.args[2:]
        node = self._node(code, tree, number)
        free = self._free(code, tree)
        # They are found one after the other in the free memory, and then put in rows at its end.
        found_at = code.at(
            self._memory(code, tree), code.b.mul(self._of(code, tree, "used"), I64(NODE_WORDS))
        )
        kept = {name: body.word(name) for name in ("out", "capacity")}
        body.put("out", code.b.ptrtoint(found_at, I64))
        body.put("capacity", free)
        body.put("mode", I64(MODE["list"]))
        body.put("count", I64(0))
        code.call(self.program.search, body.context, body.position)
        found, left = body.word("count"), body.word("capacity")
        for name, value in kept.items():
            body.put(name, value)
        total = code.b.add(found, code.wide(self.program.may_swap(body, body.position)))

        def write() -> list[Value]:
            def longer(i: Value, at: Value, longest: Value) -> Sequence[Value]:
                length = code.word(at, 0)
                longest = code.b.select(code.less(longest, length), length, longest)
                return [code.b.add(i, I64(1)), code.at(at, code.b.add(length, I64(1))), longest]

            _, _, longest = code.loop([I64(0), found_at, I64(0)], lambda i, *_: code.less(i, found), longer)
            stride = code.b.add(longest, I64(1))
            words = code.b.add(code.b.mul(total, stride), I64(MOVES_WORDS))
            return code.choice(code.less(left, words), no_room, lambda: laid_out(stride, words))

        def no_room() -> list[Value]:
            return [self._no_room(code, tree)]

        def laid_out(stride: Value, words: Value) -> list[Value]:
            place = self._taken(code, tree, words)
            moves = code.at(self._memory(code, tree), place)
            code.put(moves, MOVES["count"], total)
            code.put(moves, MOVES["stride"], stride)
            code.put(moves, MOVES["mover"], self.foresight.person(code, body.position))
            code.put(moves, MOVES["table"], I64(0))
            code.put(moves, MOVES["foreseen"], I64(0))
            free_sites = self._free_sites(body)

            def copy(i: Value, at: Value, sited: Value) -> Sequence[Value]:
                move = self._move(code, moves, i)
                length = code.word(at, 0)
                site = self._site(code, at, length, free_sites) if self.places else I64(0)
                self._copy(code, code.at(at, 1), code.at(move, 1), length)
                code.put(move, 0, code.b.or_(length, code.b.shl(site, I64(32))))
                after = code.at(at, code.b.add(length, I64(1)))
                return [code.b.add(i, I64(1)), after, code.b.or_(sited, site)]

            _, _, sited = code.loop([I64(0), found_at, I64(0)], lambda i, *_: code.less(i, found), copy)
            code.put(moves, MOVES["sited"], sited)

            def swap() -> list[Value]:
                code.put(self._move(code, moves, found), 0, I64(SWAP_PATH))
                return [I64(0)]

            code.choice(code.less(found, total), swap, lambda: [I64(0)])
            self._put(code, node, "moves", place)
            return [I64(1)]

        def some() -> list[Value]:
            return code.choice(code.less(left, I64(0)), no_room, write)

        code.b.ret(code.choice(code.equal(total, I64(0)), lambda: [I64(0)], some)[0])
        self.turns.close(body, I64(0))
        return code.function

    def _no_room(self, code: Code, tree: Value) -> Value:
        """-1; the tree is full, where that can be mended."""
        closed = self._of(code, tree, "closed")
        self._to(code, tree, "full", code.b.xor(closed, I64(1)))
        return I64(-1)

    def _free_sites(self, body: Body) -> Value:
        """The sites without a piece."""
        env = self.turns.low.load(body)
        return body.code.b.not_(self.turns.low.occupied(body.code, env))

    def _site(self, code: Code, at: Value, length: Value, free_sites: Value) -> Value:
        """1 and the number of the empty site that a move chooses, if that is all it chooses; else 0."""

        def look(i: Value, sites: Value, last: Value, goes_on: Value) -> Sequence[Value]:
            word = code.word(at, i)
            tag = code.b.and_(word, I64(~LOW_BITS))
            is_site = code.equal(tag, I64(TAG["site"]))
            quiet = code.b.or_(code.equal(tag, I64(TAG["branch"])), code.equal(tag, I64(TAG["prefer"])))
            text = code.equal(tag, I64(TAG["notation"]))
            # Any other choice means that the site alone does not make the move.
            step = code.b.select(quiet, I64(0), code.b.select(is_site, I64(1), I64(2)))
            sites = code.b.select(text, sites, code.b.add(sites, step))
            last = code.b.select(is_site, word, last)
            return [code.b.add(i, I64(1)), sites, last, code.b.not_(text)]

        def of_many() -> list[Value]:
            _, sites, last, _ = code.loop(
                [I64(1), I64(0), I64(0), code.truth(True)],
                lambda i, sites, last, goes_on: code.b.and_(code.b.not_(code.less(length, i)), goes_on),
                look,
            )
            return [code.equal(sites, I64(1)), last]

        def of_one() -> list[Value]:
            word = code.word(at, 1)
            return [code.equal(code.b.and_(word, I64(~LOW_BITS)), I64(TAG["site"])), word]

        alone, site = code.choice(code.equal(length, I64(1)), of_one, of_many)
        fits = code.b.and_(alone, code.some(code.b.and_(code.site(site), free_sites)))
        return code.b.select(fits, code.b.add(site, I64(1)), I64(0))

    def _study(self) -> ir.Function:
        """Look at a node that is visited often: whether a move wins at once. And give it a table."""
        body = self.turns.body("study", I64, [POINTER, I64])
        code = body.code
        tree, number = code.function.args[2:]
        node = self._node(code, tree, number)
        moves = self._moves(code, tree, node)
        own = code.alloca(I64, self.layout.words + 1)
        tried, count = self._get(code, node, "tried"), code.word(moves, MOVES["count"])
        mover = code.word(moves, MOVES["mover"])
        code.put(moves, MOVES["table"], I64(NO_TABLE))

        def look(i: Value, won: Value) -> Sequence[Value]:
            self._copy(code, body.position, own, I64(self.layout.words))
            self.turns.low.renew(body)
            self._follow(body, own, self._move(code, moves, i))
            verdict = self.program.ended(body, own)
            mine = code.equal(self.foresight.outcome(code, own, verdict), code.b.add(mover, I64(1)))
            won = code.b.and_(code.differ(verdict, I64(0)), mine)
            return [code.b.select(won, i, code.b.add(i, I64(1))), won]

        i, won = code.loop(
            [tried, code.truth(False)],
            lambda i, won: code.b.and_(code.less(i, count), code.b.not_(won)),
            look,
        )

        self._note_win(code, tree, number, won, i, 1)
        if self.places:
            sited = code.differ(code.word(moves, MOVES["sited"]), I64(0))
            fits = code.less(I64(self.table_words), self._free(code, tree))

            def table() -> list[Value]:
                place = self._taken(code, tree, I64(self.table_words))
                at = code.at(self._memory(code, tree), place)
                code.loop(
                    [I64(0)],
                    lambda i: code.less(i, I64(self.table_words)),
                    lambda i: [self._cleared(code, at, i)],
                )
                code.put(moves, MOVES["table"], place)
                return [I64(0)]

            code.choice(code.b.and_(sited, fits), table, lambda: [I64(0)])
        code.b.ret(I64(0))
        self.turns.close(body, I64(0))
        return code.function

    def _note_win(self, code: Code, tree: Value, number: Value, won: Value, i: Value, plies: int) -> None:
        """Where a node is won by its move of this number, in so many plies, note that."""
        node = self._node(code, tree, number)
        moves = self._moves(code, tree, node)
        untried = code.b.not_(code.less(i, self._get(code, node, "tried")))

        def note() -> list[Value]:
            child = code.choice(untried, lambda: [code.call(self.attach, tree, number, i)], lambda: [i])[0]

            def prove() -> list[Value]:
                outcome = code.b.add(code.word(moves, MOVES["mover"]), I64(1))
                below = self._node(code, tree, code.b.add(self._get(code, node, "first"), child))
                for at, distance in ((below, plies - 1), (node, plies)):
                    self._put(code, at, "proven", outcome)
                    self._put(code, at, "plies", I64(distance))
                return [I64(0)]

            return code.choice(code.less(child, I64(0)), lambda: [I64(0)], prove)

        code.choice(won, note, lambda: [I64(0)])

    def _foresee(self) -> ir.Function:
        """Look whether a move of a node wins whatever the reply, at once after it."""
        body = self.turns.body("foresee", I64, [POINTER, I64])
        code = body.code
        tree, number = code.function.args[2:]
        node = self._node(code, tree, number)
        moves = self._moves(code, tree, node)
        own, steps = code.alloca(I64, self.layout.words + 1), code.alloca(I64)
        count, mover = (code.word(moves, MOVES[name]) for name in ("count", "mover"))
        tried, first = self._get(code, node, "tried"), self._get(code, node, "first")
        wanted = code.b.add(mover, I64(1))
        code.put(moves, MOVES["foreseen"], I64(1))
        code.b.store(code.b.mul(I64(MOST_LOOKS), code.b.mul(count, count)), steps)
        kept = {word: body.word(word) for word in ("out", "capacity")}
        body.put("out", code.b.ptrtoint(self._node(code, tree, self._of(code, tree, "used")), I64))
        body.put("capacity", self._free(code, tree))

        def look(i: Value, won: Value) -> Sequence[Value]:
            child = self._node(code, tree, code.b.add(first, code.b.select(code.less(i, tried), i, I64(0))))
            known = code.b.and_(code.less(i, tried), code.differ(self._get(code, child, "proven"), I64(0)))
            won = code.choice(known, lambda: [code.truth(False)], lambda: [unknown(i)])[0]
            return [code.b.select(won, i, code.b.add(i, I64(1))), won]

        def unknown(i: Value) -> Value:
            self._copy(code, body.position, own, I64(self.layout.words))
            self.turns.low.renew(body)
            self._follow(body, own, self._move(code, moves, i))
            replies = code.differ(self.foresight.person(code, own), mover)
            goes_on = code.equal(self.program.ended(body, own), I64(0))
            return code.choice(
                code.b.and_(replies, goes_on),
                lambda: [code.call(self.foresight.loses, body.context, own, wanted, steps)],
                lambda: [code.truth(False)],
            )[0]

        i, won = code.loop(
            [I64(0), code.truth(False)],
            lambda i, won: code.b.and_(code.less(i, count), code.b.not_(won)),
            look,
        )
        for word, value in kept.items():
            body.put(word, value)
        self._note_win(code, tree, number, won, i, 3)
        code.b.ret(I64(0))
        self.turns.close(body, I64(0))
        return code.function

    def _cleared(self, code: Code, at: Value, i: Value) -> Value:
        code.put(at, i, I64(0))
        return code.b.add(i, I64(1))

    @property
    def attach(self) -> ir.Function:
        """Make a node below another for a move that was not tried yet; its place there, -1: no room."""
        return self.program.unit.shared("attach", I64, [POINTER, I64, I64], self._attach)

    def _attach(self, code: Code, tree: Value, number: Value, i: Value) -> Value:
        node = self._node(code, tree, number)
        moves = self._moves(code, tree, node)
        count, stride = code.word(moves, MOVES["count"]), code.word(moves, MOVES["stride"])
        tried = self._get(code, node, "tried")
        room = self._room(code, tried, count)
        used = self._of(code, tree, "used")

        def larger() -> list[Value]:
            wanted = self._room(code, code.b.add(tried, I64(1)), count)
            words = code.b.mul(wanted, I64(NODE_WORDS))

            def moved() -> list[Value]:
                old = self._node(code, tree, self._get(code, node, "first"))
                new = self._node(code, tree, used)
                self._copy(code, old, new, code.b.mul(tried, I64(NODE_WORDS)))
                self._put(code, node, "first", used)
                self._to(code, tree, "used", code.b.add(used, wanted))
                return [tried]

            fits = code.less(words, self._free(code, tree))
            return code.choice(fits, moved, lambda: [self._no_room(code, tree)])

        place = code.choice(code.equal(tried, room), larger, lambda: [tried])[0]

        def made() -> list[Value]:
            one, two = self._move(code, moves, i), self._move(code, moves, tried)

            def exchange(k: Value) -> Sequence[Value]:
                words = code.word(one, k), code.word(two, k)
                code.put(one, k, words[1])
                code.put(two, k, words[0])
                return [code.b.add(k, I64(1))]

            code.loop([I64(0)], lambda k: code.less(k, stride), exchange)
            child = self._node(code, tree, code.b.add(self._get(code, node, "first"), tried))
            for name in NODE:
                self._put(code, child, name, I64(0))
            head = code.word(two, 0)
            swap = code.equal(head, I64(SWAP_PATH))
            self._put(code, child, "site", code.b.select(swap, I64(0), code.b.lshr(head, I64(32))))
            self._put(code, node, "tried", code.b.add(tried, I64(1)))
            return [tried]

        return code.choice(code.less(place, I64(0)), lambda: [place], made)[0]

    def _select(self) -> ir.Function:
        """Which of the nodes below a node is visited next, perhaps a new one; -1: none, for want of room."""
        body = self.turns.body("select", I64, [POINTER, I64, I64])
        code = body.code
        tree, number, table_at = code.function.args[2:]
        node = self._node(code, tree, number)
        moves = self._moves(code, tree, node)
        count, mover = (code.word(moves, MOVES[name]) for name in ("count", "mover"))
        first, tried = self._get(code, node, "first"), self._get(code, node, "tried")
        visits = self._get(code, node, "visits")
        even = code.equal(code.b.and_(visits, I64(1)), I64(0))
        often = code.b.sitofp(code.b.select(code.less(visits, I64(1)), I64(1), visits), DOUBLE)
        sign = code.b.select(code.equal(mover, I64(0)), DOUBLE(1 / WIN), DOUBLE(-1 / WIN))
        mean = code.b.fdiv(self._signed(code, node, sign), often)
        root, log = self._intrinsic("llvm.sqrt.f64"), self._intrinsic("llvm.log.f64")
        explore = code.b.fmul(self._number(code, tree, "exploration"), code.call(root, code.call(log, often)))
        guided = code.differ(table_at, I64(0))
        table = code.at(
            self._memory(code, tree), code.b.add(table_at, code.b.mul(mover, I64(self.layout.sites)))
        )
        bias = self._number(code, tree, "bias")

        def estimate(site: Value, value: Value, own: Value) -> Value:
            """What is known of a move from its own playouts, and from all that have a piece at its site."""

            def blended() -> list[Value]:
                seen, rate = self._seen(code, table, site)
                # The weight of the table falls as the move's own playouts become many (Silver 2009).
                divisor = code.b.fadd(code.b.fadd(seen, own), code.b.fmul(code.b.fmul(bias, seen), own))
                some = code.b.fcmp_ordered(">", seen, DOUBLE(0.0))
                weight = code.b.select(some, code.b.fdiv(seen, divisor), DOUBLE(0.0))
                return [code.b.fadd(value, code.b.fmul(weight, code.b.fsub(rate, value)))]

            applies = code.b.and_(guided, code.differ(site, I64(0)))
            return code.choice(applies, blended, lambda: [value])[0]

        def look(i: Value, best: Value, value: Value) -> Sequence[Value]:
            child = self._node(code, tree, code.b.add(first, i))
            times = self._get(code, child, "visits")
            own = code.b.sitofp(code.b.select(code.less(times, I64(1)), I64(1), times), DOUBLE)
            share = code.b.fdiv(DOUBLE(1.0), own)
            score = code.b.fmul(self._signed(code, child, sign), share)
            if self.places:
                score = estimate(self._get(code, child, "site"), score, own)
            score = code.b.fadd(score, code.b.fmul(explore, code.call(root, share)))
            proven = self._get(code, child, "proven")
            # What is known needs no exploring: a loss is worth less than anything, a draw nothing. Every
            # other time a draw is passed by, for what is not known yet might be proven too.
            drawn = code.b.and_(code.equal(proven, I64(3)), even)
            worth = code.b.select(drawn, DOUBLE(0.0), DOUBLE(-2.0))
            score = code.b.select(code.differ(proven, I64(0)), worth, score)
            better = code.b.fcmp_ordered(">", score, value)
            return [
                code.b.add(i, I64(1)),
                code.b.select(better, i, best),
                code.b.select(better, score, value),
            ]

        _, best, value = code.loop([I64(0), I64(-1), DOUBLE(-3.0)], lambda i, *_: code.less(i, tried), look)

        # Progressive widening (Coulom 2007): more moves are tried as the node is visited more often; fewer,
        # where a table says which ones come first.
        follows_table = code.b.and_(guided, code.differ(code.word(moves, MOVES["sited"]), I64(0)))
        narrow, broad = (
            code.b.fadd(
                self._number(code, tree, f"{which}wide"),
                code.b.fmul(self._number(code, tree, f"{which}wider"), code.call(root, often)),
            )
            for which in ("guided_", "")
        )
        width = code.b.fptosi(code.b.select(follows_table, narrow, broad), I64)
        urgent = code.b.fcmp_ordered("<", value, code.b.fadd(mean, self._number(code, tree, "urgency")))
        lost = code.b.fcmp_ordered("<", value, DOUBLE(-1.5))
        due = code.b.or_(code.b.and_(code.less(tried, width), urgent), lost)
        due = code.b.and_(due, code.less(tried, count))

        def one_more() -> list[Value]:
            left = code.b.sub(count, tried)
            some = code.b.add(tried, self.turns.below(code, body.context, left))
            pick = some
            if self.places:
                pick = code.choice(follows_table, lambda: [by_table(some)], lambda: [some])[0]
            made = code.call(self.attach, tree, number, pick)
            return [code.b.select(code.less(made, I64(0)), best, made)]

        def by_table(some: Value) -> Value:
            """The move that has done best in the table; a random one where all are alike."""

            def compare(i: Value, best: Value, value: Value) -> Sequence[Value]:
                score = promise(i)
                better = code.b.fcmp_ordered(">", score, value)
                best = code.b.select(better, i, best)
                return [code.b.add(i, I64(1)), best, code.b.select(better, score, value)]

            def promise(i: Value) -> Value:
                head = code.word(self._move(code, moves, i), 0)
                site = code.b.select(code.equal(head, I64(SWAP_PATH)), I64(0), code.b.lshr(head, I64(32)))

                def known() -> list[Value]:
                    seen, rate = self._seen(code, table, site)
                    # As if it had been seen a few times more, with the usual result.
                    few = DOUBLE(4.0)
                    total = code.b.fadd(code.b.fmul(seen, rate), code.b.fmul(few, mean))
                    return [code.b.fdiv(total, code.b.fadd(seen, few))]

                return code.choice(code.differ(site, I64(0)), known, lambda: [mean])[0]

            return code.loop([tried, some, promise(some)], lambda i, *_: code.less(i, count), compare)[1]

        code.b.ret(code.choice(due, one_more, lambda: [best])[0])
        self.turns.close(body, I64(-1))
        return code.function

    def _seen(self, code: Code, table: Value, site: Value) -> tuple[Value, Value]:
        """How often a person stood on a site (1 and its number) in the end, and with what mean result."""
        cell = code.word(table, code.b.sub(site, I64(1)))
        seen = code.b.sitofp(code.b.lshr(cell, I64(SEEN)), DOUBLE)
        won = code.b.sitofp(code.b.and_(cell, I64((1 << SEEN) - 1)), DOUBLE)
        at_least = code.b.select(code.b.fcmp_ordered("<", seen, DOUBLE(1.0)), DOUBLE(1.0), seen)
        mean = code.b.fdiv(won, at_least)
        return seen, code.b.fsub(code.b.fmul(mean, DOUBLE(1 / WIN)), DOUBLE(1.0))

    def _signed(self, code: Code, node: Value, sign: Value) -> Value:
        """The sum of the results of a node, for the person for whom a win is worth so much."""
        return code.b.fmul(sign, code.b.sitofp(self._get(code, node, "sum"), DOUBLE))

    def _intrinsic(self, name: str) -> ir.Function:
        found = self.program.unit.module.globals.get(name)
        if found is None:
            found = ir.Function(self.program.unit.module, ir.FunctionType(DOUBLE, [DOUBLE]), name)
        return found

    # --- results -------------------------------------------------------------

    def _tell(self) -> ir.Function:
        """Tell all nodes on the way of a playout its result, and prove what it proves.

        The position is that at the end, if it was `played` to the end.
        """
        body = self.turns.body("tell", I1, [POINTER, I64, I64, I1])
        code = body.code
        tree, depth, result, played = code.function.args[2:]
        stack = code.b.inttoptr(self._of(code, tree, "stack"), POINTER)
        note = self._noter(body, tree, result) if self.places else None

        def each(i: Value, proving: Value) -> Sequence[Value]:
            node = self._node(code, tree, code.word(stack, i))
            self._put(code, node, "visits", code.b.add(self._get(code, node, "visits"), I64(1)))
            self._put(code, node, "sum", code.b.add(self._get(code, node, "sum"), result))
            if note is not None:
                noted = code.b.and_(played, code.differ(self._get(code, node, "moves"), I64(0)))
                code.choice(noted, lambda: note(node), lambda: [I64(0)])

            def prove() -> list[Value]:
                child = self._node(code, tree, code.word(stack, code.b.add(i, I64(1))))
                return [self._proven_by(code, tree, node, child)]

            has_child = code.b.and_(proving, code.less(i, depth))
            proven_now = code.choice(has_child, prove, lambda: [code.truth(False)])[0]
            leaf = code.b.and_(code.equal(i, depth), code.differ(self._get(code, node, "proven"), I64(0)))
            return [code.b.sub(i, I64(1)), code.b.or_(leaf, proven_now)]

        code.loop([depth, code.truth(False)], lambda i, _: code.b.not_(code.less(i, I64(0))), each)
        code.b.ret(I1(1))
        self.turns.close(body, I1(0))
        return code.function

    def _noter(self, body: Body, tree: Value, result: Value) -> Callable[[Value], list[Value]]:
        """Writes how a playout came out into the table of a node, if it has one."""
        code, layout = body.code, self.layout
        env = self.turns.low.load(body)
        swapped = code.word(body.position, layout.register["swapped"])
        stood = [code.alloca(I64, layout.set_words) for _ in (0, 1)]
        for person, memory in enumerate(stood):
            code.put_set(memory, 0, self.turns.low.pieces(code, env, code.b.xor(I64(person), swapped)))
        # Each adds one to how often, and from 0 for a loss to twice WIN for a win to what came of it.
        worth = [code.b.add(mine, I64((1 << SEEN) + WIN)) for mine in (result, code.b.sub(I64(0), result))]

        def write(table: Value) -> list[Value]:
            at = code.at(self._memory(code, tree), table)
            for person in (0, 1):
                for k in range(layout.set_words):
                    start = code.at(at, person * layout.sites + 64 * k)

                    def one(left: Value, start: Value = start, person: int = person) -> Sequence[Value]:
                        cell = code.at(start, code.b.cttz(left, I1(1)))
                        code.b.store(code.b.add(code.b.load(cell), worth[person]), cell)
                        return [code.b.and_(left, code.b.sub(left, I64(1)))]

                    code.loop([code.word(stood[person], k)], lambda left: code.differ(left, I64(0)), one)
            return [I64(0)]

        def note(node: Value) -> list[Value]:
            table = code.word(self._moves(code, tree, node), MOVES["table"])
            return code.choice(code.less(I64(NO_TABLE), table), lambda: write(table), lambda: [I64(0)])

        return note

    def _proven_by(self, code: Code, tree: Value, node: Value, child: Value) -> Value:
        """Whether a node is proven now that one below it is; what it is worth then, and in how many plies."""
        result = self._get(code, child, "proven")
        moves = self._moves(code, tree, node)
        mine = code.b.add(code.word(moves, MOVES["mover"]), I64(1))
        first, tried = self._get(code, node, "first"), self._get(code, node, "tried")

        def win() -> list[Value]:
            self._put(code, node, "proven", result)
            self._put(code, node, "plies", code.b.add(self._get(code, child, "plies"), I64(1)))
            return [code.truth(True)]

        def look() -> list[Value]:
            def each(i: Value, all_: Value, drawn: Value, longest: Value) -> Sequence[Value]:
                at = self._node(code, tree, code.b.add(first, i))
                proven, plies = self._get(code, at, "proven"), self._get(code, at, "plies")
                longest = code.b.select(code.less(longest, plies), plies, longest)
                draws = code.b.or_(drawn, code.equal(proven, I64(3)))
                known = code.differ(proven, I64(0))
                return [code.b.add(i, I64(1)), code.b.and_(all_, known), draws, longest]

            all_tried = code.equal(tried, code.word(moves, MOVES["count"]))
            _, all_, drawn, longest = code.loop(
                [I64(0), all_tried, code.truth(False), I64(0)],
                lambda i, all_, *_: code.b.and_(all_, code.less(i, tried)),
                each,
            )

            def settle() -> list[Value]:
                # No move wins here, so the best is a draw, else the other person's win.
                best = code.b.select(drawn, I64(3), code.b.sub(I64(3), mine))
                self._put(code, node, "proven", best)
                self._put(code, node, "plies", code.b.add(longest, I64(1)))
                return [I64(0)]

            code.choice(all_, settle, lambda: [I64(0)])
            return [all_]

        return code.choice(code.equal(result, mine), win, look)[0]

    # --- to new memory -------------------------------------------------------

    def _transplant(self) -> None:
        """Copy what is below the root of a tree to an empty one, without the moves of nodes visited less."""
        code = self.program.unit.function("transplant", I64, [POINTER, POINTER, I64], public=True)
        old, new, least = code.function.args
        self._copy(
            code,
            self._node(code, old, self._of(code, old, "root")),
            self._node(code, new, I64(1)),
            I64(NODE_WORDS),
        )
        self._to(code, new, "root", I64(1))
        self._to(code, new, "used", I64(2))

        def each(number: Value) -> Sequence[Value]:
            node = self._node(code, new, number)
            opened = code.differ(self._get(code, node, "moves"), I64(0))
            often = code.b.not_(code.less(self._get(code, node, "visits"), least))
            often = code.b.or_(often, code.equal(number, I64(1)))
            code.choice(
                opened, lambda: code.choice(often, lambda: keep(node), lambda: drop(node)), lambda: [I64(0)]
            )
            return [code.b.add(number, I64(1))]

        def keep(node: Value) -> list[Value]:
            moves = self._moves(code, old, node)
            count, stride = code.word(moves, MOVES["count"]), code.word(moves, MOVES["stride"])
            tried = self._get(code, node, "tried")
            first = self._of(code, new, "used")
            self._copy(
                code,
                self._node(code, old, self._get(code, node, "first")),
                self._node(code, new, first),
                code.b.mul(tried, I64(NODE_WORDS)),
            )
            room = self._room(code, tried, count)

            def clear(i: Value) -> Sequence[Value]:
                at = self._node(code, new, code.b.add(first, i))
                self._put(code, at, "moves", I64(0))
                return [code.b.add(i, I64(1))]

            code.loop([tried], lambda i: code.less(i, room), clear)
            self._to(code, new, "used", code.b.add(first, room))
            self._put(code, node, "first", first)
            table = code.word(moves, MOVES["table"])
            words = code.b.add(code.b.mul(count, stride), I64(MOVES_WORDS))
            self._put(code, node, "moves", carried(moves, words))

            def with_table() -> list[Value]:
                at = carried(code.at(self._memory(code, old), table), I64(self.table_words))
                code.put(self._moves(code, new, node), MOVES["table"], at)
                return [I64(0)]

            return code.choice(code.less(I64(NO_TABLE), table), with_table, lambda: [I64(0)])

        def carried(source: Value, words: Value) -> Value:
            place = self._taken(code, new, words)
            self._copy(code, source, code.at(self._memory(code, new), place), words)
            return place

        def drop(node: Value) -> list[Value]:
            for name in ("first", "tried", "moves"):
                self._put(code, node, name, I64(0))
            return [I64(0)]

        code.loop([I64(1)], lambda number: code.less(number, self._of(code, new, "used")), each)
        code.ret(I64(0))
