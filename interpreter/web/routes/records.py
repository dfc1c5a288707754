"""Records: the games in a file, ready to be opened at a table."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request

from gdl import library
from interpreter.web import Json, shapes
from interpreter.web.routes import Client, InHall, Owner, own_games, while_there
from interpreter.web.table import MOST_PLIES

router = APIRouter()


@router.post("/api/records", response_model=list[shapes.RecordShape])
async def records(
    request: Request, hall: InHall, client: Client, body: shapes.ToCheck, owner: Owner = None
) -> list[Json]:
    """The games in a file of records, ready to be opened at a table."""
    asked = {"do": "records", "text": body.text}
    read = await while_there(request, hall.foreign.ask(asked, client=client))
    bundled = {name: {"bundled": name} for name in library.bundled()}
    own = {name: {"file": file} for name, file in own_games(hall, owner).items()}
    return [_readable(record, bundled, own) for record in read["records"]]


def _readable(record: Json, bundled: Json, own: Json) -> Json:
    """A record with its rules, or with the reason why it cannot be opened."""
    if "fault" in record:
        return record
    names = sorted({library.slug(record["game"]), library.slug(_stem(record["file"]))})
    places = [own, bundled] if record["file"] else [bundled, own]  # bundled games need no file
    rules = next((place[name] for place in places for name in names if name in place), None)
    fault = None
    if rules is None:
        fault = f"No game here and no rule file of yours is called “{record['game'][:80]}”."
    elif len(record["moves"]) > MOST_PLIES:
        fault = f"This game has more than {MOST_PLIES:,} moves."
    return {**record, "rules": rules, "fault": fault}


def _stem(file: str | None) -> str:
    """The name of a rule file without its folders."""
    return re.split(r"[/\\]", file or "")[-1].removesuffix(".game")
