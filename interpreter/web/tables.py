"""The games being played: what happens in which order, and the machines that move.

Each event is written down before anybody hears of it, and the events of a table happen one after the other,
so that no move is lost or made twice.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import sqlite3
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, evolve, field

from interpreter.web import Json
from interpreter.web.denied import Denied, Late, NoSeat, Unknown
from interpreter.web.keys import digest, new_id, new_secret
from interpreter.web.news import Message, as_json
from interpreter.web.store import Event, Setting, Store
from interpreter.web.table import OTHER, PERSONS, Table
from interpreter.web.workers import Crowded, Lane, Refused

#: Most bytes of tables in memory, beyond which those not in use are forgotten; most watchers of one table.
KEPT, WATCHERS = 200_000_000, 200
#: Seconds until a machine tries again after its move could not be found or written down.
PAUSE = 10.0


@define(eq=False)
class Tables:
    """All tables of a server."""

    store: Store
    #: For bundled rules, for rules that users wrote, for thinking.
    quick: Lane
    foreign: Lane
    slow: Lane
    _known: OrderedDict[str, Table] = field(init=False, factory=OrderedDict)
    _opening: dict[str, asyncio.Task[Table]] = field(init=False, factory=dict)

    # --- opening ---

    async def make(
        self,
        client: str,
        rules: Json,
        options: dict[str, int | bool],
        players: dict[str, str],
        moves: list[str],
        resigned: bool,
        invited: str | None = None,
    ) -> tuple[Table, dict[str, str | None], str | None]:
        """A new table where these moves have been made, the secrets of its seats, and an invitation.

        `resigned`: whether the person to move then has resigned. `invited`: the person who is yet to come;
        the invitation is for that seat. Raises Denied, Refused, Crowded.
        """
        if invited is not None and players[invited] != "human":
            raise Denied("A machine cannot be invited.")
        given = {p: new_secret() if name == "human" and p != invited else None for p, name in players.items()}
        invitation = None if invited is None else new_secret()
        setting = Setting(
            new_id(),
            "",
            rules,
            options,
            players,
            {person: digest(secret) if secret else None for person, secret in given.items()},
            (invited, digest(invitation)) if invited and invitation else None,
        )
        return await self._make(client, setting, moves, resigned), given, invitation

    async def _make(self, client: str, setting: Setting, moves: list[str], resigned: bool = False) -> Table:
        """A table with this setting, whose title and options are filled in."""
        request = {"do": "open", "rules": setting.rules, "options": setting.options, "moves": moves}
        request["players"] = list(setting.players.values())
        opened = await self.lane(setting.rules).ask(request, client=client)
        setting = evolve(setting, title=opened["title"], options=opened["options"])
        made = zip(opened["movers"], opened["moves"], strict=True)
        events = [Event(ply, "move", ply, person, move) for ply, (person, move) in enumerate(made, 1)]
        if resigned:
            if opened["view"]["result"] is not None:
                raise Refused("move", "The game is over, nobody can give up.")
            events.append(Event(len(events) + 1, "resign", len(events), opened["view"]["person"]))
        self.store.add_table(setting, events, resigned or opened["view"]["result"] is not None)
        table = Table.told(setting, client, opened["game"], events)
        table.see(opened["view"])
        return self._keep(table)

    async def find(self, table: str, client: str) -> Table:
        """The table of this name; one left by an earlier server is continued, for this client.

        Raises Unknown, Refused.
        """
        if table in self._known:
            self._known.move_to_end(table)
            self._wake(self._known[table])
            return self._known[table]
        if table not in self._opening:
            self._opening[table] = asyncio.create_task(self._open(table, client))
            self._opening[table].add_done_callback(lambda _: self._opening.pop(table))
        return await asyncio.shield(self._opening[table])

    async def _open(self, name: str, client: str) -> Table:
        setting = self.store.table(name)
        if setting is None:
            raise Unknown("There is no such table.")
        request = {"do": "open", "rules": setting.rules, "options": setting.options, "moves": []}
        request["players"] = ["human", "human"]  # the real ones were checked when the table was made
        opened = await self.lane(setting.rules).ask(request, client=client)
        table = Table.told(setting, client, opened["game"], self.store.events(name))
        table.see(await self._view(table, table.moves) if table.moves else opened["view"])
        return self._keep(table)

    def _keep(self, table: Table) -> Table:
        """Keep a table in memory; if all weigh too much, those left alone longest are forgotten."""
        self._known[table.setting.id] = table
        weight = sum(kept.weight for kept in self._known.values())
        for name, kept in list(self._known.items()):
            if weight > KEPT and not (kept.watchers or kept.thinking or kept.lock.locked()):
                del self._known[name]
                weight -= kept.weight
        self._wake(table)
        return table

    def lane(self, rules: Json) -> Lane:
        return self.quick if "bundled" in rules else self.foreign

    async def _ask(self, table: Table, do: str, **more: Any) -> Any:
        """A process's answer about the position."""
        request = {"do": do, **table.request, **more}
        name, rules = table.setting.id, table.setting.rules
        # Bundled rules are little work: a client with many tables need not wait at one for the others.
        turn = name if "bundled" in rules else None
        return await self.lane(rules).ask(request, client=table.client, table=turn, key=name)

    async def _view(self, table: Table, moves: list[str]) -> Json:
        view: Json = (await self._ask(table, "view", moves=moves))["view"]
        return view

    # --- what is shown ---

    async def at(self, table: Table, ply: int, client: str) -> str:
        """The view of an earlier position as JSON, for this client. Raises Unknown, Refused, Crowded."""
        if ply == table.ply:
            return table.view.text
        return as_json((await self._earlier(table, "view", ply, client))["view"])

    async def picture(self, table: Table, ply: int, client: str) -> str:
        """An earlier position as SVG, for this client. Raises Unknown, Refused, Crowded."""
        picture: str = (await self._earlier(table, "draw", ply, client))["picture"]
        return picture

    async def _earlier(self, table: Table, do: str, ply: int, client: str) -> Any:
        if ply > table.ply:
            raise Unknown("There was no such position.")
        request = {"do": do, **table.request, "moves": table.moves[:ply]}
        # Leafing through a game holds up nobody else, nor one's own next move.
        return await self.lane(table.setting.rules).ask(request, client=f"{client} past")

    # --- what people do ---

    async def sit(self, table: Table, invitation: str) -> tuple[str, str]:
        """The seat that an invitation is for, and its secret, for the first to come. Raises NoSeat."""
        async with table.lock:
            open_seat = table.setting.invitation
            if open_seat is None or not hmac.compare_digest(open_seat[1], digest(invitation)):
                raise NoSeat("This invitation has been accepted already.")
            person, secret = open_seat[0], new_secret()
            hashes = {**table.setting.hashes, person: digest(secret)}
            self.store.take_seat(table.setting.id, person, digest(secret))
            with self._telling_presence(table):
                table.setting = evolve(table.setting, hashes=hashes, invitation=None)
            return person, secret

    async def again(self, table: Table, secret: str | None, client: str) -> str:
        """The table where the same people play with sides changed, each with the same secret.

        Raises NoSeat, Late, Refused, Crowded.
        """
        async with table.lock:
            person = table.seat(secret)
            if person is None:
                raise NoSeat("This is not your seat.")
            if not table.over:
                raise Late("The game is not over.")
            if table.setting.invitation is not None:
                raise Late("Nobody has accepted the invitation yet.")
            if table.next is None:
                old = table.setting
                players = {p: old.players[OTHER[p]] for p in PERSONS}
                hashes = {p: old.hashes[OTHER[p]] for p in PERSONS}
                setting = Setting(new_id(), old.title, old.rules, old.options, players, hashes)
                made = await self._make(client, setting, [])
                self._note(table, Event(table.number + 1, "again", table.ply, person, note=made.setting.id))
            assert table.next is not None
            return table.next

    def _sitting(self, table: Table, secret: str | None, ply: int) -> str:
        """The person asking, if the game goes on and is at the ply they think. Raises NoSeat, Late."""
        person = table.seat(secret)
        if person is None:
            raise NoSeat("This is not your seat.")
        if ply != table.ply:
            raise Late(f"The game stands at ply {table.ply}, not {ply}.")
        if table.over:
            raise Late("The game is over.")
        return person

    async def play(self, table: Table, secret: str | None, ply: int, move: str) -> Event:
        """Make a move. Raises NoSeat, Late, Refused, Crowded."""
        async with table.lock:
            person = self._sitting(table, secret, ply)
            if person != table.view.person:
                raise NoSeat("It is not your turn.")
            return await self._move(table, move)

    async def undo(self, table: Table, secret: str | None, ply: int) -> Event:
        """Take back a move: one's own at once against a machine, the first asker's once both have asked."""
        async with table.lock:
            person = self._sitting(table, secret, ply)
            other = OTHER[person]
            if table.asked == other:
                asking = other
            elif table.asked == person:
                raise Late("You have asked already.")
            else:
                asking = person
            place = max((i for i, mover in enumerate(table.movers) if mover == asking), default=None)
            if place is None:
                raise Late("There is no earlier move of yours to take back.")
            if not table.is_machine(other) and table.asked is None:
                return self._note(table, Event(table.number + 1, "ask", ply, person))
            view = await self._view(table, table.moves[:place])
            return self._note(table, Event(table.number + 1, "undo", place, asking), view)

    async def decline(self, table: Table, secret: str | None, ply: int) -> Event:
        """Refuse or withdraw a request to take back a move; before the first move: decline to play now."""
        async with table.lock:
            person = self._sitting(table, secret, ply)
            if table.asked is None and table.ply > 0:
                raise Late("Nobody asks to take back a move.")
            return self._note(table, Event(table.number + 1, "decline", ply, person))

    async def resign(self, table: Table, secret: str | None, ply: int) -> Event:
        """Resign the game."""
        async with table.lock:
            person = self._sitting(table, secret, ply)
            view = json.loads(table.view.text)
            return self._note(table, Event(table.number + 1, "resign", ply, person), view)

    async def hint(self, table: Table, secret: str | None, ply: int) -> Json:
        """The best moves for the person to move."""
        person = self._sitting(table, secret, ply)
        if person != table.view.person:
            raise NoSeat("It is not your turn.")
        request = {"do": "hint", **table.request}
        hint: Json = await self.slow.ask(request, client=table.client, key=table.setting.id)
        return hint

    # --- what happens ---

    async def _move(self, table: Table, move: str, note: str | None = None) -> Event:
        played = await self._ask(table, "play", move=move)
        event = Event(table.number + 1, "move", table.ply + 1, played["person"], played["move"], note)
        return self._note(table, event, played["view"])

    def _note(self, table: Table, event: Event, view: Json | None = None) -> Event:
        """Write an event down, then let it happen, then tell those who watch."""
        over = event.kind == "resign" or (table.over if view is None else view["result"] is not None)
        self.store.add_event(table.setting.id, event, over)
        table.interrupt()  # what a machine thinks of is past
        table.happen(event)
        if view is not None:
            table.see(view)
        data = {name: getattr(event, name) for name in ("number", "ply", "person", "move", "note")}
        table.news.tell(Message(event.kind, data, event.number, table.view.text))
        self._wake(table)
        return event

    @contextmanager
    def _telling_presence(self, table: Table) -> Iterator[None]:
        """Tell the watchers if this changes who is here."""
        before = table.presence
        yield
        if table.presence != before:
            table.news.tell(Message("presence", table.presence))

    # --- machines ---

    def _wake(self, table: Table) -> None:
        """Let a machine think if it is to move. Two machines play on only while somebody watches."""
        machines = [person for person in PERSONS if table.is_machine(person)]
        if (
            table.thinking is None
            and not table.over
            and table.view.person in machines
            and (len(machines) == 1 or table.watchers)
        ):
            table.thinking = asyncio.create_task(self._think(table))

    async def _think(self, table: Table) -> None:
        player = table.setting.players[table.view.person]
        try:
            # If nobody watches, the next visitor wakes it.
            while not await self._has_moved(table, player) and table.watchers:
                await asyncio.sleep(PAUSE)
        finally:
            if table.thinking is asyncio.current_task():
                table.thinking = None

    async def _has_moved(self, table: Table, player: str) -> bool:
        """Let a machine make its move; True if it could."""
        note = None
        try:
            try:
                thought = await self.slow.ask(
                    {"do": "think", **table.request, "player": player},
                    client=table.client,
                    key=table.setting.id,
                    watch=lambda thought: table.news.tell(Message("thought", thought)),
                )
            except Refused as error:
                note = f"{player} could not move, a random move was made for it: {error}"
                thought = await self._ask(table, "random")
            async with table.lock:
                await self._move(table, thought["move"], note)
        except (Refused, Crowded, sqlite3.DatabaseError) as error:
            says = str(error) or "Too much is asked of this server."
            table.news.tell(Message("trouble", {"says": f"{player} cannot move: {says}"}))
            return False
        return True

    async def close(self) -> None:
        """Stop all machines' thinking."""
        thinking = [table.thinking for table in self._known.values() if table.thinking is not None]
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, return_exceptions=True)

    # --- watching ---

    def dismiss(self) -> None:
        """Dismiss all watchers."""
        for table in self._known.values():
            table.news.close()

    async def watch(self, table: Table, after: int | None, secret: str | None = None) -> AsyncIterator[str]:
        """What happens, as server-sent events, beginning with what has happened since the event `after`.

        The others are told that the person with this secret is here.
        """
        seat = table.seat(secret)
        with self._telling_presence(table):
            table.watchers.append(seat)
        self._wake(table)
        try:
            async for message in table.news.after(after, table.number, lambda: table.now):
                yield message
        finally:
            with self._telling_presence(table):
                table.watchers.remove(seat)
