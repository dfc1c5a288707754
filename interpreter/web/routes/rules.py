"""Rules: the bundled games, the words of the language, and help with a text as it is being written."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse

from gdl import library
from interpreter.web import Json, shapes
from interpreter.web.denied import Unknown
from interpreter.web.routes import (
    SVG,
    Client,
    InHall,
    Owner,
    picture,
    problems,
    source,
    while_there,
    with_bases,
)
from interpreter.web.vocabulary import vocabulary
from interpreter.web.workers import Refused

router = APIRouter()

#: Where the base of a variant is found here; the command line looks elsewhere.
BASES_HERE = "a base is one of the games here, or a rule file of yours, by the title of its game"

GameName = Annotated[str, Path(pattern="^[a-z0-9_]{1,100}$")]


@router.get("/api/games", response_model=list[shapes.GameShape])
async def games(hall: InHall) -> list[Json]:
    """All bundled games."""
    return [{**game, "thumbnail": f"/api/games/{game['name']}.svg"} for game in await hall.gallery.games()]


@router.get("/api/games/{name}.svg", response_class=Response, responses=SVG | problems(404))
async def thumbnail(hall: InHall, name: GameName) -> Response:
    """A picture of a bundled game."""
    svg = await hall.gallery.picture(name)
    if svg is None:
        raise Unknown("There is no such game.")
    return picture(svg, "max-age=3600")


@router.get("/api/games/{name}", response_model=shapes.ToCheck, responses=problems(404))
async def rules(name: GameName) -> Json:
    """The rule text of a bundled game."""
    if name not in library.bundled():
        raise Unknown("There is no such game.")
    return {"text": library.read(name).text}


@router.get("/api/words", response_model=list[shapes.Word])
async def words() -> list[Json]:
    """The words of the language, for completion and help."""
    return vocabulary()


@router.post("/api/check", response_model=shapes.Checked)
async def check(
    request: Request, hall: InHall, client: Client, body: shapes.ToCheck, owner: Owner = None
) -> Json:
    """What is wrong with a rule text."""
    asked = {"do": "check", "rules": with_bases(hall, owner, body.text)}
    try:
        checked = await while_there(request, hall.foreign.ask(asked, client=client))
    except Refused as error:
        place = {"line": 1, "column": 1, "end_line": 1, "end_column": 2}
        fault = {**place, "severity": "error", "hint": None, "file": None, "message": str(error)}
        return {"ok": False, "game": None, "diagnostics": [fault]}
    for fault in checked["diagnostics"]:
        fault["file"] = fault["file"] and PurePath(fault["file"]).name  # its folder is nobody's business
        if "`gdl games`" in (fault["hint"] or ""):
            fault["hint"] = BASES_HERE
    return cast("Json", checked)


@router.post("/api/format", response_model=shapes.ToCheck)
async def tidy(request: Request, hall: InHall, client: Client, body: shapes.ToCheck) -> Json:
    """A rule text in the standard layout, with its meaning unchanged; what cannot be read is left alone."""
    asked = {"do": "format", "text": body.text}
    return cast("Json", await while_there(request, hall.foreign.ask(asked, client=client)))


@router.post("/api/preview", response_model=shapes.Preview, responses=problems(404))
async def preview(
    request: Request, hall: InHall, client: Client, body: shapes.ToPreview, owner: Owner = None
) -> JSONResponse:
    """The position after some moves, under any rules."""
    rules = source(hall, owner, body.rules)
    asked = {"do": "view", "rules": rules, "options": body.options, "moves": body.moves}
    if "text" in rules:
        asked["engine"] = "reference"  # a text that is being written is not worth compiling
    work = hall.tables.lane(rules).ask(asked, client=client, key=f"preview {client}")
    return JSONResponse(await while_there(request, work))
