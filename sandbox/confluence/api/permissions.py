"""Who may read what, as Cloud's REST API tells it: restrictions, space permissions, groups, and the check for one person."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.lookup import content_of, entry_of
from sandbox.confluence.api.paging import cut, offset_page, sent_json
from sandbox.confluence.api.shapes import person_json, restriction_json
from sandbox.confluence.site.content import Content, Person, space_id


async def get_read_restriction(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content-restrictions/ (by operation)"""
    return JSONResponse(restriction_json(content_of(request), entry_of(request)))


async def get_space_permissions(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-space-permissions/#api-spaces-id-permissions-get

    Beside the permission to view, each reader has one that is not about viewing, since real listings mix them.
    """
    content = content_of(request)
    key = next(
        (key for key in content.space_keys() if space_id(key) == request.path_params["id"]), ""
    )
    users, groups = content.readers_of_space(key)
    readers = [("user", user) for user in users] + [("group", space_id(group)) for group in groups]
    shown = [
        {
            "id": str(number),
            "principal": {"type": kind, "id": identifier},
            "operation": {"key": operation, "targetType": target},
        }
        for number, (kind, identifier, operation, target) in enumerate(
            (
                (kind, identifier, *what)
                for kind, identifier in readers
                for what in (("read", "space"), ("create", "comment"))
            ),
            start=1,
        )
    ]
    return cut(request, shown)


async def get_groups(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-group/#api-wiki-rest-api-group-get"""
    names = content_of(request).group_names()
    return offset_page(
        request, [{"type": "group", "name": name, "id": space_id(name)} for name in names]
    )


async def get_members(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-group/#api-wiki-rest-api-group-groupid-membersbygroupid-get"""
    content = content_of(request)
    name = next(
        (name for name in content.group_names() if space_id(name) == request.path_params["id"]), ""
    )
    return offset_page(request, [_member(content, account) for account in content.members(name)])


async def post_permission_check(request: Request) -> Response:
    """https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content-permissions/"""
    entry, sent = entry_of(request), await sent_json(request)
    allowed = (
        content_of(request).may_read(str(sent["subject"]["identifier"]), entry)
        and entry.status == "current"
    )
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
