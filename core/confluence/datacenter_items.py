"""What Data Center's JSON means: one function for each noun.

What an item must have and lacks is a KeyError, for `reply.understood` to name.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.confluence.nouns import NOBODY, Account, Attachment, Body, Comment, Listed, Readers, Space
from core.confluence.reply import Reply, identity
from core.models import Page


@dataclass(frozen=True)
class PageAccess:
    """All that decides who may read a page, except what stands above it."""

    space: Space
    ancestors: dict[str, str]
    readers: Readers


def space(item: Reply) -> Space:
    return Space(id=identity(item), key=item["key"], name=item.get("name") or "")


def listed(item: Reply, kind: str, space: Space, site: str) -> Listed:
    """With labels and readers as far as this listing says them: it must have been asked to expand both, and some versions leave it."""
    return Listed(_page(item, kind, space, site), _labels(item), _listed_readers(item))


def _page(item: Reply, kind: str, space: Space, site: str) -> Page:
    version, above = item["version"], item["ancestors"] if kind == "page" else []
    created_by = (item.get("history") or {}).get("createdBy") or {}
    return Page(
        id=identity(item),
        kind=kind,
        space=space.key,
        title=item["title"],
        url=site + item["_links"]["webui"],
        version=int(version["number"]),
        status=item["status"],
        parent_id=identity(above[-1]) if above else None,
        owner=created_by.get("displayName") or "",
        updated_at=version.get("when") or "",
    )


def _labels(item: Reply) -> tuple[str, ...] | None:
    labels = (item.get("metadata") or {}).get("labels")
    return None if labels is None else tuple(sorted(name(label) for label in labels["results"]))


def _listed_readers(item: Reply) -> Readers | None:
    read = (item.get("restrictions") or {}).get("read")
    return None if read is None or "restrictions" not in read else readers(read)


def readers(restriction: Reply) -> Readers:
    """Whoever is named, and somebody without a key as NOBODY: a restriction that is not understood still keeps everybody out."""
    users, groups = (restriction["restrictions"][who]["results"] for who in ("user", "group"))
    people = [f"user:{user['userKey']}" if user.get("userKey") else NOBODY for user in users]
    return frozenset(
        [*people, *(f"group:{group['name']}" if group.get("name") else NOBODY for group in groups)]
    )


def viewer(permission: Reply) -> str:
    """Whom a permission of a space lets view it; empty for other permissions, and for kinds of subjects that we do not know."""
    operation, subject = permission.get("operation") or {}, permission["subject"]
    if (operation.get("targetType"), operation.get("operationKey")) != ("space", "read"):
        return ""
    if subject.get("type") == "group":
        return f"group:{subject['name']}"
    return f"user:{subject['userKey']}" if subject.get("type") == "user" else ""


def body(item: Reply) -> Body:
    return Body(str(item["body"]["storage"]["value"]), int(item["version"]["number"]))


def ancestors(item: Reply) -> dict[str, str]:
    return {identity(above): str(above.get("type")) for above in item["ancestors"]}


def place(item: Reply) -> PageAccess:
    return PageAccess(space(item["space"]), ancestors(item), readers(item["restrictions"]["read"]))


def name(item: Reply) -> str:
    return str(item["name"])


def username(item: Reply) -> str:
    return str(item["username"])


def account(item: Reply) -> Account:
    return Account(
        f"user:{item['userKey']}", item.get("displayName") or "", item.get("email") or ""
    )


def comment(item: Reply) -> Comment:
    version = item["version"]
    author = (version.get("by") or {}).get("userKey") or ""
    return Comment(identity(item), int(version["number"]), author, item["body"]["storage"]["value"])


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
