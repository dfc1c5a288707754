"""Users' own rule files, each with all its versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from interpreter.web import Json, shapes
from interpreter.web.denied import Denied
from interpreter.web.keys import digest, new_id, new_secret
from interpreter.web.routes import InHall, Owner, own_file, problems
from interpreter.web.shapes import Id
from interpreter.web.store import File

router = APIRouter()

#: Most rule files of one owner, most versions of one file, and how long the owner's cookie lasts (seconds).
MOST_FILES, MOST_VERSIONS, TEN_YEARS = 200, 1000, 10 * 365 * 86_400

FileId = Annotated[Id, Path(description="A rule file")]


def _as_shape(found: File) -> Json:
    return {name: getattr(found, name) for name in ("id", "name", "version", "made", "text")}


@router.get("/api/files", response_model=list[shapes.Listed])
async def files(hall: InHall, owner: Owner = None) -> list[Json]:
    """Your rule files."""
    return [_as_shape(file) for file in hall.store.files(digest(owner))] if owner else []


@router.post("/api/files", response_model=shapes.FileShape, status_code=201, responses=problems(409))
async def add(hall: InHall, response: Response, body: shapes.ToFile, owner: Owner = None) -> Json:
    """Store a new rule file. A browser that has none yet is given the cookie that identifies it."""
    if not owner:
        owner = new_secret()
        response.set_cookie("owner", owner, max_age=TEN_YEARS, path="/api", httponly=True, samesite="strict")
    if len(hall.store.files(digest(owner))) >= MOST_FILES:
        raise Denied(f"You have {MOST_FILES} rule files already.")
    file = new_id()
    hall.store.add_file(digest(owner), file, body.name, body.text)
    return _as_shape(own_file(hall, owner, file))


@router.get("/api/files/{file}", response_model=shapes.FileShape, responses=problems(404))
async def show(
    hall: InHall,
    file: FileId,
    version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    owner: Owner = None,
) -> Json:
    """A rule file: the version asked for, or else the newest."""
    return _as_shape(own_file(hall, owner, file, version))


@router.put("/api/files/{file}", response_model=shapes.FileShape, responses=problems(404, 409))
async def save(hall: InHall, file: FileId, body: shapes.ToSave, owner: Owner = None) -> Json:
    """Save the next version of a rule file; an unchanged text makes none."""
    found = own_file(hall, owner, file)
    name = body.name or found.name
    if body.text == found.text:
        hall.store.rename(file, name)
    elif found.version >= MOST_VERSIONS:
        raise Denied(f"This file has {MOST_VERSIONS} versions already.")
    else:
        hall.store.add_version(file, name, found.version + 1, body.text)
    return _as_shape(own_file(hall, owner, file))


@router.get("/api/files/{file}/versions", response_model=list[shapes.VersionShape], responses=problems(404))
async def versions(hall: InHall, file: FileId, owner: Owner = None) -> list[Json]:
    """The versions of a rule file, oldest first."""
    own_file(hall, owner, file)
    return [{"version": version, "made": made} for version, made in hall.store.versions(file)]


@router.delete("/api/files/{file}", status_code=204, responses=problems(404))
async def remove(hall: InHall, file: FileId, owner: Owner = None) -> None:
    """Remove a rule file with all its versions."""
    own_file(hall, owner, file)
    hall.store.remove_file(file)
