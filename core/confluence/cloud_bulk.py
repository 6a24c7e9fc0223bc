"""Pages and blog posts of Confluence Cloud by their ids, 250 in one request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.confluence.allowance import Allowance
from core.confluence.reply import Reply, identity, next_query, results, understood
from core.confluence.transport import Transport
from core.errors import SourceNotUnderstood
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
