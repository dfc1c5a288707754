"""The server: what can be asked of it over HTTP, and who answers."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path as FilePath
from typing import Annotated, Any, cast

from attrs import define, field, frozen
from fastapi import Cookie, FastAPI, Header, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Match

from gdl import library
from interpreter.record import Record
from interpreter.web import shapes, tables
from interpreter.web.analyses import Analyses
from interpreter.web.guard import MOST_BODY, Guard
from interpreter.web.shapes import Id
from interpreter.web.store import Event, Json, Store
from interpreter.web.tables import Denied, Late, NoSeat, Table, Tables, Unknown, digest, new_id, new_secret
from interpreter.web.vocabulary import vocabulary
from interpreter.web.workers import Crowded, Lane, Limits, Refused

STATIC = FilePath(__file__).parent / "static"

#: Rule files of one owner, versions of one, and how long a browser keeps who it is (seconds).
MOST_FILES, MOST_VERSIONS, TEN_YEARS = 200, 1000, 10 * 365 * 86_400

#: What is kept of foreign rules to be quick the next time: so many bytes, looked at every so many seconds.
MOST_CACHE, SWEEP = 256_000_000, 600.0

#: A base of a base ... is followed so far.
BASES = 8


@frozen
class Settings:
    """How a server is set up: where its data is, its names besides addresses, whether it counts requests."""

    data: FilePath
    names: frozenset[str] = frozenset({"localhost"})
    limited: bool = True


@define
class Desk:
    """All that the routes work with."""

    store: Store
    tables: Tables
    quick: Lane
    foreign: Lane
    slow: Lane
    analyses: Analyses
    gallery: asyncio.Task[list[Json]] = field(init=False)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self.quick, self.foreign, self.slow, self.analyses.lane

    async def close(self) -> None:
        self.gallery.cancel()
        with suppress(asyncio.CancelledError, Refused):
            await self.gallery
        await self.tables.close()
        await asyncio.gather(*(lane.close() for lane in self.lanes))
        self.store.close()

    async def draw_gallery(self) -> list[Json]:
        """The bundled games with their pictures, from the last time if nothing has changed."""
        key = await asyncio.to_thread(_program)
        known = self.store.gallery(key)
        if known is None:
            asked = [{"do": "about", "rules": {"bundled": name}} for name in library.bundled()]
            # Beside all that people wait for, and not more at once than a client may ask.
            answers = await asyncio.gather(
                *(self.slow.ask(request, client=f"gallery {i % 4}") for i, request in enumerate(asked))
            )
            known = cast("list[Json]", answers)
            self.store.keep_gallery(key, known)
        return known


def _program() -> str:
    """What the gallery looks like depends on the games and the whole program."""
    folders = (FilePath(__file__).parents[1], FilePath(library.__file__).parent, library.folder())
    files = {path for folder in folders for kind in ("*.py", "*.game") for path in folder.rglob(kind)}
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()


def _desk(settings: Settings) -> Desk:
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = Store(settings.data / "gdl.sqlite")
    cache = str(settings.data / "cache")
    processors = os.cpu_count() or 1
    quick = Lane(Limits(most=max(2, processors), spare=1, memory=3000, nice=0, seconds=20.0))
    foreign = Lane(Limits(most=max(8, processors), spare=2, memory=1500, nice=5, seconds=6.0, cache=cache))
    slow = Lane(Limits(most=max(2, processors), spare=1, memory=3000, nice=10, seconds=45.0, cache=cache))
    long = Lane(Limits(most=1, spare=0, memory=3000, nice=15, seconds=120.0, cache=cache))
    return Desk(store, Tables(store, quick, foreign, slow), quick, foreign, slow, Analyses(long))


async def _sweep(folder: FilePath) -> None:
    """Remove the oldest of what is kept of foreign rules, where that is too much."""
    while True:
        await asyncio.to_thread(_remove_oldest, folder)
        await asyncio.sleep(SWEEP)


def _remove_oldest(folder: FilePath) -> None:
    with suppress(OSError):
        files = [(file.stat(), file) for file in folder.rglob("*") if file.is_file()]
        total = 0
        for status, file in sorted(files, key=lambda found: -found[0].st_mtime):
            total += status.st_size
            if total > MOST_CACHE:
                file.unlink(missing_ok=True)


# --- the application -----------------------------------------------------------

Bearer = Annotated[
    str | None,
    Header(alias="Authorization", description="`Bearer SECRET`, the secret of a seat", max_length=200),
]
#: Whose rule files these are; a browser has it without knowing.
Owner = Annotated[str | None, Cookie(max_length=100, include_in_schema=False)]
TableId = Annotated[Id, Path(description="A table")]
FileId = Annotated[Id, Path(description="A rule file")]
GameName = Annotated[str, Path(pattern="^[a-z0-9_]{1,100}$")]
PlyPath = Annotated[int, Path(ge=0, le=tables.MOST_PLIES)]


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    words = {
        403: "Not yours, or from another origin",
        404: "There is none",
        409: "The game stands elsewhere, or there is no room",
        422: "What was asked, or the rules, are at fault",
    }
    return {status: {"model": shapes.Problem, "description": words[status]} for status in statuses}


#: What any request may come to.
ALWAYS: dict[int | str, dict[str, Any]] = {
    400: {"model": shapes.Problem, "description": "Unreadable, or asked of another name"},
    413: {"model": shapes.Problem, "description": "Too large", "content": {"text/plain": {}}},
    422: {"model": shapes.Problem, "description": "What was asked, or the rules, are at fault"},
    429: {"model": shapes.Problem, "description": "Too often"},
    503: {"model": shapes.Problem, "description": "Too much to do, or no room left"},
}
SVG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {}}, "description": "A picture"}}
HTML: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}, "description": "A page"}}
#: A report has styles of its own, and nothing else.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}
}


def create(settings: Settings) -> FastAPI:
    """The application; it starts its processes when it is started."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        desk = app.state.desk = _desk(settings)
        for lane in desk.lanes:
            lane.refill()
        desk.gallery = asyncio.create_task(desk.draw_gallery())
        sweeping = asyncio.create_task(_sweep(settings.data / "cache"))
        try:
            yield
        finally:
            sweeping.cancel()
            await desk.close()

    app = FastAPI(
        title="GDL",
        summary="Play any game, edit any rule, see it at once",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        responses=ALWAYS,
        max_body_size=MOST_BODY,
    )
    _rule_routes(app)
    _record_routes(app)
    _analysis_routes(app)
    _table_routes(app)
    _file_routes(app)
    _page_routes(app)
    _errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(Guard, names=settings.names, limited=settings.limited)
    return app


