"""A table: a game that is played, who sits at it, and where it stands.

It is the sum of its events, but for the view of its position, which those who work on the rules must say.
"""

from __future__ import annotations

import asyncio
import hmac

from attrs import define, field, frozen

from interpreter.web import Json
from interpreter.web.keys import digest
from interpreter.web.news import Message, News, as_json
from interpreter.web.store import Event, Setting

PERSONS = ("first", "second")
OTHER = {"first": "second", "second": "first"}

#: A game that has not ended after so many moves is left as it is: rules need not end it.
MOST_PLIES = 2000


@frozen
class View:
    """What is shown of a position: as JSON, for all who look at it, and what its table must know of it."""

    text: str
    person: str
    result: Json | None


@define(eq=False)
class Table:
    """A table: its setting, what is told of its game, and where that stands."""

    setting: Setting
    #: Whose turn it takes to do what is much work for it.
    client: str
    game: Json
    #: The board as JSON.
    board: str
    view: View = field(init=False)
    number: int = 0
    moves: list[str] = field(factory=list)
    #: Who made each move.
    movers: list[str] = field(factory=list)
    resigned: str | None = None
    #: Who asks to take back a move.
    asked: str | None = None
    #: Where the same people play again.
    next: str | None = None
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    #: The seats of those who watch.
    watchers: list[str | None] = field(factory=list)
    news: News = field(factory=News)
    thinking: asyncio.Task[None] | None = None

    @classmethod
    def told(cls, setting: Setting, client: str, game: Json, events: list[Event]) -> Table:
        """A table where this has happened; it has yet to see its position."""
        about = {name: game[name] for name in game.keys() - {"board"}}
        table = cls(setting, client, about, as_json(game["board"]))
        for event in events:
            table.happen(event)
        return table

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def over(self) -> bool:
        return self.view.result is not None or self.ply >= MOST_PLIES

    def see(self, view: Json) -> None:
        """Stand at the position of this view, with the end that a resignation makes."""
        if self.resigned is not None:
            winner = OTHER[self.resigned]
            (colour,) = (colour for colour, person in view["seats"].items() if person == winner)
            result = {"winner": colour, "person": winner, "reason": "resign", "scores": None}
            view = {**view, "moves": [], "result": result}
        self.view = View(as_json(view), view["person"], view["result"])

    @property
    def weight(self) -> int:
        """About so many bytes it takes to keep this in mind."""
        rules = self.setting.rules
        texts = self.board, self.view.text, rules.get("text", ""), *rules.get("beside", {}).values()
        return 20_000 + sum(map(len, texts)) + 150 * self.ply + self.news.weight

    @property
    def request(self) -> Json:
        """What the position is now, for those who work on it while the game may go on."""
        return {"rules": self.setting.rules, "options": self.setting.options, "moves": [*self.moves]}

    def is_machine(self, person: str) -> bool:
        return self.setting.players[person] != "human"

    @property
    def presence(self) -> dict[str, str]:
        """Whether each person is a machine, awaited, away or here."""
        return {person: self._presence(person) for person in PERSONS}

    def _presence(self, person: str) -> str:
        if self.is_machine(person):
            return "machine"
        if self.setting.hashes[person] is None:
            return "awaited"
        return "here" if person in self.watchers else "away"

    def happen(self, event: Event) -> None:
        """What an event does to moves and people; the view is another matter."""
        self.number, self.asked = event.number, None
        match event.kind:
            case "move":
                assert event.move is not None
                assert event.person is not None
                self.moves.append(event.move)
                self.movers.append(event.person)
            case "undo":
                del self.moves[event.ply :], self.movers[event.ply :]
            case "ask":
                self.asked = event.person
            case "resign":
                self.resigned = event.person
            case "again":
                self.next = event.note

    def seat(self, secret: str | None) -> str | None:
        """Whose secret it is."""
        hashed = digest(secret or "")
        # Both are compared, so that the time tells nothing.
        same = {p: hmac.compare_digest(h or b"", hashed) for p, h in self.setting.hashes.items()}
        return next((person for person, found in same.items() if found), None)

    @property
    def state(self) -> Json:
        """Where the game stands, besides its view."""
        return {
            "number": self.number,
            "ply": self.ply,
            "moves": self.moves,
            "movers": self.movers,
            "asked": self.asked,
            "next": self.next,
            "presence": self.presence,
        }

    @property
    def now(self) -> str:
        """Where the game stands, as an event."""
        return Message("now", self.state, self.number, self.view.text).text

    def interrupt(self) -> None:
        """Let a machine think no more, unless it is its own move that happens."""
        if self.thinking is not None and self.thinking is not asyncio.current_task():
            self.thinking.cancel()
        self.thinking = None
