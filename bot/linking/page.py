"""A page for a browser: one template, and headers that keep what it shows to itself."""

from __future__ import annotations

import secrets
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from core.language.sentences import Sentences, sentences

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
)


def page(
    say: Sentences,
    *paragraphs: str,
    form: str = "",
    fields: tuple[str, ...] = (),
    status: int = 200,
    then: str = "",
    heading: str = "",
) -> HTMLResponse:
    """Paragraphs, and with `form`, a ticket, a form with these fields.

    `then` is the address to which the form leads on: browsers count that as a part of the form.
    """
    nonce = secrets.token_urlsafe(16)
    text = TEMPLATES.get_template("page.html.j2").render(
        language=say.language,
        heading=heading or say("link-page-heading"),
        paragraphs=paragraphs,
        form=form,
        labels={name: say(f"link-field-{name}") for name in fields},
        go_on=say("link-go-on"),
        nonce=nonce,
    )
    return HTMLResponse(text, status, headers=_headers(nonce, then))


def spoken(request: Request) -> Sentences:
    """Somebody whom we do not know is spoken to as the browser asks."""
    first = request.headers.get("accept-language", "").split(",")[0]
    return sentences(first.split(";")[0].strip())


def _headers(nonce: str, then: str) -> dict[str, str]:
    """Nothing is loaded, framed, kept or passed on."""
    address = urlsplit(then)
    actions = f"'self' {address.scheme}://{address.netloc}" if then else "'self'"
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; form-action {actions}; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
