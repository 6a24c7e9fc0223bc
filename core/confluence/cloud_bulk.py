"""Many pages of Confluence Cloud in one request: 250 by id, or labels and restrictions of 50.

v2 has no request for the latter. The search of v1 is an index and may lag some minutes behind, so
it is for pages that were not edited lately, and is doubted: indexer/sync/together.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.confluence import cloud_items as items
from core.confluence.allowance import Allowance
from core.confluence.reply import Reply, identity, next_query, results, understood
from core.confluence.transport import Transport
from core.errors import SourceNotUnderstood
from core.models import Page
from core.page_source import Scanned
from core.pages import PageKind

# https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-get
MOST_IDS = 250
Content = tuple[PageKind, str]  # a kind with a bulk request, and an id


@dataclass(frozen=True)
class _Batch:
    kind: PageKind
    ids: tuple[str, ...]


def in_bulk(
    transport: Transport,
    allowance: Allowance,
    wanted: Iterable[Content],
    statuses: Sequence[str],
) -> dict[str, Reply | None]:
    """The items by id, None where there is none for this account; those not asked are left out."""

    def ask(batch: _Batch) -> Reply:
        query = {"id": ",".join(batch.ids), "status": _known(batch.kind, statuses)}
        return transport.get(f"api/v2/{batch.kind}s", limit=str(MOST_IDS), **query)

    found: dict[str, Reply | None] = {}
    batches = _batches(wanted)
    while batches and allowance.left > 0:
        replies = allowance.each(ask, batches)
        rest = batches[len(replies) :]
        for batch, reply in zip(batches, replies, strict=False):
            shown = _shown(batch, reply)
            found |= shown
            missing = [each for each in batch.ids if each not in shown]
            if next_query(reply) is None:
                found |= dict.fromkeys(missing)
            else:
                rest += _again(batch, missing)
        batches = rest
    return found


def _known(kind: PageKind, statuses: Sequence[str]) -> list[str]:
    """Blog posts cannot be archived, and the API refuses to look for such."""
    return [each for each in statuses if each != "archived" or kind is PageKind.PAGE]


def _batches(wanted: Iterable[Content]) -> list[_Batch]:
    """As few as possible, the kind of the first one first."""
    ids: dict[PageKind, dict[str, None]] = {}
    for kind, content_id in wanted:
        ids.setdefault(kind, {})[content_id] = None
    batches: list[_Batch] = []
    for kind, of_kind in ids.items():
        listed = tuple(of_kind)
        starts = range(0, len(listed), MOST_IDS)
        batches += (_Batch(kind, listed[start : start + MOST_IDS]) for start in starts)
    return batches


def _shown(batch: _Batch, reply: Reply) -> dict[str, Reply]:
    """Of the ids that were asked for; a reply that shows others is no reason to believe them."""
    shown: dict[str, Reply] = {}
    for item in results(reply):
        content_id = understood("a page", item, identity)
        if content_id in batch.ids:
            shown[content_id] = item
    return shown


def _again(batch: _Batch, missing: Sequence[str]) -> list[_Batch]:
    """What a reply that was cut short did not show, to be asked for by itself."""
    if len(missing) == len(batch.ids):
        raise SourceNotUnderstood(f"api/v2/{batch.kind}s: there is more, and nothing is shown")
    return [_Batch(batch.kind, tuple(missing))] if missing else []


# https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/#api-wiki-rest-api-content-search-get
EXPAND = ",".join(
    (
        "metadata.labels",
        "restrictions.read.restrictions.user",
        "restrictions.read.restrictions.group",
    )
)


def scanned(transport: Transport, pages: Sequence[Page]) -> dict[str, Scanned]:
    """By id; pages that it does not tell everything of are left out."""
    ids = ", ".join(page.id for page in pages)
    kinds = ", ".join(sorted({page.kind.value for page in pages}))
    query = f"id in ({ids}) and type in ({kinds})"
    asked = {"cql": query, "expand": EXPAND, "limit": str(len(pages))}
    reply = transport.get("rest/api/content/search", **asked)
    told = {identity(item): _read(item) for item in results(reply)}
    wanted = {page.id for page in pages}
    return {page_id: found for page_id, found in told.items() if found and page_id in wanted}


def _read(item: Reply) -> Scanned | None:
    """None when something is missing, or a list may be cut short."""
    try:
        labels = item["metadata"]["labels"]
        read = item["restrictions"]["read"]
        lists = (labels, read["restrictions"]["user"], read["restrictions"]["group"])
        if not all(map(_is_whole, lists)):
            return None
        names = sorted(items.name(each) for each in labels["results"])
        return Scanned(tuple(names), items.readers(read))
    except (KeyError, TypeError, AttributeError):
        return None


def _is_whole(listed: Reply) -> bool:
    """Not even full: there may be more than it says."""
    more = (listed.get("_links") or {}).get("next")
    return not more and len(listed["results"]) < int(listed["limit"])
