"""Positions as flat records of 64-bit words, the form that native code works with.

A record begins with its key, the words that `Position.hash64` is made of: for each plane
the words of its set, for each state variable its words, and who takes which turn next. Then come the
player to move, the registers (see `REGISTERS`) and the words of the sites that the last turn changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from gdl.core import Type
from interpreter.binding import Bound
from interpreter.engine import Key, Snapshot

REGISTERS = ("cursor", "ply", "passes", "last_mover", "swapped", "pie", "remembered")

#: The `last_mover` before the first move.
NOBODY = 2

_MASK = 0xFFFF_FFFF_FFFF_FFFF


class Layout:
    """Where everything is in the records of one game."""

    def __init__(self, bound: Bound) -> None:
        self._sequence = bound.sequence
        self.sites = bound.board.size
        self.set_words = -(-self.sites // 64)
        self.planes = [i * self.set_words for i in range(len(bound.planes))]
        offset = len(self.planes) * self.set_words
        self.states: dict[str, tuple[Type, int]] = {}
        for name, spec in bound.program.states.items():
            self.states[name] = (spec.type, offset)
            offset += {Type.SET: self.set_words, Type.COUNTERS: self.sites}.get(spec.type, 1)
        self.turn = offset
        self.key_words = offset + 1
        self.mover = self.key_words
        self.register = {name: self.mover + 1 + i for i, name in enumerate(REGISTERS)}
        self.last_move = self.mover + 1 + len(REGISTERS)
        self.words = self.last_move + self.set_words

    def factor(self, word: int) -> int:
        """The multiplier of a word in `board_hash`: odd, from the golden ratio."""
        return (0x9E3779B97F4A7C15 * (2 * word + 1) | 1) & _MASK

    def board_hash(self, key: Sequence[int]) -> int:
        """A hash of the board of a key, a first filter when looking for earlier positions."""
        total = 0
        for i in range(len(self.planes) * self.set_words):
            product = key[i] * self.factor(i) & _MASK
            total += product ^ product >> 29
        return total & _MASK

    def pack(self, snapshot: Snapshot) -> array[int]:
        """The record of a position."""
        place = self._sequence[snapshot.cursor]
        values = {
            "cursor": snapshot.cursor,
            "ply": snapshot.ply,
            "passes": snapshot.passes,
            "last_mover": NOBODY if snapshot.last_mover is None else snapshot.last_mover,
            "swapped": int(snapshot.swapped),
            "pie": int(snapshot.pie),
            "remembered": len(snapshot.history),
        }
        key = (snapshot.planes, snapshot.states, place.number)
        registers = [values[name] for name in REGISTERS]
        last_move = self._set(snapshot.last_move)
        return array("Q", [*self.key(key), place.player, *registers, *last_move])

    def key(self, key: Key) -> list[int]:
        """The words of a key."""
        planes, states, turn = key
        words = [word for plane in planes for word in self._set(plane)]
        for (type_, _), value in zip(self.states.values(), states, strict=True):
            match type_:
                case Type.SET:
                    words += self._set(value)
                case Type.COUNTERS:
                    words += [count & _MASK for count in value]
                case _:
                    words.append(int(value) & _MASK)
        return [*words, turn]

    def unpack(self, words: Sequence[int], history: tuple[Key, ...] = ()) -> Snapshot:
        """The position of a record; `history` is that of the preceding position, if the game needs one."""
        planes, states, _ = key = self.key_at(words)
        cursor, ply, passes, last_mover, swapped, pie, remembered = (
            words[self.register[name]] for name in REGISTERS
        )
        if remembered:
            history = (*history, key)
        return Snapshot(
            planes=planes,
            states=states,
            cursor=cursor,
            ply=ply,
            passes=passes,
            last_move=self.set_at(words, self.last_move),
            last_mover=None if last_mover == NOBODY else last_mover,
            swapped=bool(swapped),
            pie=bool(pie),
            history=history,
        )

    def key_at(self, words: Sequence[int]) -> Key:
        """The key that begins here."""
        planes = tuple(self.set_at(words, offset) for offset in self.planes)
        states = tuple(self._state(words, *where) for where in self.states.values())
        return planes, states, words[self.turn]

    def set_at(self, words: Sequence[int], offset: int) -> int:
        """The set whose words begin here."""
        return sum(words[offset + i] << 64 * i for i in range(self.set_words))

    def _set(self, members: int) -> list[int]:
        return [members >> 64 * i & _MASK for i in range(self.set_words)]

    def _state(self, words: Sequence[int], type_: Type, offset: int) -> Any:
        match type_:
            case Type.SET:
                return self.set_at(words, offset)
            case Type.COUNTERS:
                return tuple(_signed(words[offset + i]) for i in range(self.sites))
            case Type.BOOL:
                return bool(words[offset])
        return _signed(words[offset])


def _signed(word: int) -> int:
    return word - (word >> 63 << 64)
