"""Pages for people: the site, a space, one page, so that source links of the demo open."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from sandbox.confluence.pages.render import render
from sandbox.confluence.site.content import Content, Entry

# Should the whitelist of `render` ever leak something, the browser still runs and loads nothing.
POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
)


async def show_page(request: Request) -> Response:
    """One page; its id alone decides, so a link with an old title still arrives."""
    content: Content = request.app.state.content
    entry = content.entries.get(request.path_params["id"])
    if entry is None or entry.status == "trashed":
        raise HTTPException(404, "this page does not exist")
    return _html(
        "page.html.j2",
        entry=entry,
        path=content.ancestors(entry),
        body=_body(content, entry),
        **_names(content, entry),
    )


def _body(content: Content, entry: Entry) -> Markup:
    # Safe: `render` escapes all text and lets known markup through.
    return Markup(render(content, entry))


def _names(content: Content, entry: Entry) -> dict[str, str]:
    owner = content.people.get(entry.owner)
    return {
        "space_name": content.space_names.get(entry.space, entry.space),
        "owner": owner.name if owner else "",
    }


async def show_space(request: Request) -> Response:
    """The pages of a space as a tree, then its blog posts."""
    content: Content = request.app.state.content
    key = request.path_params["key"]
    if key not in content.space_keys():
        raise HTTPException(404, "this space does not exist")
    entries = [*content.of_kind("page"), *content.of_kind("blogpost")]
    shown = [e for e in entries if e.space == key and e.status == "current"]
    ids = {entry.id for entry in shown}
    tops = [entry for entry in shown if entry.parent_id not in ids]
    return _html(
        "space.html.j2",
        key=key,
        space_name=content.space_names.get(key, key),
        tops=tops,
        content=content,
    )


async def show_site(request: Request) -> Response:
    """All spaces."""
    content: Content = request.app.state.content
    spaces = [(key, content.space_names.get(key, key)) for key in content.space_keys()]
    return _html("site.html.j2", spaces=spaces)


def _html(template: str, **values: object) -> Response:
    return HTMLResponse(TEMPLATES.get_template(template).render(values), headers=POLICY)


ROUTES = [
    Route("/wiki", show_site),
    Route("/wiki/spaces/{key}", show_space),
    Route("/wiki/spaces/{key}/pages/{id}", show_page),
    Route("/wiki/spaces/{key}/pages/{id}/{slug:path}", show_page),
    Route("/wiki/spaces/{key}/blog/{year}/{month}/{day}/{id}/{slug:path}", show_page),
]
