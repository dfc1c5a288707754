"""Records: the games of a file, as they can be opened at a table."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request

from gdl import library
from interpreter.web import Json, shapes
from interpreter.web.hall import Hall
from interpreter.web.routes import Client, InHall, Owner, own_games, while_there
from interpreter.web.table import MOST_PLIES

router = APIRouter()


@router.post("/api/records", response_model=list[shapes.RecordShape])
async def records(
    request: Request, hall: InHall, client: Client, body: shapes.ToCheck, owner: Owner = None
) -> list[Json]:
    """The games of a file of records, as they can be opened at a table."""
    asked = {"do": "records", "text": body.text}
    read = await while_there(request, hall.foreign.ask(asked, client=client))
    return [_readable(hall, owner, record) for record in read["records"]]


def _readable(hall: Hall, owner: str | None, record: Json) -> Json:
    """A record with its rules, or with what keeps it from being opened."""
    if "fault" in record:
        return record
    names = {library.slug(record["game"]), library.slug(_stem(record["file"]))} - {""}
    places = [_bundled(names), _own(hall, owner, names)]
    if record["file"]:  # which games that are bundled do without
        places.reverse()
    rules = next(filter(None, places), None)
    fault = None
    if rules is None:
        fault = f"No game here and no rule file of yours is called “{record['game'][:80]}”."
    elif len(record["moves"]) > MOST_PLIES:
        fault = f"This game has more than {MOST_PLIES:,} moves."
    return {**record, "rules": rules, "fault": fault}


def _stem(file: str | None) -> str:
    """The name of a rule file without its folders."""
    return re.split(r"[/\\]", file or "")[-1].removesuffix(".game")


def _bundled(names: set[str]) -> Json | None:
    """The bundled game of one of these names."""
    return next(({"bundled": name} for name in sorted(names & set(library.bundled()))), None)


def _own(hall: Hall, owner: str | None, names: set[str]) -> Json | None:
    """The file of one's own of one of these names."""
    own = own_games(hall, owner)
    return next(({"file": own[name].id} for name in sorted(names) if name in own), None)
