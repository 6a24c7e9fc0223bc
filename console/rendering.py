"""Rendering of the console's pages: one template a room, and headers that keep a page to itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
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
    # With no-referrer Chromium says of its own forms that they come from nowhere (`Origin: null`).
    "Referrer-Policy": "same-origin",
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

# Tables, lists and bold as an answer has them; what a page wrote links nowhere and loads nothing.
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
_MARKDOWN.disable(["link", "autolink", "image", "reference", "html_inline", "html_block"])


def written(text: str) -> Markup:
    """The Markdown of an answer as HTML."""
    return Markup(_MARKDOWN.render(text))  # noqa: S704  (markdown-it escapes all of it)


TEMPLATES.filters["written"] = written


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
