"""A table: a game being played, the people at it, and its state.

It is the sum of its events, except for the view of its position, which only the rules' processes can tell.
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

#: The moves after which a game is left as it is: rules need not end it.
MOST_PLIES = 2000


@frozen
class View:
    """What is shown of a position: JSON for all who look at it, and what its table must know."""

    text: str
    person: str
    result: Json | None


@define(eq=False)
class Table:
    """A table: its setting, the description of its game, and the state of that."""

    setting: Setting
    #: The client whose turns it takes for heavy work.
    client: str
    game: Json
    #: The board as JSON.
    board: str
    view: View = field(init=False)
    number: int = 0
    moves: list[str] = field(factory=list)
    #: The person who made each move.
    movers: list[str] = field(factory=list)
    resigned: str | None = None
    #: The person who asks to take back a move.
    asked: str | None = None
    #: The table where the same people play again.
    next: str | None = None
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    #: The seats of those who watch; None for those without one.
    watchers: list[str | None] = field(factory=list)
    news: News = field(factory=News)
    thinking: asyncio.Task[None] | None = None

    @classmethod
    def told(cls, setting: Setting, client: str, game: Json, events: list[Event]) -> Table:
        """A table where these events have happened; it has yet to see its position."""
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
        """Show this view of the position, with the result of a resignation if there was one."""
        if self.resigned is not None:
            winner = OTHER[self.resigned]
            (colour,) = (colour for colour, person in view["seats"].items() if person == winner)
            result = {"winner": colour, "person": winner, "reason": "resign", "scores": None}
            view = {**view, "moves": [], "result": result}
        self.view = View(as_json(view), view["person"], view["result"])

    @property
    def weight(self) -> int:
        """Roughly the bytes of memory it takes."""
        rules = self.setting.rules
        texts = self.board, self.view.text, rules.get("text", ""), *rules.get("beside", {}).values()
        return 20_000 + sum(map(len, texts)) + 150 * self.ply + self.news.weight

    @property
    def request(self) -> Json:
        """The current position as a request to a process; the game may go on meanwhile."""
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
        """Apply an event to the moves and the people; the view is updated separately."""
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
        """The person whose secret this is, or None."""
        hashed = digest(secret or "")
        # Both are compared, so that the time taken reveals nothing.
        same = {p: hmac.compare_digest(h or b"", hashed) for p, h in self.setting.hashes.items()}
        return next((person for person, found in same.items() if found), None)

    @property
    def state(self) -> Json:
        """The state of the game besides its view."""
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
        """The state of the game as an event."""
        return Message("now", self.state, self.number, self.view.text).text

    def interrupt(self) -> None:
        """Stop a machine's thinking, unless it is its own move that is being made."""
        if self.thinking is not None and self.thinking is not asyncio.current_task():
            self.thinking.cancel()
        self.thinking = None
