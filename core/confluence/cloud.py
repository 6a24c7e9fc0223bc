"""Confluence Cloud: API v2, and v1 for restrictions, groups and permission checks.

With an API token at the site, or with a scoped token at the gateway https://api.atlassian.com/ex/confluence/{cloudId}/wiki; links for
people are built from the site's own base either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from core.confluence.nouns import BODIES, Account, Attachment, Body, Comment, Listed, Readers, Space, Whereabouts
from core.confluence.reply import Reply, as_json, base_of, results
from core.confluence.transport import Transport
from core.errors import ConfluenceNotUnderstood, SettingsError
from core.models import Page

LISTING = 250  # most items in one page of a listing
PEOPLE = 200  # most accounts in one bulk look-up
GROUPS = 200


class Cloud:
    """One Cloud site, seen with the configured account."""

    def __init__(self, transport: Transport, url: str) -> None:
        self._transport = transport
        self._url = url.rstrip("/")
        self._names: dict[str, str] = {}

    @property
    def requests(self) -> int:
        return self._transport.requests

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        wanted = None if tuple(keys) == ("*",) else ",".join(keys)
        found = [
            Space(id=str(item["id"]), key=item["key"], name=item.get("name", ""))
            for item in self._transport.items("api/v2/spaces", limit=LISTING, keys=wanted)
        ]
        unknown = set(keys) - {space.key for space in found} - {"*"}
        if unknown:
            raise SettingsError(f"CONFLUENCE_SPACES: {', '.join(sorted(unknown))} not found, or this account may not see it")
        return found

    def manifest(self, space: Space) -> Iterator[Listed]:
        for kind in ("page", "blogpost"):
            params = {"space-id": space.id, "status": "current"}
            for reply in self._transport.listing(f"api/v2/{kind}s", limit=LISTING, **params):
                yield from self._listed(kind, space, reply)

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        ids = ",".join(page.id for page in pages)
        query = {"id": ids, "body-format": "storage", "limit": str(LISTING)}
        reply = self._transport.get(f"api/v2/{pages[0].kind}s", **query)
        found = {str(item["id"]): _body(item) for item in results(reply)}
        return {page_id: body for page_id, body in found.items() if body is not None}

    def whereabouts(self, page: Page) -> Whereabouts:
        statuses = ["current", "archived", "trashed", "draft"]
        response = self._transport.send(f"api/v2/{page.kind}s/{page.id}", {"status": statuses})
        if response.status_code == 404:
            return Whereabouts("gone")
        item = as_json(response)
        return Whereabouts(str(item.get("status", "")), str(item.get("spaceId", "")))

    def labels(self, page: Page) -> tuple[str, ...]:
        items = self._transport.items(f"api/v2/{page.kind}s/{page.id}/labels", limit=LISTING)
        return tuple(sorted(item["name"] for item in items))

    def readers(self, content_id: str) -> Readers:
        path = f"rest/api/content/{content_id}/restriction/byOperation/read"
        reply = self._transport.get(path, limit=str(GROUPS))
        try:
            users, groups = (reply["restrictions"][who]["results"] for who in ("user", "group"))
            return frozenset([*(f"user:{user['accountId']}" for user in users), *(f"group:{group['id']}" for group in groups)])
        except (KeyError, TypeError) as error:
            raise ConfluenceNotUnderstood(f"the restrictions of {content_id} lack users or groups") from error

    def ancestors(self, page: Page) -> dict[str, str]:
        """All of them: of more than fit into one reply the nearest are shown, and the rest is asked of the first one shown."""
        path: dict[str, str] = {}
        kind, below = f"{page.kind}s", page.id
        while True:
            shown = {str(item["id"]): str(item.get("type")) for item in self._above(kind, below)}
            path = {**shown, **path}
            if len(shown) < LISTING:
                return path
            below, of_kind = next(iter(shown.items()))
            kind = f"{of_kind}s"

    def space_readers(self, space: Space) -> Readers:
        items = self._transport.items(f"api/v2/spaces/{space.id}/permissions", limit=LISTING)
        readable = (item["principal"] for item in items if _operation(item) == ("read", "space"))
        return frozenset(f"{who['type'].lower()}:{who['id']}" for who in readable if who["type"].lower() in ("user", "group"))

    def groups(self) -> dict[str, str]:
        return {item["name"]: f"group:{item['id']}" for item in self._transport.items("rest/api/group", limit=GROUPS)}

    def members(self, group: str) -> list[Account]:
        path = f"rest/api/group/{group.removeprefix('group:')}/membersByGroupId"
        return [_account(item) for reply in self._transport.listing(path, limit=GROUPS) for item in results(reply)]

    def accounts(self, principals: Collection[str]) -> list[Account]:
        ids = sorted(principal.removeprefix("user:") for principal in principals)
        return [_account(item) for item in self._people(ids)]

    def may_read(self, account: str, content_id: str) -> bool:
        """Asking for other people takes the global permission "Confluence Administrator"."""
        subject = {"type": "user", "identifier": account.removeprefix("user:")}
        reply = self._transport.post(f"rest/api/content/{content_id}/permission/check", {"subject": subject, "operation": "read"})
        return reply.get("hasPermission") is True

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """Looked up in bulk, and once."""
        unknown = sorted(set(ids) - self._names.keys() - {""})
        self._names |= {user["accountId"]: user.get("displayName", "") for user in self._people(unknown)}
        return {each: self._names[each] for each in ids if each in self._names}

    def comments(self, page: Page) -> list[Comment]:
        found = []
        for kind in ("footer", "inline"):
            path = f"api/v2/{page.kind}s/{page.id}/{kind}-comments"
            found += [_comment(item) for item in self._transport.items(path, limit=BODIES, **{"body-format": "storage"})]
        return found

    def attachments(self, page: Page) -> list[Attachment]:
        items = self._transport.items(f"api/v2/{page.kind}s/{page.id}/attachments", limit=LISTING, status="current")
        return [_attachment(item) for item in items]

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        return self._transport.download(attachment.download, limit=limit)

    def _listed(self, kind: str, space: Space, reply: Reply) -> Iterator[Listed]:
        items, site = results(reply), base_of(reply) or self._url
        owners = self.names({_owner(item) for item in items})
        try:
            yield from (Listed(_page(kind, space, site, item, owners)) for item in items)
        except (KeyError, TypeError, ValueError) as error:
            raise ConfluenceNotUnderstood(f"the listing of {space.key} has a page without what every page has: {error!r}") from error

    def _above(self, kind: str, content_id: str) -> list[Reply]:
        return results(self._transport.get(f"api/v2/{kind}/{content_id}/ancestors", limit=str(LISTING)))

    def _people(self, ids: Sequence[str]) -> Iterator[Reply]:
        for start in range(0, len(ids), PEOPLE):
            yield from results(self._transport.post("api/v2/users-bulk", {"accountIds": list(ids[start : start + PEOPLE])}))


def _page(kind: str, space: Space, site: str, item: Reply, owners: dict[str, str]) -> Page:
    version = item["version"]
    return Page(
        id=str(item["id"]),
        kind=kind,
        space=space.key,
        title=item["title"],
        url=site + item["_links"]["webui"],
        version=int(version["number"]),
        status=item["status"],
        parent_id=str(item["parentId"]) if item.get("parentId") else None,
        owner=owners.get(_owner(item), ""),
        updated_at=version.get("createdAt", ""),
    )


def _owner(item: Reply) -> str:
    """The account that answers for a page; blog posts have only an author."""
    return str(item.get("ownerId") or item.get("authorId") or "")


def _body(item: Reply) -> Body | None:
    storage = item.get("body", {}).get("storage")
    return Body(storage["value"], int(item["version"]["number"])) if storage else None


def _operation(item: Reply) -> tuple[Any, Any]:
    operation = item.get("operation", {})
    return operation.get("key"), operation.get("targetType")


def _account(item: Reply) -> Account:
    return Account(f"user:{item['accountId']}", item.get("displayName") or "", item.get("email") or "")


def _comment(item: Reply) -> Comment:
    body = _body(item) or Body("", 0)
    version = item["version"]
    return Comment(str(item["id"]), int(version["number"]), version.get("authorId", ""), body.storage)


def _attachment(item: Reply) -> Attachment:
    return Attachment(
        id=str(item["id"]),
        title=item["title"],
        media_type=item.get("mediaType", ""),
        size=int(item.get("fileSize", 0)),
        version=int(item["version"]["number"]),
        download=item.get("downloadLink") or item["_links"]["download"],
    )