def _of(request: Request) -> Desk:
    return cast("Desk", request.app.state.desk)


def _client(request: Request, owner: str | None) -> str:
    """Who waits behind itself where foreign rules are worked on."""
    return owner or (request.client.host if request.client else "")


def _errors(app: FastAPI) -> None:
    """What is wrong is told in one sentence."""
    statuses: dict[type[Exception], int] = {
        NoSeat: 403,
        Unknown: 404,
        Late: 409,
        Denied: 409,
        Refused: 422,
        Crowded: 503,
    }

    async def told(request: Request, error: Exception) -> JSONResponse:
        status = next(statuses[kind] for kind in type(error).__mro__ if kind in statuses)
        if isinstance(error, Refused) and error.fault == "unknown":
            status = 404
        return _problem(status, str(error) or "Too many are asking; wait a moment.")

    for kind in statuses:
        app.add_exception_handler(kind, told)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(sorted(_methods(app, request)))
        return JSONResponse({"detail": str(error.detail)}, error.status_code, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(
            str(part) for part in first["loc"][1:] if isinstance(part, int) or part.isidentifier()
        )
        return _problem(422, f"{place or 'The request'}: {first['msg']}.")

    @app.exception_handler(sqlite3.OperationalError)
    async def full(request: Request, error: sqlite3.OperationalError) -> JSONResponse:
        logging.getLogger("uvicorn.error").error("the data cannot be written: %s", error)
        return _problem(503, "There is no room left for this.")


def _methods(app: FastAPI, request: Request) -> set[str]:
    """What can be done with a path, by all its routes."""
    matching = (route for route in app.routes if route.matches(request.scope)[0] != Match.NONE)
    return {method for route in matching for method in getattr(route, "methods", None) or ()}


def _problem(status: int, says: str) -> JSONResponse:
    return JSONResponse({"detail": says.encode("utf-8", "replace").decode()}, status)


def _source(desk: Desk, owner: str | None, rules: shapes.Rules) -> Json:
    """Rules as the processes are told them, and as a table keeps them. Raises Unknown."""
    match rules:
        case shapes.Bundled(bundled=name):
            return {"bundled": name}
        case shapes.Filed(file=file, version=version):
            found = desk.store.file(digest(owner), file, version) if owner else None
            if found is None:
                raise Unknown("You have no such rule file.")
            return _with_bases(desk, owner, found.text)
        case shapes.Written(text=text):
            return _with_bases(desk, owner, text)
        case shapes.Tabled(table=table):
            setting = desk.store.table(table)
            if setting is None:
                raise Unknown("There is no such table.")
            return setting.rules


def _with_bases(desk: Desk, owner: str | None, text: str) -> Json:
    """A rule text with those of one's own files that it may be a variant of."""
    beside = dict[str, str]()
    own, last = None, text
    for _ in range(BASES):
        header = re.search(r'^[ \t]*variant\b[^\n]*?\bof[ \t]*"([^"\n]*)"', last, re.MULTILINE)
        if header is None or owner is None:
            break
        if own is None:
            own = {library.slug(name): content for name, content in desk.store.named(digest(owner))}
        base = library.slug(header[1])
        if base not in own or base in beside:
            break
        beside[base] = last = own[base]
    return {"text": text, "beside": beside} if beside else {"text": text}


# --- rules ---------------------------------------------------------------------


def _rule_routes(app: FastAPI) -> None:
    @app.get("/api/games", response_model=list[shapes.GameShape])
    async def games(request: Request) -> list[Json]:
        """All bundled games."""
        return [
            {**about, "thumbnail": f"/api/games/{about['name']}.svg"}
            for about in await asyncio.shield(_of(request).gallery)
        ]

    @app.get("/api/games/{name}.svg", response_class=Response, responses=SVG | _problems(404))
    async def thumbnail(request: Request, name: GameName) -> Response:
        """A picture of a bundled game."""
        for about in await asyncio.shield(_of(request).gallery):
            if about["name"] == name:
                return _picture(about["picture"], "max-age=3600")
        raise Unknown("There is no such game.")

    @app.get("/api/games/{name}", response_model=shapes.ToCheck, responses=_problems(404))
    async def rules(name: GameName) -> Json:
        """The rule text of a bundled game."""
        if name not in library.bundled():
            raise Unknown("There is no such game.")
        return {"text": library.read(name).text}

    @app.get("/api/words", response_model=list[shapes.Word])
    async def words() -> list[Json]:
        """The words of the language, for completion and help."""
        return vocabulary()

    @app.post("/api/check", response_model=shapes.Checked)
    async def check(request: Request, body: shapes.ToCheck, owner: Owner = None) -> Json:
        """What is wrong with a rule text."""
        desk = _of(request)
        asked = {"do": "check", "rules": _with_bases(desk, owner, body.text)}
        try:
            return cast("Json", await desk.foreign.ask(asked, client=_client(request, owner)))
        except Refused as error:
            fault = {
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 2,
                "severity": "error",
                "hint": None,
            }
            return {
                "ok": False,
                "game": None,
                "diagnostics": [{**fault, "file": None, "message": str(error)}],
            }

    @app.post("/api/format", response_model=shapes.ToCheck)
    async def tidy(request: Request, body: shapes.ToCheck, owner: Owner = None) -> Json:
        """A rule text in the usual look: what it means stays the same, what cannot be read is left alone."""
        asked = {"do": "format", "text": body.text}
        return cast("Json", await _of(request).foreign.ask(asked, client=_client(request, owner)))

    @app.post("/api/preview", response_model=shapes.Preview, responses=_problems(404))
    async def preview(request: Request, body: shapes.ToPreview, owner: Owner = None) -> JSONResponse:
        """The position after some moves by any rules."""
        desk = _of(request)
        rules = _source(desk, owner, body.rules)
        asked = {"do": "view", "rules": rules, "options": body.options, "moves": body.moves}
        if "text" in rules:
            asked["engine"] = "reference"  # a text that is being written is not worth compiling
        client = _client(request, owner)
        return JSONResponse(await desk.tables.lane(rules).ask(asked, client=client, key=f"preview {client}"))


def _picture(svg: str, cache: str) -> Response:
    headers = {
        "Cache-Control": cache,
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return Response(svg, media_type="image/svg+xml", headers=headers)


# --- tables --------------------------------------------------------------------


def _secret(bearer: str | None) -> str | None:
    """The secret that is sent with a request."""
    scheme, _, secret = (bearer or "").partition(" ")
    return secret if scheme.lower() == "bearer" else None


def _table_routes(app: FastAPI) -> None:
    @app.post("/api/tables", response_model=shapes.Opened, status_code=201, responses=_problems(404))
    async def open_table(request: Request, body: shapes.ToOpen, owner: Owner = None) -> Json:
        """Open a table, for a new game or one that goes on. Who has the secret of a seat moves for it."""
        desk = _of(request)
        rules = _source(desk, owner, body.rules)
        people = {"first": body.first, "second": body.second}
        table, seats = await desk.tables.make(
            _client(request, owner), rules, dict(body.options), people, body.moves, body.resigned
        )
        return {"id": table.setting.id, "seats": seats}

    @app.get("/api/tables/{table}", response_model=shapes.TableShape, responses=_problems(404))
    async def show_table(request: Request, table: TableId, bearer: Bearer = None) -> JSONResponse:
        """A table, and where its game stands."""
        found = await _of(request).tables.find(table)
        setting = found.setting
        return JSONResponse(
            {
                "id": setting.id,
                "title": setting.title,
                "rules": {key: setting.rules[key] for key in ("bundled", "text") if key in setting.rules},
                "options": setting.options,
                "board": found.board,
                "players": found.colours,
                "people": setting.players,
                "you": found.seat(_secret(bearer)),
                "plies": found.ply,
                "record": _record(found),
                **tables.state(found),
            }
        )

    @app.get("/api/tables/{table}/plies/{ply}", response_model=shapes.ViewShape, responses=_problems(404))
    async def show_ply(request: Request, table: TableId, ply: PlyPath) -> JSONResponse:
        """The position after so many moves."""
        desk = _of(request)
        return JSONResponse(await desk.tables.at(await desk.tables.find(table), ply))

    @app.get(
        "/api/tables/{table}/plies/{ply}/picture",
        response_class=Response,
        responses=SVG | _problems(404),
    )
    async def draw_ply(request: Request, table: TableId, ply: PlyPath) -> Response:
        """The position after so many moves as SVG."""
        desk = _of(request)
        return _picture(await desk.tables.picture(await desk.tables.find(table), ply), "no-store")

    @app.post("/api/tables/{table}/moves", response_model=shapes.Done, responses=_problems(403, 404, 409))
    async def move(request: Request, table: TableId, body: shapes.ToMove, bearer: Bearer = None) -> Json:
        """Make a move."""
        desk = _of(request)
        found = await desk.tables.find(table)
        return _done(await desk.tables.play(found, _secret(bearer), body.ply, body.move))

    @app.post("/api/tables/{table}/undo", response_model=shapes.Done, responses=_problems(403, 404, 409))
    async def undo(request: Request, table: TableId, body: shapes.ToAct, bearer: Bearer = None) -> Json:
        """Take back your last move: at once from a machine, from a person when they ask, too."""
        desk = _of(request)
        return _done(await desk.tables.undo(await desk.tables.find(table), _secret(bearer), body.ply))

    @app.post("/api/tables/{table}/resign", response_model=shapes.Done, responses=_problems(403, 404, 409))
    async def resign(request: Request, table: TableId, body: shapes.ToAct, bearer: Bearer = None) -> Json:
        """Give up."""
        desk = _of(request)
        return _done(await desk.tables.resign(await desk.tables.find(table), _secret(bearer), body.ply))

    @app.post("/api/tables/{table}/hint", response_model=shapes.Hint, responses=_problems(403, 404, 409))
    async def hint(request: Request, table: TableId, body: shapes.ToAct, bearer: Bearer = None) -> Json:
        """Think for a second, and show the best moves."""
        desk = _of(request)
        return await desk.tables.hint(await desk.tables.find(table), _secret(bearer), body.ply)

    @app.get(
        "/api/tables/{table}/events",
        response_class=StreamingResponse,
        responses=EVENTS | _problems(403, 404),
    )
    async def events(
        request: Request,
        table: TableId,
        after: Annotated[int | None, Query(ge=0, le=10**9)] = None,
        last_event_id: Annotated[str | None, Header(max_length=20)] = None,
    ) -> StreamingResponse:
        """What happens at a table, after the event of this number; else first how it stands."""
        desk = _of(request)
        found = await desk.tables.find(table)
        if len(found.watchers) >= tables.WATCHERS:
            raise Crowded("Too many watch this table.")
        seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else after
        return StreamingResponse(
            desk.tables.watch(found, seen),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )


def _done(event: Event) -> Json:
    return {"number": event.number, "kind": event.kind, "ply": event.ply, "move": event.move}


def _record(table: Table) -> str:
    """The game so far in the format of records."""
    setting, view = table.setting, table.shown
    result, resigned = view["result"], table.resigned
    return str(
        Record(
            game=setting.title,
            options=setting.options,
            first=setting.players["first"],
            second=setting.players["second"],
            result="*" if result is None else result["winner"] or "draw",
            moves=tuple(table.moves),
            resigned=resigned is not None and resigned == view["person"],
        )
    )


# --- records and analyses ----------------------------------------------------------


def _record_routes(app: FastAPI) -> None:
    @app.post("/api/records", response_model=list[shapes.RecordShape])
    async def records(request: Request, body: shapes.ToCheck, owner: Owner = None) -> list[Json]:
        """The games of a file of records, as they can be opened at a table."""
        desk = _of(request)
        asked = {"do": "records", "text": body.text}
        read = await desk.foreign.ask(asked, client=_client(request, owner))
        return [_readable(desk, owner, record) for record in read["records"]]


def _readable(desk: Desk, owner: str | None, record: Json) -> Json:
    """A record with its rules, or with what keeps it from being opened."""
    if "fault" in record:
        return record
    rules = _rules_of(desk, owner, {library.slug(record["game"]), library.slug(_stem(record["file"]))} - {""})
    fault = None
    if rules is None:
        fault = f"No game here and no rule file of yours is called “{record['game'][:80]}”."
    elif len(record["moves"]) > tables.MOST_PLIES:
        fault = f"This game has more than {tables.MOST_PLIES:,} moves."
    return {**record, "rules": rules, "fault": fault}


def _stem(file: str | None) -> str:
    """The name of a rule file without its folders."""
    return re.split(r"[/\\]", file or "")[-1].removesuffix(".game")


def _rules_of(desk: Desk, owner: str | None, slugs: set[str]) -> Json | None:
    """The bundled game, else the file of one's own, of one of these names."""
    bundled = sorted(slugs & set(library.bundled()))
    if bundled:
        return {"bundled": bundled[0]}
    files = desk.store.files(digest(owner)) if owner else []
    return next(({"file": file.id} for file in files if library.slug(file.name) in slugs), None)


def _analysis_routes(app: FastAPI) -> None:
    @app.post("/api/analyses", response_class=StreamingResponse, responses=EVENTS | _problems(404, 409))
    async def analyse(request: Request, body: shapes.ToAnalyse, owner: Owner = None) -> StreamingResponse:
        """Let a machine play against itself for half a minute, and say what its games say of the rules.

        The answer is a stream of events: `progress`, then `report` or `trouble`. Whoever closes it ends it.
        """
        desk, client = _of(request), _client(request, owner)
        rules = _source(desk, owner, body.rules)
        desk.analyses.admit(client)
        return StreamingResponse(
            desk.analyses.run(client, rules, dict(body.options)),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )

    @app.get(
        "/api/analyses/{analysis}",
        response_class=Response,
        responses=HTML | _problems(404),
    )
    async def show_analysis(
        request: Request, analysis: Annotated[Id, Path(description="An analysis")]
    ) -> Response:
        """The report of an analysis, which can do nothing but be looked at."""
        return Response(
            _of(request).analyses.page(analysis),
            media_type="text/html",
            headers={"Content-Security-Policy": REPORT_POLICY},
        )


# --- rule files ------------------------------------------------------------------


def _file_routes(app: FastAPI) -> None:
    def own(desk: Desk, owner: str | None, file: str, version: int | None = None) -> Any:
        found = desk.store.file(digest(owner), file, version) if owner else None
        if found is None:
            raise Unknown("You have no such rule file.")
        return found

    def as_shape(found: Any) -> Json:
        return {name: getattr(found, name) for name in ("id", "name", "version", "made", "text")}

    @app.get("/api/files", response_model=list[shapes.Listed])
    async def files(request: Request, owner: Owner = None) -> list[Json]:
        """Your rule files."""
        return [as_shape(file) for file in _of(request).store.files(digest(owner))] if owner else []

    @app.post("/api/files", response_model=shapes.FileShape, status_code=201, responses=_problems(409))
    async def add(request: Request, response: Response, body: shapes.ToFile, owner: Owner = None) -> Json:
        """Keep a rule file. A browser without any is given the cookie by which it is known."""
        desk = _of(request)
        if not owner:
            owner = new_secret()
            response.set_cookie(
                "owner", owner, max_age=TEN_YEARS, path="/api", httponly=True, samesite="strict"
            )
        if len(desk.store.files(digest(owner))) >= MOST_FILES:
            raise Denied(f"You have {MOST_FILES} rule files already.")
        file = new_id()
        desk.store.add_file(digest(owner), file, body.name, body.text)
        return as_shape(own(desk, owner, file))

    @app.get("/api/files/{file}", response_model=shapes.FileShape, responses=_problems(404))
    async def show(
        request: Request,
        file: FileId,
        version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
        owner: Owner = None,
    ) -> Json:
        """A rule file; the newest version, if no other is asked for."""
        return as_shape(own(_of(request), owner, file, version))

    @app.put("/api/files/{file}", response_model=shapes.FileShape, responses=_problems(404, 409))
    async def save(request: Request, file: FileId, body: shapes.ToSave, owner: Owner = None) -> Json:
        """Save the next version of a rule file; a text that is the same makes none."""
        desk = _of(request)
        found = own(desk, owner, file)
        name = body.name or found.name
        if body.text == found.text:
            desk.store.rename(file, name)
        elif found.version >= MOST_VERSIONS:
            raise Denied(f"This file has {MOST_VERSIONS} versions already.")
        else:
            desk.store.add_version(file, name, found.version + 1, body.text)
        return as_shape(own(desk, owner, file))

    @app.get("/api/files/{file}/versions", response_model=list[shapes.VersionShape], responses=_problems(404))
    async def versions(request: Request, file: FileId, owner: Owner = None) -> list[Json]:
        """The versions of a rule file, the oldest first."""
        desk = _of(request)
        own(desk, owner, file)
        return [{"version": version, "made": made} for version, made in desk.store.versions(file)]

    @app.delete("/api/files/{file}", status_code=204, responses=_problems(404))
    async def remove(request: Request, file: FileId, owner: Owner = None) -> None:
        """Remove a rule file with all its versions."""
        desk = _of(request)
        own(desk, owner, file)
        desk.store.remove_file(file)


# --- pages -----------------------------------------------------------------------


class _Files(StaticFiles):
    """The files of the pages; a browser asks each time whether they have changed."""

    def file_response(self, *args: Any, **keywords: Any) -> Response:
        response = super().file_response(*args, **keywords)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _page_routes(app: FastAPI) -> None:
    app.mount("/static", _Files(directory=STATIC), name="static")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        """The one page; what it shows stands behind the # of its address."""
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})
