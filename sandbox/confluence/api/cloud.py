"""The REST API: the calls of Confluence Cloud that a program needs which reads a site.

Left out: writing; the control API does that.
Addresses under https://developer.atlassian.com/cloud/confluence/ are cut to `…/rest/`.
"""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api import page_parts, permissions
from sandbox.confluence.api.lookup import account_of, content_of, entry_of, found_by_cql
from sandbox.confluence.api.paging import (
    MAX_LIMIT,
    base_of,
    cut,
    cut_of,
    limit_of,
    offset_page,
    sent_json,
    values_of,
)
from sandbox.confluence.api.shapes import (
    entry_json,
    label_json,
    person_json,
    restriction_json,
    space_json,
    v1_list,
)
from sandbox.confluence.site.content import Entry, space_id

# Without `status` a listing shows these: `status` of
# https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-get
# (archived ones are included), and of
# https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-blog-post/#api-blogposts-get
# (they are not).
LISTED = {"page": ["current", "archived"], "blogpost": ["current"]}


# What CQL finds. No listing of v2 shows a space's whiteboards, databases, folders or Smart Links.
SEARCHED = ("blogpost", "page", "whiteboard", "database", "folder", "embed")


async def get_spaces(request: Request) -> Response:
    """…/rest/v2/api-group-space/#api-spaces-get"""
    content = content_of(request)
    keys, ids = values_of(request, "keys"), values_of(request, "ids")
    seen = [key for key in content.space_keys() if content.sees_space(account_of(request), key)]
    spaces = [space_json(content, key) for key in seen]
    chosen = [s for s in spaces if (not keys or s["key"] in keys) and (not ids or s["id"] in ids)]
    return cut(request, sorted(chosen, key=lambda space: int(space["id"])))


async def get_pages(request: Request) -> Response:
    """…/rest/v2/api-group-page/#api-pages-get"""
    return _listing(request, "page")


async def get_blogposts(request: Request) -> Response:
    """…/rest/v2/api-group-blog-post/#api-blogposts-get"""
    return _listing(request, "blogpost")


def _listing(request: Request, kind: str) -> Response:
    wanted = {
        "id": values_of(request, "id"),
        "space-id": values_of(request, "space-id"),
        "title": request.query_params.getlist("title"),
    }
    if len(wanted["id"]) > MAX_LIMIT:
        raise HTTPException(400, f"at most {MAX_LIMIT} ids can be asked for at once")
    statuses = values_of(request, "status") or LISTED[kind]
    content = content_of(request)
    candidates = content.of_kind(kind)
    if wanted["id"]:
        candidates = [content.entries[i] for i in wanted["id"] if i in content.entries]
    entries = []
    for entry in candidates:
        is_asked_for = entry.kind == kind and entry.status in statuses and _fits(entry, wanted)
        if is_asked_for and content.is_shown(account_of(request), entry):
            entries.append(entry)
    entries.sort(key=lambda entry: int(entry.id))
    with_body = _with_body(request)
    return cut_of(
        request,
        entries,
        key=lambda entry: entry.id,
        shape=lambda entry: entry_json(content, entry, with_body=with_body),
    )


def _fits(entry: Entry, wanted: dict[str, list[str]]) -> bool:
    actual = {"id": entry.id, "space-id": space_id(entry.space), "title": entry.title}
    return all(not values or actual[name] in values for name, values in wanted.items())


def _with_body(request: Request) -> bool:
    """Whether a body was asked for; `storage` is the only supported format."""
    asked = request.query_params.get("body-format")
    if asked not in (None, "storage"):
        raise HTTPException(
            400, f"body-format {asked} is not supported by this stand-in: use storage"
        )
    return asked is not None


async def get_page(request: Request) -> Response:
    """…/rest/v2/api-group-page/#api-pages-id-get"""
    return _single(request, "page")


async def get_blogpost(request: Request) -> Response:
    """…/rest/v2/api-group-blog-post/#api-blogposts-id-get"""
    return _single(request, "blogpost")


