"""Analyses: their progress and their reports."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from fastapi.responses import StreamingResponse

from interpreter.web import shapes
from interpreter.web.routes import EVENTS, Client, InHall, Owner, as_events, problems, source
from interpreter.web.shapes import Id

router = APIRouter()

HTML: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}, "description": "A page"}}
#: A report has its own styles, and nothing else.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)


@router.post("/api/analyses", response_class=StreamingResponse, responses=EVENTS | problems(404, 409))
async def analyse(
    hall: InHall, client: Client, body: shapes.ToAnalyse, owner: Owner = None
) -> StreamingResponse:
    """Let a machine play against itself for half a minute, and report what its games show about the rules.

    The answer is a stream of events: `progress`, then `report` or `trouble`. Closing it ends the analysis.
    """
    rules = source(hall, owner, body.rules)
    return as_events(await hall.analyses.start(client, rules, dict(body.options)))


@router.get(
    "/api/analyses/{analysis}",
    response_class=Response,
    responses=HTML | problems(404),
)
async def show_analysis(hall: InHall, analysis: Annotated[Id, Path(description="An analysis")]) -> Response:
    """The report of an analysis, which can only be looked at."""
    return Response(
        hall.analyses.page(analysis),
        media_type="text/html",
        headers={"Content-Security-Policy": REPORT_POLICY},
    )
