"""The server as an application: its routes, what comes before them, and how it reports errors."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Match

from interpreter.errors import printable
from interpreter.web import shapes
from interpreter.web.denied import Denied, Late, NoSeat, Unknown
from interpreter.web.guard import HEADERS, MOST_BODY, SAFE, Guard
from interpreter.web.hall import Settings, opened
from interpreter.web.routes import LEVEL, analyses, files, pages, records, rules, tables
from interpreter.web.store import Full, Gone
from interpreter.web.workers import Crowded, Refused

#: The errors that any request may end in.
ALWAYS: dict[int | str, dict[str, Any]] = {
    400: {"model": shapes.Problem, "description": "Unreadable, or meant for another host"},
    413: {"model": shapes.Problem, "description": "Too large", "content": {"text/plain": {}}},
    422: {"model": shapes.Problem, "description": "The request or the rules are at fault"},
    429: {"model": shapes.Problem, "description": "Too many requests"},
    500: {"model": shapes.Problem, "description": "The server or its data are at fault"},
    503: {"model": shapes.Problem, "description": "Too much to do, or no room left"},
}
#: The status of each error.
STATUSES: dict[type[Exception], int] = {
    NoSeat: 403,
    Unknown: 404,
    Gone: 404,
    Late: 409,
    Denied: 409,
    Refused: 422,
    Crowded: 503,
    Full: 503,
}


def create(settings: Settings) -> FastAPI:
    """The application; its processes start when it does."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opened(settings) as app.state.hall:
            yield

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
    for kind in (tables, rules, records, analyses, files, pages):
        app.include_router(kind.router)
    app.mount("/static", pages.FILES, name="static")
    _errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=LEVEL)
    app.add_middleware(Guard, names=settings.names, limited=settings.limited)
    return app


def _errors(app: FastAPI) -> None:
    """Report every error in one sentence."""

    async def told(request: Request, error: Exception) -> JSONResponse:
        status = next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
        if isinstance(error, Refused) and error.fault == "unknown":
            status = 404
        return _problem(status, str(error) or "Too many are asking; wait a moment.")

    for kind in STATUSES:
        app.add_exception_handler(kind, told)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and "text/html" in request.headers.get("Accept", ""):
            return HTMLResponse(pages.NOWHERE, 404)
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

    @app.exception_handler(sqlite3.DatabaseError)
    async def unkept(request: Request, error: sqlite3.DatabaseError) -> JSONResponse:
        logging.getLogger("uvicorn.error").error("the data cannot be used: %s", printable(str(error)))
        code = getattr(error, "sqlite_errorcode", None)
        # Python's library finds text that is not UTF-8 itself, and has no code for that.
        if code is None or not isinstance(error, sqlite3.OperationalError):
            return _problem(500, "The data of this server are damaged.")
        if code == sqlite3.SQLITE_FULL:
            return _problem(503, "There is no room left for this.")
        return _problem(503, f"This cannot be {'read' if request.method in SAFE else 'written down'} now.")

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": "Something is wrong with this server."}, 500, HEADERS)


def _methods(app: FastAPI, request: Request) -> set[str]:
    """The methods that the routes of a path allow."""
    matching = (route for route in app.routes if route.matches(request.scope)[0] != Match.NONE)
    return {method for route in matching for method in getattr(route, "methods", None) or ()}


def _problem(status: int, says: str) -> JSONResponse:
    return JSONResponse({"detail": says.encode("utf-8", "replace").decode()}, status)
