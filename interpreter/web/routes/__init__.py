"""What the server offers over HTTP, one file for each kind of thing.

This file holds what they share: who is asking, where the rules of a request come from, forms of answers.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Coroutine
from functools import lru_cache
from typing import Annotated, Any, TypeVar, cast
from weakref import WeakValueDictionary

from fastapi import Cookie, Depends, Header, HTTPException, Request, Response
from fastapi.responses import StreamingResponse

from gdl import library
from interpreter.web import Json, shapes
from interpreter.web.denied import Unknown
from interpreter.web.guard import client_of
from interpreter.web.hall import Hall
from interpreter.web.keys import digest
from interpreter.web.store import File, Store

#: How many bases of bases are followed.
BASES = 8
#: The longest title of a game (characters).
MOST_TITLE = 80

#: The line of a rule text that names its game and, for a variant, the game it is based on.
HEADER = re.compile(
    r'^[ \t]*(?:game|variant)\b[ \t]*"(?P<title>[^"\n]*)"(?:[^"\n]*\bof[ \t]*"(?P<base>[^"\n]*)")?',
    re.MULTILINE,
)


#: How well answers are compressed (1 to 9), and the length in characters from which that takes a while.
LEVEL, LARGE = 5, 100_000
#: The clients whose large answers are being compressed, each with a lock.
_PACKING: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


# The dependencies of many routes are async, so that none needs a thread and with it another turn of the loop.


async def _hall(request: Request) -> Hall:
    return cast("Hall", request.app.state.hall)


async def _client(request: Request) -> str:
    return client_of(request.scope)


async def _secret(
    bearer: Annotated[
        str | None,
        Header(alias="Authorization", description="`Bearer SECRET`, the secret of a seat", max_length=200),
    ] = None,
) -> str | None:
    """The secret sent with a request."""
    scheme, _, secret = (bearer or "").partition(" ")
    return secret if scheme.lower() == "bearer" else None


#: Whose rule files these are: a cookie that scripts in the browser cannot read.
Owner = Annotated[str | None, Cookie(max_length=100, include_in_schema=False)]


InHall = Annotated[Hall, Depends(_hall)]
#: Who has to wait for their own earlier work on foreign rules: an address, since a cookie can be made up.
Client = Annotated[str, Depends(_client)]
#: The secret of a seat, if the request has one.
Secret = Annotated[str | None, Depends(_secret)]

#: Seconds between two checks whether the client is still waiting for its answer.
LOOKED = 1.0
T = TypeVar("T")


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is cancelled when the client no longer waits for it."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOKED))[0]:
            if await request.is_disconnected():
                raise HTTPException(499, "Nobody waits for this any more.")
        return task.result()
    finally:
        task.cancel()


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors a route may answer with, for its description."""
    words = {
        403: "Not yours, or from another origin",
        404: "Not found",
        409: "The game has moved on, or there is no room",
        422: "The request or the rules are at fault",
    }
    return {status: {"model": shapes.Problem, "description": words[status]} for status in statuses}


SVG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {}}, "description": "A picture"}}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}
}


def own_file(hall: Hall, owner: str | None, file: str, version: int | None = None) -> File:
    """One of the owner's rule files. Raises Unknown."""
    found = hall.store.file(digest(owner), file, version) if owner else None
    if found is None:
        raise Unknown("You have no such rule file.")
    return found


def source(hall: Hall, owner: str | None, rules: shapes.Rules) -> Json:
    """Rules in the form that the processes take and a table keeps. Raises Unknown."""
    match rules:
        case shapes.Bundled(bundled=name):
            return {"bundled": name}
        case shapes.Filed(file=file, version=version):
            return with_bases(hall, owner, own_file(hall, owner, file, version).text)
        case shapes.Written(text=text):
            return with_bases(hall, owner, text)
        case shapes.Tabled(table=table):
            setting = hall.store.table(table)
            if setting is None:
                raise Unknown("There is no such table.")
            return setting.rules


def own_games(hall: Hall, owner: str | None) -> dict[str, str]:
    """The owner's rule files by the titles of their games, else by their names; both as slugs."""
    if not owner:
        return {}
    files = sorted(hall.store.files(digest(owner)), key=lambda file: file.made)
    named = {library.slug(file.name): file.id for file in files}
    titled = {_title(hall.store, digest(owner), file.id, file.version): file.id for file in files}
    return {name: file for name, file in (named | titled).items() if name}


@lru_cache(maxsize=20_000)
def _title(store: Store, owner: bytes, file: str, version: int) -> str:
    """The title of a version as a slug. A version never changes; reading all of an owner's files is slow."""
    found = store.file(owner, file, version)
    header = HEADER.search(found.text) if found else None
    return library.slug(header["title"][:MOST_TITLE]) if header else ""


def with_bases(hall: Hall, owner: str | None, text: str) -> Json:
    """A rule text with those of the owner's files that it may be a variant of."""
    beside = dict[str, str]()
    own, last = None, text
    for _ in range(BASES):
        header = HEADER.search(last)
        if header is None or header["base"] is None:
            break
        if own is None:
            own = own_games(hall, owner)
        base = library.slug(header["base"])
        if base not in own or base in beside:
            break
        beside[base] = last = own_file(hall, owner, own[base]).text
    return {"text": text, "beside": beside} if beside else {"text": text}


def picture(svg: str, cache: str) -> Response:
    """A picture as a file, which can only be looked at."""
    headers = {
        "Cache-Control": cache,
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return Response(svg, media_type="image/svg+xml", headers=headers)


async def as_answer(request: Request, text: str) -> Response:
    """JSON text as an answer. Large ones are compressed in a thread, one at a time for each client."""
    if len(text) < LARGE or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(text, media_type="application/json")
    async with _PACKING.setdefault(client_of(request.scope), asyncio.Lock()):
        packed = await asyncio.to_thread(lambda: gzip.compress(text.encode(), LEVEL))
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(packed, media_type="application/json", headers=headers)


def as_events(messages: AsyncIterator[str]) -> StreamingResponse:
    """Server-sent events, which no proxy may buffer."""
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(messages, media_type="text/event-stream", headers=headers)
