"""JSON of Confluence Cloud as our types: one function for each.

What an item must have and lacks is a KeyError, for `reply.understood` to name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.confluence.reply import Reply, identity
from core.models import Page
from core.page_source import (
    NOBODY,
    Account,
    Attachment,
    Body,
    Comment,
    Readers,
    Space,
)
from core.pages import PageKind, PageStatus


@dataclass(frozen=True)
class Node:
    """Something in the tree of a space, and what it stands under."""

    id: str
    kind: PageKind
    is_current: bool
    parent: str | None
    parent_kind: PageKind | None = None  # as far as the child says it
    space_id: str = ""


def space(item: Reply) -> Space:
    return Space(
        id=identity(item),
        key=item["key"],
        name=item.get("name") or "",
    )


def page(
    item: Reply,
    kind: PageKind,
    space: Space,
    site: str,
) -> Page:
    """Without its owner's name, which takes another request."""
    version = item["version"]
    return Page(
        id=identity(item),
        kind=kind,
        space=space.key,
        title=item["title"],
        url=site + item["_links"]["webui"],
        version=int(version["number"]),
        status=PageStatus(item["status"]),
        parent_id=str(item["parentId"]) if item.get("parentId") else None,
        updated_at=version.get("createdAt") or "",
    )


def node(item: Reply, kind: PageKind) -> Node:
    """Blog posts stand under nothing. A page that does not say where it stands is no page."""
    above = item["parentId"] if kind is PageKind.PAGE else None
    above_kind = item.get("parentType")
    return Node(
        id=identity(item),
        kind=kind,
        is_current=status(item) is PageStatus.CURRENT,
        parent=str(above) if above else None,
        parent_kind=PageKind(above_kind) if above_kind else None,
        space_id=str(item["spaceId"]),
    )


def status(item: Reply) -> PageStatus:
    return PageStatus(item["status"])


def folder(item: Reply) -> Node:
    above, above_kind = item["parentId"], item.get("parentType")
    return Node(
        id=identity(item),
        kind=PageKind.FOLDER,
        is_current=True,
        parent=str(above) if above else None,
        parent_kind=PageKind(above_kind) if above_kind else None,
    )


def unknown(content_id: str) -> Node:
    """Something that is neither a page nor a folder, or that this account may not see."""
    return Node(content_id, PageKind.OTHER, is_current=True, parent=None)


def by_space(found: Iterable[Reply]) -> dict[str, list[Reply]]:
    """Pages by the ids of their spaces."""
    of_space: dict[str, list[Reply]] = {}
    for item in found:
        of_space.setdefault(str(item.get("spaceId")), []).append(item)
    return of_space


def owner(item: Reply) -> str:
    """The account that answers for a page; blog posts have only an author."""
    return str(item.get("ownerId") or item.get("authorId") or "")


def body(item: Reply) -> Body | None:
    bodies = item.get("body") or {}
    storage = bodies.get("storage")
    if not storage:
        return None
    return Body(str(storage["value"]), _version(item))


def identified_body(item: Reply) -> tuple[str, Body | None]:
    return identity(item), body(item)


def typed(item: Reply) -> tuple[str, str]:
    """Something above a page: its id and its type."""
    return identity(item), str(item.get("type"))


def name(item: Reply) -> str:
    return str(item["name"])


def readers(restriction: Reply) -> Readers:
    """Whoever is named; somebody without an id as NOBODY, so that the restriction still holds."""
    named = restriction["restrictions"]
    found = set[str]()
    for user in named["user"]["results"]:
        found.add(f"user:{user['accountId']}" if user.get("accountId") else NOBODY)
    for group in named["group"]["results"]:
        found.add(f"group:{group['id']}" if group.get("id") else NOBODY)
    return frozenset(found)


def viewer(permission: Reply) -> str:
    """Whom a permission lets view its space; empty for other permissions and unknown principals."""
    operation = permission.get("operation") or {}
    principal = permission["principal"]
    kind = principal["type"].lower()
    allowed = (operation.get("key"), operation.get("targetType"))
    if allowed != ("read", "space"):
        return ""
    return f"{kind}:{principal['id']}" if kind in ("user", "group") else ""


def group(item: Reply) -> tuple[str, str]:
    """Its name and its principal."""
    return item["name"], f"group:{item['id']}"


def account(item: Reply) -> Account:
    return Account(
        id=f"user:{item['accountId']}",
        name=item.get("displayName") or "",
        email=item.get("email") or "",
    )


def comment(item: Reply) -> Comment:
    said = body(item)
    return Comment(
        id=identity(item),
        author=item["version"].get("authorId") or "",
        body=said or Body("", _version(item)),
    )


def attachment(item: Reply) -> Attachment:
    return Attachment(
        id=identity(item),
        title=item["title"],
        media_type=item.get("mediaType") or "",
        size=int(item.get("fileSize") or 0),
        version=_version(item),
        download=_download(item),
    )


def _version(item: Reply) -> int:
    return int(item["version"]["number"])


def _download(item: Reply) -> str:
    """The one address that takes an API token.

    `downloadLink` answers 401 to it (CHANGE-2735, CHANGE-3007).
    """
    content = item.get("pageId") or item.get("blogPostId")
    if content is None:
        return str(item.get("downloadLink") or item["_links"]["download"])
    return f"/rest/api/content/{content}/child/attachment/{identity(item)}/download"
