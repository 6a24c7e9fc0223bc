"""The same site as a Data Center: REST API v1 under /confluence, with a personal access token.

https://developer.atlassian.com/server/confluence/rest/
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.lookup import content_of, entry_of, found_by_cql
from sandbox.confluence.api.page_parts import get_download
from sandbox.confluence.api.paging import offset_page
from sandbox.confluence.site.content import Content, Entry, Person, space_id

BASE = "/confluence"


async def get_spaces(request: Request) -> Response:
    """api-group-space: `spaceKey` may be given several times."""
    wanted = request.query_params.getlist("spaceKey")
    content = content_of(request)
    keys = [key for key in content.space_keys() if not wanted or key in wanted]
    return offset_page(request, [_space(content, key) for key in keys])


async def get_scan(request: Request) -> Response:
    """api-group-content-resource, `content/scan`: since 7.18, with a cursor."""
    if not request.app.state.has_scan:
        raise HTTPException(404, "null for uri: /rest/api/content/scan")
    entries = _asked_for(request)
    cursor = request.query_params.get("cursor")
    seen = int(urlsafe_b64decode(cursor)) if cursor else 0
    rest = [entry for entry in entries if int(entry.id) > seen]
    limit = min(int(request.query_params.get("limit", "25")), request.app.state.cap)
    links = {"base": _base(request), "context": BASE}
    if len(rest) > limit:
        kept = "&".join(
            f"{name}={value}"
            for name, value in request.query_params.multi_items()
            if name != "cursor"
        )
        links["next"] = (
            f"/rest/api/content/scan?{kept}&cursor={urlsafe_b64encode(rest[limit - 1].id.encode()).decode()}"
        )
    return JSONResponse(
        {
            "results": [_content(request, entry) for entry in rest[:limit]],
            "limit": limit,
            "_links": links,
        }
    )


async def get_contents(request: Request) -> Response:
    """api-group-content-resource, `content`: with offsets."""
    return offset_page(request, [_content(request, entry) for entry in _asked_for(request)])


async def get_content(request: Request) -> Response:
    """api-group-content-resource, `content/{id}`: current ones unless `status=any`."""
    statuses = None if request.query_params.get("status") == "any" else ["current"]
    return JSONResponse(_content(request, entry_of(request, statuses=statuses)))


async def search(request: Request) -> Response:
    """api-group-content-resource, `content/search`"""
    return offset_page(request, [_content(request, entry) for entry in found_by_cql(request)])


async def get_restriction(request: Request) -> Response:
    """api-group-content-restrictions, by operation."""
    return JSONResponse(_restrictions(content_of(request), entry_of(request)))


async def get_labels(request: Request) -> Response:
    """api-group-content-labels"""
    return offset_page(
        request,
        [
            {"prefix": "global", "name": name, "id": space_id(name)}
            for name in entry_of(request).labels
        ],
    )


async def get_comments(request: Request) -> Response:
    """api-group-child-content, comments of all depths."""
    content, entry = content_of(request), entry_of(request)
    return offset_page(request, [_comment(content, said) for said in entry.comments])


async def get_attachments(request: Request) -> Response:
    """api-group-attachments"""
    entry = entry_of(request)
    return offset_page(
        request,
        [
            {
                "id": file.id,
                "title": file.name,
                "version": {"number": file.version},
                "extensions": {"mediaType": file.media_type, "fileSize": len(file.data)},
                "_links": {
                    "download": f"/download/attachments/{entry.id}/{file.name}?version={file.version}"
                },
            }
            for file in entry.files
        ],
    )


async def get_space_permissions(request: Request) -> Response:
    """api-group-space-permissions, since 9.1: a plain list."""
    users, groups = content_of(request).readers_of_space(request.path_params["key"])
    subjects = [{"type": "user", "userKey": _key(content_of(request), user)} for user in users]
    subjects += [{"type": "group", "name": group} for group in groups]
    operation = {"targetType": "space", "operationKey": "read"}
    return JSONResponse(
        [
            {"operation": operation, "subject": subject, "spaceKey": request.path_params["key"]}
            for subject in subjects
        ]
    )


async def get_groups(request: Request) -> Response:
    """api-group-user-group"""
    return offset_page(
        request, [{"type": "group", "name": name} for name in content_of(request).group_names()]
    )


async def get_members(request: Request) -> Response:
    """api-group-user-group, members"""
    content = content_of(request)
    return offset_page(
        request,
        [_person(content, account) for account in content.members(request.path_params["name"])],
    )


async def get_user(request: Request) -> Response:
    """api-group-user: by key or by username."""
    return JSONResponse(_person(content_of(request), _asked_person(request).account_id))


async def get_memberof(request: Request) -> Response:
    """api-group-user, the groups of one person."""
    content, person = content_of(request), _asked_person(request)
    names = [name for name in content.group_names() if person.account_id in content.members(name)]
    return offset_page(request, [{"type": "group", "name": name} for name in names])


def _asked_person(request: Request) -> Person:
    key, username = request.query_params.get("key"), request.query_params.get("username")
    for person in content_of(request).people.values():
        if person.key == key or person.username == username:
            return person
    raise HTTPException(404, "no such user")


def _asked_for(request: Request) -> list[Entry]:
    space, kind = request.query_params.get("spaceKey"), request.query_params.get("type", "page")
    content = content_of(request)
    return [
        e
        for e in content.of_kind(kind)
        if e.space == space and e.status == "current" and content.is_seen(e)
    ]


def _content(request: Request, entry: Entry) -> dict[str, Any]:
    """With what `expand` asks for; everything else is left out, as the real one does."""
    content, expand = content_of(request), request.query_params.get("expand", "").split(",")
    more = {
        name.partition(".")[0]: EXPANSIONS[name](content, entry)
        for name in expand
        if name in EXPANSIONS
    }
    links = {"webui": f"/pages/viewpage.action?pageId={entry.id}", "base": _base(request)}
    return {
        "id": entry.id,
        "type": entry.kind,
        "status": entry.status,
        "title": entry.title,
        "_links": links,
        **more,
    }


def _ancestors(content: Content, entry: Entry) -> list[dict[str, Any]]:
    return [
        {"id": above.id, "type": above.kind, "title": above.title}
        for above in content.ancestors(entry)
    ]


def _labels(_content: Content, entry: Entry) -> dict[str, Any]:
    return {"labels": {"results": [{"prefix": "global", "name": name} for name in entry.labels]}}


def _history(content: Content, entry: Entry) -> dict[str, Any]:
    return {
        "createdBy": {"displayName": content.people.get(entry.owner, Person(entry.owner, "")).name}
    }


def _restrictions(content: Content, entry: Entry) -> dict[str, Any]:
    users = [{"type": "known", **_person(content, user)} for user in entry.users]
    groups = [{"type": "group", "name": name} for name in entry.groups]
    return {
        "operation": "read",
        "restrictions": {"user": {"results": users}, "group": {"results": groups}},
    }


def _comment(content: Content, said: Any) -> dict[str, Any]:
    version = {"number": said.version, "by": {"userKey": _key(content, said.author)}}
    return {"id": said.id, "version": version, "body": {"storage": {"value": said.body}}}


def _space(content: Content, key: str) -> dict[str, Any]:
    return {
        "id": int(space_id(key)),
        "key": key,
        "name": content.space_names.get(key, key),
        "type": "global",
    }


def _person(content: Content, account: str) -> dict[str, Any]:
    person = content.people.get(account, Person(account, account))
    return {
        "type": "known",
        "username": person.username,
        "userKey": person.key,
        "displayName": person.name,
    }


def _key(content: Content, account: str) -> str:
    return content.people.get(account, Person(account, account)).key


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/") + BASE


EXPANSIONS: dict[str, Callable[[Content, Entry], Any]] = {
    "version": lambda _, entry: {"number": entry.version, "when": entry.updated_at},
    "ancestors": _ancestors,
    "metadata.labels": _labels,
    "body.storage": lambda _, entry: {
        "storage": {"value": entry.body, "representation": "storage"}
    },
    "space": lambda content, entry: _space(content, entry.space),
    "history": _history,
    "restrictions.read.restrictions.user": lambda content, entry: {
        "read": _restrictions(content, entry)
    },
}

ROUTES = [Route(f"{BASE}/download/attachments/{{id}}/{{name}}", get_download)] + [
    Route(f"{BASE}/rest/api/{path}", endpoint)
    for path, endpoint in (
        ("space", get_spaces),
        ("space/{key}/permissions", get_space_permissions),
        ("content", get_contents),
        ("content/scan", get_scan),
        ("content/search", search),
        ("content/{id}", get_content),
        ("content/{id}/restriction/byOperation/read", get_restriction),
        ("content/{id}/label", get_labels),
        ("content/{id}/child/comment", get_comments),
        ("content/{id}/child/attachment", get_attachments),
        ("group", get_groups),
        ("group/{name}/member", get_members),
        ("user", get_user),
        ("user/memberof", get_memberof),
    )
]
