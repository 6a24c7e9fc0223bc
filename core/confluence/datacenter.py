"""Confluence Data Center: REST API v1, with a personal access token."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from urllib.parse import quote

from core.confluence import datacenter_items as items
from core.confluence.nouns import (
    Account,
    Attachment,
    Body,
    Comment,
    Listed,
    Readers,
    Space,
    Whereabouts,
)
from core.confluence.reply import Reply, as_json, as_list, base_of, results, understood
from core.confluence.transport import Transport
from core.errors import ConfluenceUnknown, SettingsError
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
        listed = self._transport.items("rest/api/space", limit=LISTING, spaceKey=wanted)
        found = [understood("a space", item, items.space) for item in listed]
        unknown = set(keys) - {space.key for space in found} - {"*"}
        if unknown:
            raise SettingsError(
                f"CONFLUENCE_SPACES: {', '.join(sorted(unknown))} not found, or this account may not see it"
            )
        return found

    def manifest(self, space: Space) -> Iterator[Listed]:
        """Labels and restrictions are in this listing."""
        for kind in ("page", "blogpost"):
            for reply in self._content(space, kind, LISTED):
                yield from self._listed(kind, space, reply)

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        """One request each: there is no bulk here. A page that is not there any more is left out."""
        found: dict[str, Body] = {}
        for page in pages:
            try:
                item = self._transport.get(
                    f"rest/api/content/{page.id}", expand="body.storage,version"
                )
            except ConfluenceUnknown:
                continue
            found[page.id] = understood(f"the page {page.id}", item, items.body)
        return found

    def whereabouts(self, page: Page) -> Whereabouts:
        response = self._transport.send(
            f"rest/api/content/{page.id}", {"status": "any", "expand": "space"}
        )
        if response.status_code == 404:
            return Whereabouts("gone")
        item = as_json(response)
        return Whereabouts(
            str(item.get("status", "")), str((item.get("space") or {}).get("id", ""))
        )

    def labels(self, page: Page) -> tuple[str, ...]:
        listed = self._transport.items(
            f"rest/api/content/{page.id}/label", limit=LISTING, by="name"
        )
        return tuple(sorted(understood("a label", item, items.name) for item in listed))

    def readers(self, content_id: str) -> Readers:
        reply = self._transport.get(
            f"rest/api/content/{content_id}/restriction/byOperation/read",
            expand="restrictions.user,restrictions.group",
        )
        return understood(f"the restriction of {content_id}", reply, items.readers)

    def ancestors(self, page: Page) -> dict[str, str]:
        item = self._transport.get(f"rest/api/content/{page.id}", expand="ancestors")
        return understood(f"the page {page.id}", item, items.ancestors)

    def space_readers(self, space: Space) -> Readers:
        """Since 9.1; the reply is a plain list."""
        response = self._transport.send(f"rest/api/space/{space.key}/permissions", {})
        if response.status_code == 404:
            raise SettingsError(
                "PERMISSION_MODE=aware needs Confluence Data Center 9.1: older ones do not say who may see a space"
            )
        viewers = (understood("a permission", item, items.viewer) for item in as_list(response))
        return frozenset(viewer for viewer in viewers if viewer)

    def groups(self) -> dict[str, str]:
        listed = self._transport.items("rest/api/group", limit=LISTING, by="name")
        names = [understood("a group", item, items.name) for item in listed]
        return {name: f"group:{name}" for name in names}

    def members(self, group: str) -> list[Account]:
        path = f"rest/api/group/{quote(group.removeprefix('group:'), safe='')}/member"
        listed = self._transport.items(path, limit=LISTING, by="userKey")
        return [understood("a member", item, items.account) for item in listed]

    def accounts(self, principals: Collection[str]) -> list[Account]:
        found = (self._user(principal.removeprefix("user:")) for principal in sorted(principals))
        return [understood("an account", item, items.account) for item in found]

    def may_read(self, account: str, content_id: str) -> bool:
        """Decided from what is there right now: there is no such question to ask here."""
        item = self._transport.get(
            f"rest/api/content/{content_id}", expand=f"space,ancestors,{RESTRICTIONS}"
        )
        place = understood(f"the page {content_id}", item, items.place)
        mine = {account, *self._groups_of(account)}
        clauses = [place.readers, *(self.readers(above) for above in place.ancestors)]
        return not mine.isdisjoint(self.space_readers(place.space)) and all(
            not each or not mine.isdisjoint(each) for each in clauses
        )

    def names(self, ids: Collection[str]) -> dict[str, str]:
        for key in sorted(set(ids) - self._names.keys() - {""}):
            try:
                self._names[key] = str(self._user(key).get("displayName", ""))
            except ConfluenceUnknown:
                self._names[key] = ""
        return {each: self._names[each] for each in ids if self._names.get(each)}

    def comments(self, page: Page) -> list[Comment]:
        path = f"rest/api/content/{page.id}/child/comment"
        listed = self._transport.items(
            path, limit=LISTING, expand="body.storage,version", depth="all"
        )
        return [understood("a comment", item, items.comment) for item in listed]

    def attachments(self, page: Page) -> list[Attachment]:
        path = f"rest/api/content/{page.id}/child/attachment"
        listed = self._transport.items(path, limit=LISTING, expand="version")
        return [understood("an attachment", item, items.attachment) for item in listed]

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        return self._transport.download(attachment.download, limit=limit)

    def _listed(self, kind: str, space: Space, reply: Reply) -> Iterator[Listed]:
        site = base_of(reply) or self._url
        for item in results(reply):
            yield understood(
                f"a page in the listing of {space.key}",
                item,
                lambda item: items.listed(item, kind, space, site),
            )

    def _content(self, space: Space, kind: str, expand: str) -> Iterator[Reply]:
        """The listing with a cursor where there is one, else the one with offsets."""
        params = {"spaceKey": space.key, "type": kind, "expand": expand}
        if self._has_scan:
            try:
                yield from self._transport.listing("rest/api/content/scan", limit=LISTING, **params)
                return
            except ConfluenceUnknown:
                self._has_scan = False
        yield from self._transport.listing(
            "rest/api/content", limit=LISTING, status="current", **params
        )

    def _groups_of(self, account: str) -> list[str]:
        """The principals of the groups that somebody is in."""
        person = self._user(account.removeprefix("user:"))
        username = understood("an account", person, items.username)
        listed = self._transport.items(
            "rest/api/user/memberof", limit=LISTING, by="name", username=username
        )
        return [f"group:{understood('a group', item, items.name)}" for item in listed]

    def _user(self, key: str) -> Reply:
        """Pages mention people by user key, and old ones by username."""
        try:
            return self._transport.get("rest/api/user", key=key)
        except ConfluenceUnknown:
            return self._transport.get("rest/api/user", username=key)
