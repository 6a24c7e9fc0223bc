"""Confluence Data Center: REST API v1, with a personal access token."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any
from urllib.parse import quote

from core.confluence import datacenter_items as items
from core.confluence.datacenter_access import RESTRICTIONS, DataCenterAccess
from core.confluence.edited import edited, listed_one_by_one
from core.confluence.reply import (
    Reply,
    all_there,
    all_understood,
    as_json,
    base_of,
    results,
    understood,
)
from core.confluence.transport import Transport
from core.errors import SourceRejected, SourceUnknown
from core.models import Page
from core.page_source import (
    Account,
    Attachment,
    Body,
    Comment,
    Listed,
    Scanned,
    Space,
    UnreadItem,
    Whereabouts,
)
from core.pages import CONFLUENCE, PageKind, PageStatus

LISTING = 200
LISTED = f"version,ancestors,metadata.labels,history,{RESTRICTIONS}"


class DataCenter(DataCenterAccess):
    """One Data Center site, seen with the configured account."""

    def __init__(self, transport: Transport, url: str) -> None:
        super().__init__(transport)
        self._url = url.rstrip("/")
        self._has_scan = True  # content/scan came with 7.18
        self._names: dict[str, str] = {}

    @property
    def name(self) -> str:
        return CONFLUENCE

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        is_every = tuple(keys) == ("*",)
        wanted = None if is_every else list(keys)
        listed = self._items("rest/api/space", spaceKey=wanted)
        found = all_understood("a space", listed, items.space)
        return all_there(found, keys)

    def manifest(self, space: Space) -> Iterator[Listed]:
        """Labels and restrictions are in this listing."""
        for kind in (PageKind.PAGE, PageKind.BLOGPOST):
            for reply in self._content(space, kind, LISTED):
                yield from self._listed(kind, space, reply)

    def unread(self, _space: Space) -> list[UnreadItem]:
        """Data Center has no whiteboards, databases, folders or Smart Links."""
        return []

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        """One request each: there is no bulk request. A page that is gone is left out."""
        found: dict[str, Body] = {}
        for page in pages:
            path = f"rest/api/content/{page.id}"
            try:
                item = self._transport.get(path, expand="body.storage,version")
            except SourceUnknown:
                continue
            what = f"the page {page.id}"
            body = understood(what, item, items.body)
            found[page.id] = body
        return found

    def changed(self, spaces: Sequence[Space], minutes: int) -> dict[str, int]:
        return edited(self._transport, spaces, minutes, limit=LISTING)

    def listed(self, ids: Sequence[str], spaces: Sequence[Space]) -> list[Listed]:
        """One request each, which shows the page as it is now: the search index may lag."""
        return listed_one_by_one(self._transport, ids, spaces, expand=LISTED, site=self._url)

    def whereabouts(self, page: Page) -> Whereabouts:
        path = f"rest/api/content/{page.id}"
        query = {"status": "any", "expand": "space"}
        response = self._transport.send(path, query)
        if response.status_code == 404:
            return Whereabouts(PageStatus.GONE)
        item = as_json(response)
        space = item.get("space") or {}
        status = PageStatus(str(item.get("status")))
        space_id = str(space.get("id", ""))
        return Whereabouts(status, space_id)

    def labels(self, page: Page) -> tuple[str, ...]:
        path = f"rest/api/content/{page.id}/label"
        listed = self._items(path, by="name")
        names = all_understood("a label", listed, items.name)
        return tuple(sorted(names))

    def scanned(self, _pages: Sequence[Page]) -> dict[str, Scanned]:
        """None: its listing shows both."""
        return {}

    def ancestors(self, page: Page) -> dict[str, PageKind]:
        item = self._transport.get(f"rest/api/content/{page.id}", expand="ancestors")
        return understood(f"the page {page.id}", item, items.ancestors)

    def groups(self) -> dict[str, str]:
        listed = self._items("rest/api/group", by="name")
        names = all_understood("a group", listed, items.name)
        return {name: f"group:{name}" for name in names}

    def members(self, group: str) -> list[Account]:
        path = f"rest/api/group/{quote(group.removeprefix('group:'), safe='')}/member"
        listed = self._items(path, by="userKey")
        return all_understood("a member", listed, items.account)

    def accounts(self, principals: Collection[str]) -> list[Account]:
        people: list[Account] = []
        for principal in sorted(principals):
            user = self._user(principal.removeprefix("user:"))
            people.append(understood("an account", user, items.account))
        return people

    def names(self, ids: Collection[str]) -> dict[str, str]:
        wanted = set(ids) - {""}
        unknown = wanted - self._names.keys()
        for key in sorted(unknown):
            self._names[key] = self._display_name(key)
        known: dict[str, str] = {}
        for each in ids:
            if name := self._names.get(each):
                known[each] = name
        return known

    def comments(self, page: Page) -> list[Comment]:
        path = f"rest/api/content/{page.id}/child/comment"
        params = {"expand": "body.storage,version", "depth": "all"}
        listed = self._items(path, **params)
        return all_understood("a comment", listed, items.comment)

    def attachments(self, page: Page) -> list[Attachment]:
        path = f"rest/api/content/{page.id}/child/attachment"
        listed = self._items(path, expand="version")
        return all_understood("an attachment", listed, items.attachment)

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        return self._transport.download(attachment.download, limit=limit)

    def _listed(
        self,
        kind: PageKind,
        space: Space,
        reply: Reply,
    ) -> Iterator[Listed]:
        site = base_of(reply) or self._url
        what = f"a page in the listing of {space.key}"

        def read(item: Reply) -> Listed:
            return items.listed(item, kind, space, site)

        for item in results(reply):
            yield understood(what, item, read)

    def _content(
        self,
        space: Space,
        kind: str,
        expand: str,
    ) -> Iterator[Reply]:
        """The listing with a cursor where there is one, else the one with offsets.

        Where there is none, some versions take `scan` for the id of a page: no number, so 400.
        """
        path = "rest/api/content"
        params = {
            "spaceKey": space.key,
            "type": kind,
            "expand": expand,
        }
        if self._has_scan:
            replies = self._transport.listing(f"{path}/scan", limit=LISTING, **params)
            try:
                first = next(replies)
            except (SourceUnknown, SourceRejected):
                self._has_scan = False
            else:
                yield first
                yield from replies  # one that breaks off later is an error
                return
        params["status"] = "current"
        yield from self._transport.listing(path, limit=LISTING, **params)

    def _items(self, path: str, **params: Any) -> Iterator[Reply]:
        return self._transport.items(path, limit=LISTING, **params)

    def _display_name(self, key: str) -> str:
        """Empty where nobody has this key."""
        try:
            user = self._user(key)
        except SourceUnknown:
            return ""
        return str(user.get("displayName", ""))

    def _user(self, key: str) -> Reply:
        """Pages mention people by user key, and old ones by username."""
        try:
            return self._transport.get("rest/api/user", key=key)
        except SourceUnknown:
            return self._transport.get("rest/api/user", username=key)
