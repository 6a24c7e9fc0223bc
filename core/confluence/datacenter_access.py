"""Who may read what in a Data Center right now: with a token's own eyes, or by restrictions.

https://developer.atlassian.com/server/confluence/rest/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.confluence import datacenter_items as items
from core.confluence.allowance import Allowance, planned
from core.confluence.datacenter_items import PageAccess
from core.confluence.pace import AT_ONCE
from core.confluence.reply import (
    Reply,
    all_understood,
    as_json,
    as_list,
    is_unknown,
    next_query,
    results,
    understood,
)
from core.confluence.transport import Transport
from core.errors import SettingsError, SourceRefused
from core.models import Page
from core.page_source import Level, Path, Readers, Space
from core.pages import PageStatus

RESTRICTIONS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"
ABOVE = ",".join(f"ancestors.{each}" for each in RESTRICTIONS.split(","))
GROUPS = 200  # in one reply


class DataCenterAccess:
    """One Data Center as an account sees it at this moment; a core.page_source.Viewer."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def requests(self) -> int:
        return self._transport.requests

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """One request a page: a search would be one for all, but its index may lag behind."""
        allowance = Allowance(self._transport, most)
        answers = allowance.each(lambda page: self._is_shown(page.id), pages)
        if answers and all(answer is None for answer in answers):
            raise SourceRefused("Confluence refuses (403): the account may not see any page")
        return {page.id: bool(shown) for page, shown in zip(pages, answers, strict=False)}

    def visible_to(self, account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """Decided from the restrictions right now: the API has no such request."""
        allowance = Allowance(self._transport, most)
        mine = self._groups_now(account, allowance) if pages else None
        if mine is None:
            return {}
        likely = {page.space for page in pages}
        paths = self._paths(pages, allowance, kept=len(likely))
        spaces = dict.fromkeys(path.space for path in paths.values() if path is not None)
        readers = allowance.each(self.space_readers, list(spaces))
        of_spaces = dict(zip(spaces, readers, strict=False))
        seen: dict[str, bool] = {}
        for page_id, path in paths.items():
            if path is None:
                seen[page_id] = False
            elif path.space in of_spaces:
                seen[page_id] = _passes({account, *mine}, path, of_spaces[path.space])
        return seen

    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]:
        """One request a page, which shows the restrictions of everything above it, too."""
        return self._paths(pages, Allowance(self._transport, most))

    def readers(self, content_id: str) -> Readers:
        reply = self._transport.get(_restriction(content_id), expand=_BOTH)
        return understood(f"the restriction of {content_id}", reply, items.readers)

    def space_readers(self, space: Space) -> Readers:
        """Since 9.1; the reply is a plain list."""
        response = self._transport.send(f"rest/api/space/{space.key}/permissions", {})
        if response.status_code == 404:
            raise SettingsError(
                "PERMISSION_MODE=aware needs Confluence Data Center 9.1: "
                "older ones do not say who may see a space"
            )
        viewers = all_understood("a permission", as_list(response), items.viewer)
        return frozenset(viewers) - {""}

    def _is_shown(self, content_id: str) -> bool | None:
        """None where this is refused: either the page, or everything to this account."""
        response = self._transport.send(f"rest/api/content/{content_id}", {})
        if response.status_code == 403:
            return None
        if is_unknown(response):
            return False
        status = understood(f"the page {content_id}", as_json(response), items.status)
        return status is PageStatus.CURRENT

    def _paths(
        self, pages: Sequence[Page], allowance: Allowance, *, kept: int = 0
    ) -> dict[str, Path | None]:
        """With `kept` requests left over. As soon as a reply lacks what is above, page by page."""
        paths: dict[str, Path | None] = {}
        restrictions: dict[str, Readers | None] = {}
        rest, at_once = list(pages), AT_ONCE
        while rest and (free := allowance.left - kept) > 0:
            batch = rest[: min(at_once, free)]
            rest = rest[len(batch) :]
            places = allowance.each(self._place, batch)
            lacking = [_lacking(place, restrictions) for place in places]
            at_once = 1 if any(lacking) else at_once
            plan = planned(lacking, allowance.left - kept)
            told = allowance.each(self._readers_now, plan)
            restrictions |= dict(zip(plan, told, strict=True))
            for page, place in zip(batch, places, strict=True):
                if not _lacking(place, restrictions):
                    paths[page.id] = _path(place, restrictions) if place else None
        return paths

    def _place(self, page: Page) -> PageAccess | None:
        expand = f"space,ancestors,{RESTRICTIONS},{ABOVE}"
        response = self._transport.send(f"rest/api/content/{page.id}", {"expand": expand})
        if is_unknown(response):
            return None
        place = understood(f"the page {page.id}", as_json(response), items.place)
        return place if place.is_current else None

    def _readers_now(self, content_id: str) -> Readers | None:
        """None for what the site does not tell."""
        response = self._transport.send(_restriction(content_id), {"expand": _BOTH})
        if is_unknown(response):
            return None
        return understood(f"the restriction of {content_id}", as_json(response), items.readers)

    def _groups_now(self, account: str, allowance: Allowance) -> set[str] | None:
        """The principals of somebody's groups; None when too few requests were left for that."""
        groups = set[str]()
        start: int | None = 0
        while start is not None:
            query = {"key": account.removeprefix("user:"), "start": start, "limit": GROUPS}
            replies = allowance.each(self._memberships, [query])
            if not replies:
                return None
            names = all_understood("a group", results(replies[0]), items.name)
            groups.update(f"group:{name}" for name in names)
            has_more = bool(names) and next_query(replies[0]) is not None
            start = start + len(names) if has_more else None
        return groups

    def _memberships(self, query: Mapping[str, object]) -> Reply:
        return self._transport.get("rest/api/user/memberof", **query)


_BOTH = "restrictions.user,restrictions.group"


def _restriction(content_id: str) -> str:
    return f"rest/api/content/{content_id}/restriction/byOperation/read"


def _lacking(place: PageAccess | None, restrictions: Mapping[str, Readers | None]) -> list[str]:
    """What is above a page and was not told with it, nor later."""
    if place is None:
        return []
    above = [level.id for level in place.above if level.readers is None]
    return [content_id for content_id in above if content_id not in restrictions]


def _path(place: PageAccess, restrictions: Mapping[str, Readers | None]) -> Path:
    levels: list[Level] = []
    for level in (*place.above, place.page):
        told = restrictions.get(level.id) if level.readers is None else level.readers
        levels.append(Level(level.id, level.kind, told))
    return Path(place.space, tuple(levels))


def _passes(mine: set[str], path: Path, of_space: Readers) -> bool:
    """Unknown restrictions keep everybody out, and so does a space that names nobody."""
    if mine.isdisjoint(of_space):
        return False
    for level in path.levels:
        is_closed = level.readers is None or (level.readers and mine.isdisjoint(level.readers))
        if is_closed:
            return False
    return True
