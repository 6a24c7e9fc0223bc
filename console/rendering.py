"""Rendering of the console's pages: one template a room, and headers that keep a page to itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from core.language.sentences import Sentences, sentences

HERE = Path(__file__).parent
STATIC = HERE / "static"
# Nothing comes from elsewhere, nothing runs, nothing is framed, kept or passed on.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(
    name: str,
    say: Sentences,
    values: Mapping[str, Any],
    *,
    status: int = 200,
) -> HTMLResponse:
    """The page that this template makes of the values."""
    text = TEMPLATES.get_template(f"{name}.html.j2").render(say=say, **values)
    return HTMLResponse(text, status, headers=HEADERS)


def spoken(request: Request) -> Sentences:
    """In the first language that the browser asks for."""
    first = request.headers.get("accept-language", "").split(",")[0]
    return sentences(first.split(";")[0].strip())
