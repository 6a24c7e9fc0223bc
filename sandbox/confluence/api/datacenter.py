"""The same site as a Data Center: REST API v1 under /confluence, with a personal access token.

https://developer.atlassian.com/server/confluence/rest/
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.datacenter_shapes import (
    BASE,
    attachment_json,
    base_of,
    comment_json,
    content_json,
    key_of,
    person_json,
    restrictions_json,
    space_json,
)
from sandbox.confluence.api.lookup import account_of, content_of, entry_of, found_by_cql
from sandbox.confluence.api.page_parts import get_download
from sandbox.confluence.api.paging import kept_query, offset_page
from sandbox.confluence.site.content import Entry, Person, space_id


async def get_spaces(request: Request) -> Response:
    """api-group-space: `spaceKey` may be given several times."""
    wanted = request.query_params.getlist("spaceKey")
    content = content_of(request)
    seen = [key for key in content.space_keys() if content.sees_space(account_of(request), key)]
    keys = [key for key in seen if not wanted or key in wanted]
    return offset_page(request, [space_json(content, key) for key in keys])


async def get_scan(request: Request) -> Response:
    """api-group-content-resource, `content/scan`: since 7.18, with a cursor."""
    if not request.app.state.has_scan:
        raise HTTPException(request.app.state.no_scan, "null for uri: /rest/api/content/scan")
    entries = _entries_of(request)
    cursor = request.query_params.get("cursor")
    seen = int(urlsafe_b64decode(cursor)) if cursor else 0
    rest = [entry for entry in entries if int(entry.id) > seen]
    limit = min(int(request.query_params.get("limit", "25")), request.app.state.cap)
    links = {"base": base_of(request), "context": BASE}
    if len(rest) > limit:
        kept = kept_query(request, without=("cursor",))
        last = urlsafe_b64encode(rest[limit - 1].id.encode()).decode()
        links["next"] = f"/rest/api/content/scan?{kept}&cursor={last}"
    results = [content_json(request, entry) for entry in rest[:limit]]
    return JSONResponse({"results": results, "limit": limit, "_links": links})


async def get_contents(request: Request) -> Response:
    """api-group-content-resource, `content`: with offsets."""
    return offset_page(request, [content_json(request, entry) for entry in _entries_of(request)])


async def get_content(request: Request) -> Response:
    """api-group-content-resource, `content/{id}`: current ones unless `status=any`."""
    statuses = None if request.query_params.get("status") == "any" else ["current"]
    return JSONResponse(content_json(request, entry_of(request, statuses=statuses)))


async def search(request: Request) -> Response:
    """api-group-content-resource, `content/search`"""
    return offset_page(request, [content_json(request, entry) for entry in found_by_cql(request)])


async def get_restriction(request: Request) -> Response:
    """api-group-content-restrictions, by operation."""
    return JSONResponse(restrictions_json(content_of(request), entry_of(request)))


async def get_labels(request: Request) -> Response:
    """api-group-content-labels"""
    names = entry_of(request).labels
    labels = [{"prefix": "global", "name": name, "id": space_id(name)} for name in names]
    return offset_page(request, labels)


async def get_comments(request: Request) -> Response:
    """api-group-child-content, comments of all depths."""
    content, entry = content_of(request), entry_of(request)
    return offset_page(request, [comment_json(content, each) for each in entry.comments])


async def get_attachments(request: Request) -> Response:
    """api-group-attachments"""
    entry = entry_of(request)
    return offset_page(request, [attachment_json(entry, file) for file in entry.files])


async def get_space_permissions(request: Request) -> Response:
    """api-group-space-permissions, since 9.1: a plain list."""
    if not content_of(request).sees_space(account_of(request), request.path_params["key"]):
        raise HTTPException(404, "there is no such space")
    users, groups = content_of(request).readers_of_space(request.path_params["key"])
    subjects = [{"type": "user", "userKey": key_of(content_of(request), user)} for user in users]
    subjects += [{"type": "group", "name": group} for group in groups]
    operation = {"targetType": "space", "operationKey": "read"}
    shared = {"operation": operation, "spaceKey": request.path_params["key"]}
    return JSONResponse([{**shared, "subject": subject} for subject in subjects])


async def get_groups(request: Request) -> Response:
    """api-group-user-group"""
    names = content_of(request).group_names()
    return offset_page(request, [{"type": "group", "name": name} for name in names])


async def get_members(request: Request) -> Response:
    """api-group-user-group, members"""
    content = content_of(request)
    members = content.members(request.path_params["name"])
    return offset_page(request, [person_json(content, account) for account in members])


async def get_user(request: Request) -> Response:
    """api-group-user: by key or by username."""
    return JSONResponse(person_json(content_of(request), _person_of(request).account_id))


async def get_memberof(request: Request) -> Response:
    """api-group-user, the groups of one person."""
    content, person = content_of(request), _person_of(request)
    names = [name for name in content.group_names() if person.account_id in content.members(name)]
    return offset_page(request, [{"type": "group", "name": name} for name in names])


def _person_of(request: Request) -> Person:
    key, username = request.query_params.get("key"), request.query_params.get("username")
    for person in content_of(request).people.values():
        if person.key == key or person.username == username:
            return person
    raise HTTPException(404, "no such user")


def _entries_of(request: Request) -> list[Entry]:
    space, kind = request.query_params.get("spaceKey"), request.query_params.get("type", "page")
    content = content_of(request)
    entries = [entry for entry in content.of_kind(kind) if entry.space == space]
    current = [entry for entry in entries if entry.status == "current"]
    return [each for each in current if content.is_shown(account_of(request), each)]


_API = f"{BASE}/rest/api"

ROUTES = [
    Route(f"{BASE}/download/attachments/{{id}}/{{name}}", get_download),
    Route(f"{_API}/space", get_spaces),
    Route(f"{_API}/space/{{key}}/permissions", get_space_permissions),
    Route(f"{_API}/content", get_contents),
    Route(f"{_API}/content/scan", get_scan),
    Route(f"{_API}/content/search", search),
    Route(f"{_API}/content/{{id}}", get_content),
    Route(f"{_API}/content/{{id}}/restriction/byOperation/read", get_restriction),
    Route(f"{_API}/content/{{id}}/label", get_labels),
    Route(f"{_API}/content/{{id}}/child/comment", get_comments),
    Route(f"{_API}/content/{{id}}/child/attachment", get_attachments),
    Route(f"{_API}/group", get_groups),
    Route(f"{_API}/group/{{name}}/member", get_members),
    Route(f"{_API}/user", get_user),
    Route(f"{_API}/user/memberof", get_memberof),
]
