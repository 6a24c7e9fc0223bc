"""Confluence Cloud: API v2, and v1 for restrictions, groups and permission checks.

With an API token at the site, or with a scoped token at the gateway
https://api.atlassian.com/ex/confluence/{cloudId}/wiki; links for people are built from the site's
own base either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from core.confluence import cloud_items as items
from core.confluence.cloud_access import CloudAccess
from core.confluence.cloud_bulk import scanned
from core.confluence.edited import batches, edited, unread
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
from core.models import Page
from core.page_source import (
    BODIES,
    Account,
    Attachment,
    Body,
    Comment,
    Listed,
    Readers,
    Scanned,
    Space,
    UnreadItem,
    Whereabouts,
)
from core.pages import CONFLUENCE, PageKind, PageStatus

LISTING = 250  # most items in one page of a listing
PEOPLE = 200  # most accounts in one bulk look-up
GROUPS = 200


class Cloud(CloudAccess):
    """One Cloud site, seen with the configured account."""

    def __init__(self, transport: Transport, url: str) -> None:
        super().__init__(transport)
        self._url = url.rstrip("/")
        self._names: dict[str, str] = {}

    @property
    def name(self) -> str:
        return CONFLUENCE

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        is_every = tuple(keys) == ("*",)
        wanted = None if is_every else ",".join(keys)
        listed = self._transport.items("api/v2/spaces", limit=LISTING, keys=wanted)
        found = all_understood("a space", listed, items.space)
        return all_there(found, keys)

    def manifest(self, space: Space) -> Iterator[Listed]:
        for kind in (PageKind.PAGE, PageKind.BLOGPOST):
            path = f"api/v2/{kind}s"
            params = {"space-id": space.id, "status": "current"}
            replies = self._transport.listing(path, limit=LISTING, **params)
            for reply in replies:
                yield from self._listed(kind, space, reply)

    def unread(self, space: Space) -> list[UnreadItem]:
        """By the search index of v1: v2 has no such listing."""
        return unread(self._transport, space, site=self._url, limit=GROUPS)

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        ids = ",".join(page.id for page in pages)
        query = {
            "id": ids,
            "body-format": "storage",
            "limit": str(LISTING),
        }
        reply = self._transport.get(f"api/v2/{pages[0].kind}s", **query)
        found = all_understood("a page", results(reply), items.identified_body)
        return {page_id: body for page_id, body in found if body is not None}

    def changed(self, spaces: Sequence[Space], minutes: int) -> dict[str, int]:
        """By the search index of v1: v2 has no such request."""
        return edited(self._transport, spaces, minutes, limit=GROUPS)

    def listed(self, ids: Sequence[str], spaces: Sequence[Space]) -> list[Listed]:
        by_id = {space.id: space for space in spaces}
        found: list[Listed] = []
        for kind, batch in product((PageKind.PAGE, PageKind.BLOGPOST), batches(ids, LISTING)):
            asked = {"id": ",".join(batch), "status": "current"}
            for reply in self._transport.listing(f"api/v2/{kind}s", limit=LISTING, **asked):
                for space_id, of_space in items.by_space(results(reply)).items():
                    if space_id in by_id:
                        there = reply | {"results": of_space}
                        found += self._listed(kind, by_id[space_id], there)
        return found

    def whereabouts(self, page: Page) -> Whereabouts:
        path = f"api/v2/{page.kind}s/{page.id}"
        query = {"status": ["current", "archived", "trashed", "draft"]}
        response = self._transport.send(path, query)
        if response.status_code == 404:
            return Whereabouts(PageStatus.GONE)
        item = as_json(response)
        status = PageStatus(str(item.get("status")))
        space_id = str(item.get("spaceId", ""))
        return Whereabouts(status, space_id)

    def labels(self, page: Page) -> tuple[str, ...]:
        listed = self._transport.items(f"api/v2/{page.kind}s/{page.id}/labels", limit=LISTING)
        names = all_understood("a label", listed, items.name)
        return tuple(sorted(names))

    def scanned(self, pages: Sequence[Page]) -> dict[str, Scanned]:
        return scanned(self._transport, pages)

    def ancestors(self, page: Page) -> dict[str, PageKind]:
        """All of them: a reply shows the nearest, and the rest is asked of the first one shown.

        Blog posts stand under nothing, and the API has no such request for them.
        """
        path: dict[str, str] = {}
        kind, below = str(page.kind), page.id
        more = page.kind is not PageKind.BLOGPOST
        while more:
            shown = dict(self._above(kind, below))
            has_new = not shown.keys() <= path.keys()
            more = len(shown) == LISTING and has_new
            path = shown | path
            if shown:
                below, kind = next(iter(shown.items()))
        return {above: PageKind(kind) for above, kind in path.items()}

    def space_readers(self, space: Space) -> Readers:
        listed = self._transport.items(f"api/v2/spaces/{space.id}/permissions", limit=LISTING)
        viewers = all_understood("a permission", listed, items.viewer)
        return frozenset(viewers) - {""}

    def groups(self) -> dict[str, str]:
        listed = self._transport.items("rest/api/group", limit=GROUPS)
        return dict(all_understood("a group", listed, items.group))

    def members(self, group: str) -> list[Account]:
        path = f"rest/api/group/{group.removeprefix('group:')}/membersByGroupId"
        listed = self._transport.items(path, limit=GROUPS, by="accountId")
        return all_understood("a member", listed, items.account)

    def accounts(self, principals: Collection[str]) -> list[Account]:
        ids = [principal.removeprefix("user:") for principal in principals]
        return self._people(sorted(ids))

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """Looked up in bulk and cached, also that an id belongs to nobody."""
        wanted = set(ids) - {""}
        unknown = sorted(wanted - self._names.keys())
        found = dict.fromkeys(unknown, "")
        for account in self._people(unknown):
            found[account.id.removeprefix("user:")] = account.name
        self._names |= found
        known: dict[str, str] = {}
        for each in ids:
            if name := self._names.get(each):
                known[each] = name
        return known

    def comments(self, page: Page) -> list[Comment]:
        """Those that begin a thread: replies would take a request for each comment."""
        found: list[Comment] = []
        form = {"body-format": "storage"}
        for kind in ("footer", "inline"):
            path = f"api/v2/{page.kind}s/{page.id}/{kind}-comments"
            listed = self._transport.items(path, limit=BODIES, **form)
            found += all_understood("a comment", listed, items.comment)
        return found

    def attachments(self, page: Page) -> list[Attachment]:
        path = f"api/v2/{page.kind}s/{page.id}/attachments"
        listed = self._transport.items(path, limit=LISTING, status="current")
        return all_understood("an attachment", listed, items.attachment)

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        return self._transport.download(attachment.download, limit=limit)

    def _listed(
        self,
        kind: PageKind,
        space: Space,
        reply: Reply,
    ) -> Iterator[Listed]:
        listed = results(reply)
        site = base_of(reply) or self._url
        responsible = set(map(items.owner, listed))
        owners = self.names(responsible)
        what = f"a page in the listing of {space.key}"

        def read(item: Reply) -> Page:
            return items.page(item, kind, space, site)

        for item in listed:
            page = understood(what, item, read)
            account = items.owner(item)
            owned = page.model_copy(
                update={
                    "owner": owners.get(account, ""),
                    "owner_account": f"user:{account}" if account else "",
                }
            )
            yield Listed(owned)

    def _above(self, kind: str, content_id: str) -> list[tuple[str, str]]:
        path = f"api/v2/{kind}s/{content_id}/ancestors"
        reply = self._transport.get(path, limit=str(LISTING))
        return all_understood("an ancestor", results(reply), items.typed)

    def _people(self, ids: Sequence[str]) -> list[Account]:
        found: list[Account] = []
        for start in range(0, len(ids), PEOPLE):
            batch = list(ids[start : start + PEOPLE])
            asked = {"accountIds": batch}
            reply = self._transport.post("api/v2/users-bulk", asked)
            found += all_understood("an account", results(reply), items.account)
        return found
