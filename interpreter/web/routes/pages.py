"""The one page of the browser, and its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

router = APIRouter()

STATIC = Path(__file__).parents[1] / "static"


#: What a browser shows at any other address.
NOWHERE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GDL</title>
<link rel="stylesheet" href="/static/style.css">
<main><p>There is no such page. <a href="/">All games</a></p></main>
</html>
"""


class _Files(StaticFiles):
    """The files of the pages; a browser asks each time whether they have changed."""

    def file_response(self, *args: Any, **keywords: Any) -> Response:
        response = super().file_response(*args, **keywords)
        response.headers["Cache-Control"] = "no-cache"
        return response


FILES = _Files(directory=STATIC)


@router.get("/", include_in_schema=False)
async def page() -> FileResponse:
    """The page; what it shows depends on the part of its address after the #."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})
