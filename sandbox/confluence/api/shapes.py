"""Entries, spaces and people as the REST API shows them: pure functions from values to JSON.

Shapes: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-get and
its neighbours.
Addresses under https://developer.atlassian.com/cloud/confluence/ are cut to `…/rest/`.
"""

from __future__ import annotations

from typing import Any

from sandbox.confluence.site.content import Content, Entry, Person, space_id


def entry_json(content: Content, entry: Entry, *, with_body: bool) -> dict[str, Any]:
    """A page, blog post or folder: `body` is an empty object unless `body-format` was asked for."""
    storage = {"representation": "storage", "value": entry.body}
    shown: dict[str, Any] = {
        "id": entry.id,
        "status": entry.status,
        "title": entry.title,
        "spaceId": space_id(entry.space),
        "authorId": entry.author,
        "createdAt": entry.created_at,
        "version": _version(entry),
        "body": {"storage": storage} if with_body else {},
        "_links": {"webui": entry.webui},
    }
    return shown if entry.kind == "blogpost" else shown | _place(content, entry)


def _version(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.version,
        "createdAt": entry.updated_at,
        "authorId": entry.author,
        "message": entry.message,
        "minorEdit": False,
    }


def _place(content: Content, entry: Entry) -> dict[str, Any]:
    """What pages have and blog posts have not: a parent, an owner, and `live` for a live doc."""
    above = content.entries.get(entry.parent_id or "")
    parent_kind = above.kind if above else "page"
    return {
        "parentId": entry.parent_id,
        "parentType": parent_kind if entry.parent_id else None,
        "ownerId": entry.owner,
        "subtype": entry.subtype or None,
    }


def space_json(content: Content, key: str) -> dict[str, Any]:
    """…/rest/v2/api-group-space/#api-spaces-get"""
    pages = [entry for entry in content.of_kind("page") if entry.space == key]
    roots = [entry.id for entry in pages if entry.parent_id is None]
    return {
        "id": space_id(key),
        "key": key,
        "name": content.space_names.get(key, key),
        "type": "personal" if key.startswith("~") else "global",
        "status": "current",
        "homepageId": roots[0] if roots else None,
        "_links": {"webui": f"/spaces/{key}"},
    }


def label_json(name: str) -> dict[str, Any]:
    """…/rest/v2/api-group-label/#api-pages-id-labels-get"""
    return {"id": space_id(name), "name": name, "prefix": "global"}


def person_json(person: Person) -> dict[str, Any]:
    """…/rest/v2/api-group-user/#api-users-bulk-post"""
    return {
        "accountId": person.account_id,
        "accountType": "atlassian",
        "accountStatus": "active",
        "displayName": person.name,
        "publicName": person.name,
        "email": person.email,
    }


def restriction_json(content: Content, entry: Entry) -> dict[str, Any]:
    """…/rest/v1/api-group-content-restrictions/"""
    known = [content.people.get(user, Person(user, user)) for user in entry.users]
    users = [{"type": "known", **person_json(person)} for person in known]
    groups = [{"type": "group", "name": name, "id": space_id(name)} for name in entry.groups]
    return {
        "operation": "read",
        "restrictions": {"user": v1_list(users), "group": v1_list(groups)},
        "_expandable": {"content": f"/rest/api/content/{entry.id}"},
    }


def v1_list(results: list[dict[str, Any]]) -> dict[str, Any]:
    return {"results": results, "start": 0, "limit": 200, "size": len(results)}


def error_json(status: int, title: str = "") -> dict[str, Any]:
    """…/rest/v2/intro/#status-codes"""
    return {
        "errors": [
            {
                "status": status,
                "code": _CODES.get(status, "ERROR"),
                "title": title or f"Error {status}",
                "detail": None,
            }
        ]
    }


_CODES = {
    400: "INVALID_REQUEST_PARAMETER",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    429: "RATE_LIMITED",
    500: "INTERNAL_SERVER_ERROR",
    503: "SERVICE_UNAVAILABLE",
}
