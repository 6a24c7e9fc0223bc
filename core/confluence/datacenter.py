"""Confluence Data Center: REST API v1, with a personal access token."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.confluence.nouns import Account, Attachment, Body, Comment, Listed, Readers, Space, Whereabouts
from core.confluence.reply import Reply, as_json, as_list, base_of, results
from core.confluence.transport import Transport
from core.errors import ConfluenceNotUnderstood, ConfluenceUnknown, SettingsError
from core.models import Page

LISTING = 200
RESTRICTIONS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"
LISTED = f"version,ancestors,metadata.labels,history,{RESTRICTIONS}"


class DataCenter:
    """One Data Center site, seen with the configured account."""

    def __init__(self, transport: Transport, url: str) -> None:
        self._transport = transport
        self._url = url.rstrip("/")
        self._has_scan = True  # content/scan came with 7.18
        self._names: dict[str, str] = {}

    @property
    def requests(self) -> int:
        return self._transport.requests

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        wanted = None if tuple(keys) == ("*",) else list(keys)
        items = self._transport.items("rest/api/space", limit=LISTING, spaceKey=wanted)
        found = [Space(id=str(item["id"]), key=item["key"], name=item.get("name", "")) for item in items]
        unknown = set(keys) - {space.key for space in found} - {"*"}
        if unknown:
            raise SettingsError(f"CONFLUENCE_SPACES: {', '.join(sorted(unknown))} not found, or this account may not see it")
        return found

    def manifest(self, space: Space) -> Iterator[Listed]:
        """Labels and restrictions are in this listing."""
        for kind in ("page", "blogpost"):
            seen: set[str] = set()
            for reply in self._content(space, kind, LISTED):
                items, site = results(reply), base_of(reply) or self._url
                yield from (_listed(kind, space, site, item) for item in items if str(item.get("id")) not in seen)
                seen |= {str(item.get("id")) for item in items}

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        """One request each: there is no bulk here. A page that is not there any more is left out."""
        found: dict[str, Body] = {}
        for page in pages:
            try:
                item = self._transport.get(f"rest/api/content/{page.id}", expand="body.storage,version")
            except ConfluenceUnknown:
                continue
            found[page.id] = Body(item["body"]["storage"]["value"], int(item["version"]["number"]))
        return found

    def whereabouts(self, page: Page) -> Whereabouts:
        response = self._transport.send(f"rest/api/content/{page.id}", {"status": "any", "expand": "space"})
        if response.status_code == 404:
            return Whereabouts("gone")
        item = as_json(response)
        return Whereabouts(str(item.get("status", "")), str(item.get("space", {}).get("id", "")))

    def labels(self, page: Page) -> tuple[str, ...]:
        items = self._transport.items(f"rest/api/content/{page.id}/label", limit=LISTING)
        return tuple(sorted(item["name"] for item in items))

    def readers(self, content_id: str) -> Readers:
        reply = self._transport.get(
            f"rest/api/content/{content_id}/restriction/byOperation/read", expand="restrictions.user,restrictions.group"
        )
        return _readers(content_id, reply)

    def ancestors(self, page: Page) -> dict[str, str]:
        item = self._transport.get(f"rest/api/content/{page.id}", expand="ancestors")
        return {str(above["id"]): str(above.get("type")) for above in item.get("ancestors", ())}

    def space_readers(self, space: Space) -> Readers:
        """Since 9.1; the reply is a plain list."""
        response = self._transport.send(f"rest/api/space/{space.key}/permissions", {})
        if response.status_code == 404:
            raise SettingsError("PERMISSION_MODE=aware needs Confluence Data Center 9.1: older ones do not say who may see a space")
        listed = as_list(response)
        return frozenset(
            _subject(item["subject"]) for item in listed if _is_view(item) and item["subject"].get("type") in ("user", "group")
        )

    def groups(self) -> dict[str, str]:
        replies = self._transport.listing("rest/api/group", limit=LISTING)
        return {item["name"]: f"group:{item['name']}" for reply in replies for item in results(reply)}

    def members(self, group: str) -> list[Account]:
        path = f"rest/api/group/{group.removeprefix('group:')}/member"
        return [_account(item) for reply in self._transport.listing(path, limit=LISTING) for item in results(reply)]

    def accounts(self, principals: Collection[str]) -> list[Account]:
        return [_account(self._user(principal.removeprefix("user:"))) for principal in sorted(principals)]

    def may_read(self, account: str, content_id: str) -> bool:
        """Decided from what is there right now: there is no such question to ask here."""
        item = self._transport.get(f"rest/api/content/{content_id}", expand=f"space,ancestors,{RESTRICTIONS}")
        space = Space(id=str(item["space"]["id"]), key=item["space"]["key"])
        name = self._user(account.removeprefix("user:"))["username"]
        groups = self._transport.items("rest/api/user/memberof", limit=LISTING, username=name)
        mine = {account, *(f"group:{group['name']}" for group in groups)}
        above = [self.readers(str(each["id"])) for each in item.get("ancestors", ())]
        clauses = [*above, _readers(content_id, item["restrictions"]["read"])]
        return not mine.isdisjoint(self.space_readers(space)) and all(not clause or not mine.isdisjoint(clause) for clause in clauses)

    def names(self, ids: Collection[str]) -> dict[str, str]:
        for key in sorted(set(ids) - self._names.keys() - {""}):
            try:
                self._names[key] = str(self._user(key).get("displayName", ""))
            except ConfluenceUnknown:
                self._names[key] = ""
        return {each: self._names[each] for each in ids if self._names.get(each)}

    def comments(self, page: Page) -> list[Comment]:
        path = f"rest/api/content/{page.id}/child/comment"
        return [_comment(item) for item in self._transport.items(path, limit=LISTING, expand="body.storage,version", depth="all")]

    def attachments(self, page: Page) -> list[Attachment]:
        path = f"rest/api/content/{page.id}/child/attachment"
        return [_attachment(item) for item in self._transport.items(path, limit=LISTING, expand="version")]

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        return self._transport.download(attachment.download, limit=limit)

    def _content(self, space: Space, kind: str, expand: str) -> Iterator[Reply]:
        """The listing with a cursor where there is one, else the one with offsets."""
        params = {"spaceKey": space.key, "type": kind, "expand": expand}
        if self._has_scan:
            try:
                yield from self._transport.listing("rest/api/content/scan", limit=LISTING, **params)
                return
            except ConfluenceUnknown:
                self._has_scan = False
        yield from self._transport.listing("rest/api/content", limit=LISTING, status="current", **params)

    def _user(self, key: str) -> Reply:
        """Pages mention people by user key, and old ones by username."""
        try:
            return self._transport.get("rest/api/user", key=key)
        except ConfluenceUnknown:
            return self._transport.get("rest/api/user", username=key)


def _listed(kind: str, space: Space, site: str, item: Reply) -> Listed:
    try:
        version, ancestors = item["version"], item.get("ancestors", [])
        page = Page(
            id=str(item["id"]),
            kind=kind,
            space=space.key,
            title=item["title"],
            url=site + item["_links"]["webui"],
            version=int(version["number"]),
            status=item["status"],
            parent_id=str(ancestors[-1]["id"]) if ancestors else None,
            owner=item.get("history", {}).get("createdBy", {}).get("displayName", ""),
            updated_at=version.get("when", ""),
        )
        labels = item["metadata"]["labels"]["results"]
        readers = _readers(page.id, item["restrictions"]["read"])
        return Listed(page, tuple(sorted(label["name"] for label in labels)), readers)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfluenceNotUnderstood(f"the listing of {space.key} has a page without what every page has: {error!r}") from error


def _readers(content_id: str, read: Reply) -> Readers:
    try:
        users, groups = (read["restrictions"][who]["results"] for who in ("user", "group"))
        return frozenset([*(f"user:{user['userKey']}" for user in users), *(f"group:{group['name']}" for group in groups)])
    except (KeyError, TypeError) as error:
        raise ConfluenceNotUnderstood(f"the restrictions of {content_id} lack users or groups") from error


def _is_view(item: Reply) -> bool:
    operation = item.get("operation", {})
    return (operation.get("targetType"), operation.get("operationKey")) == ("space", "read")


def _subject(subject: Reply) -> str:
    return f"user:{subject['userKey']}" if subject["type"] == "user" else f"group:{subject['name']}"


def _account(item: Reply) -> Account:
    return Account(f"user:{item['userKey']}", item.get("displayName") or "", item.get("email") or "")


def _comment(item: Reply) -> Comment:
    version = item["version"]
    return Comment(str(item["id"]), int(version["number"]), version.get("by", {}).get("userKey", ""), item["body"]["storage"]["value"])


def _attachment(item: Reply) -> Attachment:
    extensions = item.get("extensions", {})
    return Attachment(
        id=str(item["id"]),
        title=item["title"],
        media_type=extensions.get("mediaType", ""),
        size=int(extensions.get("fileSize", 0)),
        version=int(item["version"]["number"]),
        download=item["_links"]["download"],
    )
