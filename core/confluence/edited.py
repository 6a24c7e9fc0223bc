"""Pages that were edited lately, by CQL, and single pages as a listing shows them: for news.

CQL: https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/
Its times are whole minutes in a time zone that the account has set, so only `now("-90m")` is used.
It does not find what became of labels, restrictions, places and removed pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.confluence import datacenter_items
from core.confluence.reply import Reply, all_understood, base_of, identity, understood
from core.confluence.transport import Transport
from core.errors import SourceUnknown
from core.page_source import Listed, Space
from core.pages import PageKind

SPACES = 50  # keys in one query: an address must not grow too long


def batches(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def edited(
    transport: Transport,
    spaces: Sequence[Space],
    minutes: int,
    *,
    limit: int,
) -> dict[str, int]:
    """Versions by id, read to the end; of Cloud and of Data Center alike."""
    found: dict[str, int] = {}
    for keys in batches([space.key for space in spaces], SPACES):
        query = cql(keys, minutes)
        path = "rest/api/content/search"
        listed = transport.items(path, limit=limit, cql=query, expand="version")
        found |= all_understood("a page found by CQL", listed, _version)
    return found


def cql(keys: Sequence[str], minutes: int) -> str:
    """Keys are quoted: those of personal spaces begin with a tilde.

    >>> cql(["DOC", "~ada"], 5)
    'lastmodified >= now("-5m") and space in ("DOC", "~ada") and type in (page, blogpost)'
    """
    quoted = ", ".join(f'"{key}"' for key in keys)
    kinds = "type in (page, blogpost)"
    return f'lastmodified >= now("-{minutes}m") and space in ({quoted}) and {kinds}'


def listed_one_by_one(
    transport: Transport,
    ids: Sequence[str],
    spaces: Sequence[Space],
    *,
    expand: str,
    site: str,
) -> list[Listed]:
    """Data Center's v1 answers 404 for pages that are not current, or that the account may not see.

    Raises:
        SourceRefused: so it is not the page that is refused, but the account.
    """
    by_id = {space.id: space for space in spaces}
    found: list[Listed] = []
    for page_id in ids:
        try:
            item = transport.get(f"rest/api/content/{page_id}", expand=f"{expand},space")
        except SourceUnknown:
            continue
        kind = PageKind(str(item.get("type")))
        space = by_id.get(_space_id(item))
        if kind.is_indexed and space is not None and item.get("status") == "current":
            found.append(_listed(item, kind, space, site=base_of(item) or site))
    return found


def _version(item: Reply) -> tuple[str, int]:
    return identity(item), int(item["version"]["number"])


def _space_id(item: Reply) -> str:
    return understood("a page", item, lambda page: identity(page["space"]))


def _listed(item: Reply, kind: PageKind, space: Space, *, site: str) -> Listed:
    what = f"the page {item.get('id')}"
    return understood(what, item, lambda page: datacenter_items.listed(page, kind, space, site))