def _single(request: Request, kind: str) -> Response:
    # The documentation names no default for `status` here: the one of the listing is used.
    content = content_of(request)
    entry = entry_of(request, kind, values_of(request, "status") or LISTED[kind])
    return JSONResponse(entry_json(content, entry, with_body=_with_body(request)))


async def get_folder(request: Request) -> Response:
    """…/rest/v2/api-group-folder/#api-folders-id-get"""
    entry = entry_of(request, "folder", ["current"])
    return JSONResponse(entry_json(content_of(request), entry, with_body=False))


async def search(request: Request) -> Response:
    """…/rest/v1/api-group-content/#api-wiki-rest-api-content-search-get"""
    found: list[dict[str, Any]] = []
    for entry in found_by_cql(request, SEARCHED):
        shown: dict[str, Any] = {"id": entry.id, "type": entry.kind, "title": entry.title}
        shown |= {"status": entry.status, "_links": {"webui": entry.webui}}
        expand = request.query_params.get("expand", "").split(",")
        if "version" in expand:
            shown |= {"version": {"number": entry.version}}
        if "metadata.labels" in expand:
            labels = [label_json(name) for name in entry.labels]
            shown |= {"metadata": {"labels": v1_list(labels)}}
        if "restrictions.read.restrictions.user" in expand:
            read = restriction_json(content_of(request), entry)
            shown |= {"restrictions": {"read": read}}
        found.append(shown)
    return offset_page(request, found)


async def get_ancestors(request: Request) -> Response:
    """…/rest/v2/api-group-ancestors/#api-pages-id-ancestors-get

    The highest first; with more than `limit` of them the nearest are shown, and the rest is asked
    of the first one shown.
    """
    path = content_of(request).ancestors(entry_of(request, "page"))
    nearest = [{"id": above.id, "type": above.kind} for above in path[-limit_of(request) :]]
    return JSONResponse({"results": nearest, "_links": {"base": base_of(request)}})


async def get_blogpost_ancestors(request: Request) -> Response:
    """Blog posts stand under nothing."""
    entry_of(request, "blogpost")
    return JSONResponse({"results": [], "_links": {"base": base_of(request)}})


async def get_page_labels(request: Request) -> Response:
    """…/rest/v2/api-group-label/#api-pages-id-labels-get"""
    return _labels(request, "page")


async def get_blogpost_labels(request: Request) -> Response:
    """…/rest/v2/api-group-label/#api-blogposts-id-labels-get"""
    return _labels(request, "blogpost")


def _labels(request: Request, kind: str) -> Response:
    labels = [label_json(name) for name in entry_of(request, kind).labels]
    return cut(request, sorted(labels, key=lambda label: int(label["id"])))


async def post_users_bulk(request: Request) -> Response:
    """…/rest/v2/api-group-user/#api-users-bulk-post

    Unknown ids are left out.
    """
    sent = await sent_json(request)
    people = content_of(request).people
    known = [account for account in sent.get("accountIds", []) if account in people]
    found = [person_json(people[account]) for account in known]
    return JSONResponse({"results": found, "_links": {"base": base_of(request)}})


ROUTES = [
    Route("/wiki/rest/api/content/search", search),
    Route("/wiki/api/v2/spaces", get_spaces),
    Route("/wiki/api/v2/pages", get_pages),
    Route("/wiki/api/v2/pages/{id}", get_page),
    Route("/wiki/api/v2/pages/{id}/labels", get_page_labels),
    Route("/wiki/api/v2/pages/{id}/ancestors", get_ancestors),
    Route("/wiki/api/v2/blogposts", get_blogposts),
    Route("/wiki/api/v2/blogposts/{id}", get_blogpost),
    Route("/wiki/api/v2/blogposts/{id}/labels", get_blogpost_labels),
    Route("/wiki/api/v2/blogposts/{id}/ancestors", get_blogpost_ancestors),
    Route("/wiki/api/v2/folders/{id}", get_folder),
    *permissions.ROUTES,
    *page_parts.ROUTES,
    Route("/wiki/api/v2/users-bulk", post_users_bulk, methods=["POST"]),
]
