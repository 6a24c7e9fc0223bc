"""What Cloud's JSON means: one function for each noun.

What an item must have and lacks is a KeyError, for `reply.understood` to name.
"""

from __future__ import annotations

from core.confluence.nouns import NOBODY, Account, Attachment, Body, Comment, Readers, Space
from core.confluence.reply import Reply, identity
from core.models import Page


def space(item: Reply) -> Space:
    return Space(id=identity(item), key=item["key"], name=item.get("name") or "")


def page(item: Reply, kind: str, space: Space, site: str) -> Page:
    """Without its owner's name, which takes another request."""
    version = item["version"]
    return Page(
        id=identity(item),
        kind=kind,
        space=space.key,
        title=item["title"],
        url=site + item["_links"]["webui"],
        version=int(version["number"]),
        status=item["status"],
        parent_id=str(item["parentId"]) if item.get("parentId") else None,
        updated_at=version.get("createdAt") or "",
    )


def owner(item: Reply) -> str:
    """The account that answers for a page; blog posts have only an author."""
    return str(item.get("ownerId") or item.get("authorId") or "")


def body(item: Reply) -> Body | None:
    storage = (item.get("body") or {}).get("storage")
    return Body(str(storage["value"]), int(item["version"]["number"])) if storage else None


def identified_body(item: Reply) -> tuple[str, Body | None]:
    return identity(item), body(item)


def typed(item: Reply) -> tuple[str, str]:
    """Something above a page: its id and its type."""
    return identity(item), str(item.get("type"))


def name(item: Reply) -> str:
    return str(item["name"])


def readers(restriction: Reply) -> Readers:
    """Whoever is named, and somebody without an id as NOBODY: a restriction that is not understood still keeps everybody out."""
    users, groups = (restriction["restrictions"][who]["results"] for who in ("user", "group"))
    people = [f"user:{user['accountId']}" if user.get("accountId") else NOBODY for user in users]
    return frozenset(
        [*people, *(f"group:{group['id']}" if group.get("id") else NOBODY for group in groups)]
    )


def viewer(permission: Reply) -> str:
    """Whom a permission of a space lets view it; empty for other permissions, and for kinds of principals that we do not know."""
    operation, principal = permission.get("operation") or {}, permission["principal"]
    kind = principal["type"].lower()
    lets_view = (operation.get("key"), operation.get("targetType")) == ("read", "space")
    return f"{kind}:{principal['id']}" if lets_view and kind in ("user", "group") else ""


def group(item: Reply) -> tuple[str, str]:
    """Its name and its principal."""
    return item["name"], f"group:{item['id']}"


def account(item: Reply) -> Account:
    return Account(
        f"user:{item['accountId']}", item.get("displayName") or "", item.get("email") or ""
    )


def comment(item: Reply) -> Comment:
    said, version = body(item), item["version"]
    return Comment(
        identity(item),
        int(version["number"]),
        version.get("authorId") or "",
        said.storage if said else "",
    )


def attachment(item: Reply) -> Attachment:
    return Attachment(
        id=identity(item),
        title=item["title"],
        media_type=item.get("mediaType") or "",
        size=int(item.get("fileSize") or 0),
        version=int(item["version"]["number"]),
        download=_download(item),
    )


def _download(item: Reply) -> str:
    """The one address that takes an API token: `downloadLink` answers 401 to it (CHANGE-2735, CHANGE-3007)."""
    content = item.get("pageId") or item.get("blogPostId")
    if content is None:
        return str(item.get("downloadLink") or item["_links"]["download"])
    return f"/rest/api/content/{content}/child/attachment/{identity(item)}/download"
