"""Permissions in Cloud's REST API: restrictions, space permissions, groups, permission check.

Addresses under https://developer.atlassian.com/cloud/confluence/ are cut to `…/rest/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.lookup import account_of, content_of, entry_of
from sandbox.confluence.api.paging import cut, offset_page, sent_json
from sandbox.confluence.api.shapes import person_json, restriction_json
from sandbox.confluence.site.content import Content, Person, space_id


async def get_read_restriction(request: Request) -> Response:
    """…/rest/v1/api-group-content-restrictions/"""
    return JSONResponse(restriction_json(content_of(request), entry_of(request)))


async def get_space_permissions(request: Request) -> Response:
    """…/rest/v2/api-group-space-permissions/#api-spaces-id-permissions-get

    Beside the permission to view, each reader has one that is not about viewing, since real
    listings mix them.
    """
    content = content_of(request)
    key = _with_id(content.space_keys(), request.path_params["id"])
    _require_space(request, key)
    users, groups = content.readers_of_space(key)
    readers = [{"type": "user", "id": user} for user in users]
    readers += [{"type": "group", "id": space_id(group)} for group in groups]
    operations = [
        {"key": "read", "targetType": "space"},
        {"key": "create", "targetType": "comment"},
    ]
    shown = []
    for number, (reader, operation) in enumerate(product(readers, operations), start=1):
        shown.append({"id": str(number), "principal": reader, "operation": operation})
    return cut(request, shown)


def _with_id(names: Iterable[str], wanted: str) -> str:
    """The space key or group name with this id; empty where there is none."""
    return next((name for name in names if space_id(name) == wanted), "")


def _require_space(request: Request, key: str) -> None:
    if not content_of(request).sees_space(account_of(request), key):
        raise HTTPException(404, "there is no such space")


async def get_groups(request: Request) -> Response:
    """…/rest/v1/api-group-group/#api-wiki-rest-api-group-get"""
    names = content_of(request).group_names()
    groups = [{"type": "group", "name": name, "id": space_id(name)} for name in names]
    return offset_page(request, groups)


async def get_members(request: Request) -> Response:
    """…/rest/v1/api-group-group/#api-wiki-rest-api-group-groupid-membersbygroupid-get"""
    content = content_of(request)
    name = _with_id(content.group_names(), request.path_params["id"])
    return offset_page(request, [_member(content, account) for account in content.members(name)])


async def post_permission_check(request: Request) -> Response:
    """…/rest/v1/api-group-content-permissions/: of others only an administrator learns this."""
    if account_of(request) is not None:
        raise HTTPException(403, "this takes the permission Confluence Administrator")
    entry, sent = entry_of(request), await sent_json(request)
    account = str(sent["subject"]["identifier"])
    allowed = entry.status == "current" and content_of(request).may_read(account, entry)
    errors = [] if allowed else [{"translation": "User does not have permission to the content"}]
    return JSONResponse({"hasPermission": allowed, "errors": errors})


def _member(content: Content, account: str) -> dict[str, Any]:
    return person_json(content.people.get(account, Person(account, account)))


ROUTES = [
    Route("/wiki/rest/api/content/{id}/restriction/byOperation/read", get_read_restriction),
    Route("/wiki/rest/api/content/{id}/permission/check", post_permission_check, methods=["POST"]),
    Route("/wiki/api/v2/spaces/{id}/permissions", get_space_permissions),
    Route("/wiki/rest/api/group", get_groups),
    Route("/wiki/rest/api/group/{id}/membersByGroupId", get_members),
]
