"""Tables: opening one, looking at it, acting at it, and following what happens there."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from gdl import library
from interpreter.record import Record
from interpreter.web import Json, shapes
from interpreter.web.news import spliced
from interpreter.web.routes import (
    EVENTS,
    SVG,
    Client,
    InHall,
    Owner,
    Secret,
    as_answer,
    as_events,
    picture,
    problems,
    source,
    while_there,
)
from interpreter.web.shapes import Id
from interpreter.web.store import Event, Setting
from interpreter.web.table import MOST_PLIES, Table
from interpreter.web.tables import WATCHERS
from interpreter.web.workers import Crowded

router = APIRouter()


async def _find(hall: InHall, table: Annotated[Id, Path(description="A table")], client: Client) -> Table:
    return await hall.tables.find(table, client)


AtTable = Annotated[Table, Depends(_find)]
PlyPath = Annotated[int, Path(ge=0, le=MOST_PLIES)]


@router.post("/api/tables", response_model=shapes.Opened, status_code=201, responses=problems(404, 409))
async def open_table(hall: InHall, client: Client, body: shapes.ToOpen, owner: Owner = None) -> Json:
    """Open a table for a new game or one to be continued. The holder of a seat's secret moves for it."""
    rules = source(hall, owner, body.rules)
    people = {"first": body.first, "second": body.second}
    table, seats, invitation = await hall.tables.make(
        client, rules, dict(body.options), people, body.moves, body.resigned, body.invited
    )
    return {"id": table.setting.id, "seats": seats, "invitation": invitation}


@router.get("/api/tables/{table}", response_model=shapes.TableShape, responses=problems(404))
async def show_table(request: Request, table: AtTable, secret: Secret) -> Response:
    """A table and the state of its game."""
    setting = table.setting
    about = {
        "id": setting.id,
        "title": setting.title,
        "rules": _rules(setting),
        "options": setting.options,
        **table.game,
        "people": setting.players,
        "you": table.seat(secret),
        "plies": table.ply,
        "record": _record(table),
        **table.state,
    }
    return await as_answer(request, spliced(about, board=table.board, view=table.view.text))


@router.get("/api/tables/{table}/plies/{ply}", response_model=shapes.ViewShape, responses=problems(404))
async def show_ply(request: Request, hall: InHall, client: Client, table: AtTable, ply: PlyPath) -> Response:
    """The position after `ply` moves."""
    return await as_answer(request, await while_there(request, hall.tables.at(table, ply, client)))


@router.get(
    "/api/tables/{table}/plies/{ply}/picture",
    response_class=Response,
    responses=SVG | problems(404),
)
async def draw_ply(request: Request, hall: InHall, client: Client, table: AtTable, ply: PlyPath) -> Response:
    """The position after `ply` moves as SVG."""
    return picture(await while_there(request, hall.tables.picture(table, ply, client)), "no-store")


@router.post("/api/tables/{table}/moves", response_model=shapes.Done, responses=problems(403, 404, 409))
async def move(hall: InHall, table: AtTable, body: shapes.ToMove, secret: Secret) -> Json:
    """Make a move."""
    return _done(await hall.tables.play(table, secret, body.ply, body.move))


@router.post("/api/tables/{table}/undo", response_model=shapes.Done, responses=problems(403, 404, 409))
async def undo(hall: InHall, table: AtTable, body: shapes.ToAct, secret: Secret) -> Json:
    """Take back your last move: at once against a machine; against a person once both of you have asked.

    If the other person has asked, it is their last move that is taken back.
    """
    return _done(await hall.tables.undo(table, secret, body.ply))


@router.post("/api/tables/{table}/decline", response_model=shapes.Done, responses=problems(403, 404, 409))
async def decline(hall: InHall, table: AtTable, body: shapes.ToAct, secret: Secret) -> Json:
    """Refuse to take back a move, or withdraw your own request to; at ply 0, decline to play now."""
    return _done(await hall.tables.decline(table, secret, body.ply))


@router.post("/api/tables/{table}/seat", response_model=shapes.Seat, responses=problems(403, 404))
async def sit(hall: InHall, table: AtTable, body: shapes.ToSit) -> Json:
    """Accept an invitation: the first to do so is given the secret of the seat."""
    person, secret = await hall.tables.sit(table, body.invitation)
    return {"person": person, "secret": secret}


@router.post("/api/tables/{table}/again", response_model=shapes.Again, responses=problems(403, 404, 409))
async def again(hall: InHall, table: AtTable, secret: Secret, client: Client) -> Json:
    """Play again with sides changed, at another table. Your secret is valid there; all are told its name."""
    return {"id": await hall.tables.again(table, secret, client)}


@router.post("/api/tables/{table}/resign", response_model=shapes.Done, responses=problems(403, 404, 409))
async def resign(hall: InHall, table: AtTable, body: shapes.ToAct, secret: Secret) -> Json:
    """Resign the game."""
    return _done(await hall.tables.resign(table, secret, body.ply))


@router.post("/api/tables/{table}/hint", response_model=shapes.Hint, responses=problems(403, 404, 409))
async def hint(hall: InHall, table: AtTable, body: shapes.ToAct, secret: Secret) -> Json:
    """Think for a second and show the best moves."""
    return await hall.tables.hint(table, secret, body.ply)


@router.get(
    "/api/tables/{table}/events",
    response_class=StreamingResponse,
    responses=EVENTS | problems(403, 404),
)
async def events(
    hall: InHall,
    table: AtTable,
    secret: Secret,
    after: Annotated[int | None, Query(ge=0, le=10**9)] = None,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> StreamingResponse:
    """What happens at a table after the event `after`; without it, first the state of the game.

    If you have a seat, the others are told that you are here.
    """
    if len(table.watchers) >= WATCHERS:
        raise Crowded("Too many watch this table.")
    seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else after
    return as_events(hall.tables.watch(table, seen, secret))


def _done(event: Event) -> Json:
    return {"number": event.number, "kind": event.kind, "ply": event.ply, "move": event.move}


def _rules(setting: Setting) -> Json:
    """The name of a bundled game; else a rule text, and all files needed to play it, by their names."""
    if "text" not in setting.rules:
        return setting.rules
    text = setting.rules["text"]
    bases = {f"{name}.game": base for name, base in setting.rules.get("beside", {}).items()}
    return {"text": text, "files": {_file(setting): text, **bases}}


def _file(setting: Setting) -> str:
    """The name of a file that holds the rules."""
    return f"{library.slug(setting.title) or 'rules'}.game"


def _record(table: Table) -> str:
    """The game so far in the format of records."""
    setting, result, resigned = table.setting, table.view.result, table.resigned
    return str(
        Record(
            game=setting.title,
            file=_file(setting) if "text" in setting.rules else None,
            options=setting.options,
            first=setting.players["first"],
            second=setting.players["second"],
            result="*" if result is None else result["winner"] or "draw",
            moves=tuple(table.moves),
            resigned=resigned is not None and resigned == table.view.person,
        )
    )
