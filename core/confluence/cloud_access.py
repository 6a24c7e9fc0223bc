"""Who may read what in Confluence Cloud right now: with a token's own eyes, or by restrictions.

Addresses under https://developer.atlassian.com/cloud/confluence/ are cut to `…/rest/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.confluence import cloud_items as items
from core.confluence.allowance import Allowance, planned
from core.confluence.cloud_bulk import MOST_IDS, in_bulk
from core.confluence.cloud_tree import Chain, ContentTree
from core.confluence.reply import (
    Reply,
    all_understood,
    as_json,
    is_unknown,
    results,
    understood,
)
from core.confluence.transport import Transport
from core.errors import SourceNotUnderstood
from core.models import Page
from core.page_source import Level, Path, Readers, Space
from core.pages import PageKind, PageStatus

MOST_READERS = 200  # in one reply


class CloudAccess:
    """One Cloud site as an account sees it at this moment; a core.page_source.Viewer."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._spaces: dict[str, Space] = {}  # by id; a space keeps its key

    @property
    def requests(self) -> int:
        return self._transport.requests

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """…/rest/v2/api-group-page/#api-pages-get: only what this account may view is listed."""
        allowance = Allowance(self._transport, most)
        wanted = [(page.kind, page.id) for page in pages if page.kind.is_indexed]
        found = in_bulk(self._transport, allowance, wanted, [PageStatus.CURRENT])
        seen: dict[str, bool] = {}
        for page_id, item in found.items():
            seen[page_id] = item is not None and _is_current(item)
        return seen

    def visible_to(self, account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """Asking for other people takes the global permission "Confluence Administrator"."""
        allowance = Allowance(self._transport, most)
        person = account.removeprefix("user:")
        answers = allowance.each(lambda page: self._is_permitted(person, page.id), pages)
        return {page.id: may for page, may in zip(pages, answers, strict=False)}

    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]:
        """The pages and their ancestors in bulk, then each restriction on the way once."""
        allowance = Allowance(self._transport, most)
        tree = ContentTree(self._transport, allowance)
        tree.read(pages)
        chains = tree.chains(pages)
        there = [chain for chain in chains.values() if chain is not None]
        spaces = self._spaces_of(there, allowance)
        restrictions = self._restrictions(there, allowance)
        paths: dict[str, Path | None] = {}
        for page_id, chain in chains.items():
            if chain is None:
                paths[page_id] = None
            elif _space_id(chain) in spaces and restrictions.keys() >= set(_needed(chain)):
                space = spaces[_space_id(chain)]
                levels = _levels(chain, restrictions)
                paths[page_id] = Path(space, levels) if space else None
        return paths

    def readers(self, content_id: str) -> Readers:
        reply = self._transport.get(_restriction(content_id), limit=str(MOST_READERS))
        return understood(f"the restriction of {content_id}", reply, items.readers)

    def _is_permitted(self, person: str, content_id: str) -> bool:
        """…/rest/v1/api-group-content-permissions/; what is gone may be read by nobody."""
        subject = {"type": "user", "identifier": person}
        asked = {"subject": subject, "operation": "read"}
        response = self._transport.send_json(
            f"rest/api/content/{content_id}/permission/check", asked
        )
        if is_unknown(response):
            return False
        may = as_json(response).get("hasPermission")
        if not isinstance(may, bool):
            raise SourceNotUnderstood(f"the permission for {content_id} is neither yes nor no")
        return may

    def _spaces_of(self, chains: Iterable[Chain], allowance: Allowance) -> dict[str, Space | None]:
        """By id; None for those that the site does not list. Asked for once per process."""
        ids = dict.fromkeys(map(_space_id, chains))
        new = [space_id for space_id in ids if space_id not in self._spaces][:MOST_IDS]
        asked = allowance.each(self._listed_spaces, [new] if new else [])
        for listed in asked:
            self._spaces |= {space.id: space for space in listed}
        spaces: dict[str, Space | None] = dict.fromkeys(new) if asked else {}
        known = {each: self._spaces[each] for each in ids if each in self._spaces}
        return spaces | known

    def _listed_spaces(self, ids: Sequence[str]) -> list[Space]:
        """…/rest/v2/api-group-space/#api-spaces-get"""
        reply = self._transport.get("api/v2/spaces", ids=",".join(ids), limit=str(MOST_IDS))
        return all_understood("a space", results(reply), items.space)

    def _restrictions(
        self, chains: Iterable[Chain], allowance: Allowance
    ) -> Mapping[str, Readers | None]:
        plan = planned(map(_needed, chains), allowance.left)
        return dict(zip(plan, allowance.each(self._readers_now, plan), strict=True))

    def _readers_now(self, content_id: str) -> Readers | None:
        """None for what the site does not tell."""
        query = {"limit": str(MOST_READERS)}
        response = self._transport.send(_restriction(content_id), query)
        if is_unknown(response):
            return None
        return understood(f"the restriction of {content_id}", as_json(response), items.readers)


def _restriction(content_id: str) -> str:
    """…/rest/v1/api-group-content-restrictions/"""
    return f"rest/api/content/{content_id}/restriction/byOperation/read"


def _is_current(item: Reply) -> bool:
    return understood("a page", item, items.status) is PageStatus.CURRENT


def _space_id(chain: Chain) -> str:
    """The page says it."""
    return chain.nodes[0].space_id


def _needed(chain: Chain) -> list[str]:
    """The contents whose restriction has to be asked for; of what is unknown, nothing is."""
    return [node.id for node in chain.nodes if node.kind is not PageKind.OTHER]


def _levels(chain: Chain, restrictions: Mapping[str, Readers | None]) -> tuple[Level, ...]:
    outermost_first = reversed(chain.nodes)
    return tuple(Level(each.id, each.kind, restrictions.get(each.id)) for each in outermost_first)
