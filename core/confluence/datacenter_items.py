"""JSON of Confluence Data Center as our types: one function for each.

What an item must have and lacks is a KeyError, for `reply.understood` to name.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.confluence.reply import Reply, identity
from core.models import Page
from core.page_source import (
    NOBODY,
    STORAGE_OF_DATACENTER,
    Account,
    Attachment,
    Body,
    Comment,
    Level,
    Listed,
    Readers,
    Space,
)
from core.pages import PageKind, PageStatus


@dataclass(frozen=True)
class PageAccess:
    """All that decides who may read a page; what is above it as far as the reply tells it."""

    is_current: bool
    space: Space
    above: tuple[Level, ...]  # outermost first
    page: Level


def space(item: Reply) -> Space:
    return Space(
        id=identity(item),
        key=item["key"],
        name=item.get("name") or "",
    )


def listed(
    item: Reply,
    kind: PageKind,
    space: Space,
    site: str,
) -> Listed:
    """With labels and readers as far as the listing has them: some versions do not expand them."""
    return Listed(
        page=_page(item, kind, space, site),
        labels=_labels(item),
        readers=_listed_readers(item),
    )


def _page(
    item: Reply,
    kind: PageKind,
    space: Space,
    site: str,
) -> Page:
    version = item["version"]
    above = item["ancestors"] if kind is PageKind.PAGE else []
    history = item.get("history") or {}
    created_by = history.get("createdBy") or {}
    account = created_by.get("userKey") or ""
    return Page(
        id=identity(item),
        kind=kind,
        space=space.key,
        title=item["title"],
        url=site + item["_links"]["webui"],
        version=int(version["number"]),
        status=PageStatus(item["status"]),
        parent_id=identity(above[-1]) if above else None,
        owner=created_by.get("displayName") or "",
        owner_account=f"user:{account}" if account else "",
        updated_at=version.get("when") or "",
    )


def _labels(item: Reply) -> tuple[str, ...] | None:
    metadata = item.get("metadata") or {}
    labels = metadata.get("labels")
    if labels is None:
        return None
    return tuple(sorted(name(label) for label in labels["results"]))


def _listed_readers(item: Reply) -> Readers | None:
    restrictions = item.get("restrictions") or {}
    read = restrictions.get("read")
    return None if read is None or "restrictions" not in read else readers(read)


def readers(restriction: Reply) -> Readers:
    """Whoever is named; somebody without a key as NOBODY, so that the restriction still holds."""
    named = restriction["restrictions"]
    found = set[str]()
    for user in named["user"]["results"]:
        found.add(f"user:{user['userKey']}" if user.get("userKey") else NOBODY)
    for group in named["group"]["results"]:
        found.add(f"group:{group['name']}" if group.get("name") else NOBODY)
    return frozenset(found)


def viewer(permission: Reply) -> str:
    """Whom a permission lets view its space; empty for other permissions and unknown subjects."""
    operation = permission.get("operation") or {}
    subject = permission["subject"]
    allowed = (operation.get("targetType"), operation.get("operationKey"))
    if allowed != ("space", "read"):
        return ""
    if subject.get("type") == "group":
        return f"group:{subject['name']}"
    return f"user:{subject['userKey']}" if subject.get("type") == "user" else ""


def body(item: Reply) -> Body:
    storage = item["body"]["storage"]
    version = int(item["version"]["number"])
    return Body(str(storage["value"]), version, STORAGE_OF_DATACENTER)


def ancestors(item: Reply) -> dict[str, PageKind]:
    path: dict[str, PageKind] = {}
    for above in item["ancestors"]:
        path[identity(above)] = PageKind(above.get("type"))
    return path


def place(item: Reply) -> PageAccess:
    page = _level(item)
    if page.readers is None:
        raise KeyError("restrictions")
    return PageAccess(
        is_current=status(item) is PageStatus.CURRENT,
        space=space(item["space"]),
        above=tuple(map(_level, item["ancestors"])),
        page=page,
    )


def _level(item: Reply) -> Level:
    return Level(identity(item), PageKind(str(item.get("type"))), _listed_readers(item))


def status(item: Reply) -> PageStatus:
    return PageStatus(item["status"])


def name(item: Reply) -> str:
    return str(item["name"])


def account(item: Reply) -> Account:
    return Account(
        id=f"user:{item['userKey']}",
        name=item.get("displayName") or "",
        email=item.get("email") or "",
    )


def comment(item: Reply) -> Comment:
    author = item["version"].get("by") or {}
    return Comment(
        id=identity(item),
        author=author.get("userKey") or "",
        body=body(item),
    )


def attachment(item: Reply) -> Attachment:
    extensions = item.get("extensions") or {}
    return Attachment(
        id=identity(item),
        title=item["title"],
        media_type=extensions.get("mediaType") or "",
        size=int(extensions.get("fileSize") or 0),
        version=int(item["version"]["number"]),
        download=item["_links"]["download"],
    )
