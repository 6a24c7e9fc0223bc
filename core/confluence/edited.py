"""What the search index of v1 knows: pages that were edited lately, and what is no page.

And single pages as a listing shows them, for news.

CQL: https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/
Its times are whole minutes in a time zone that the account has set, so only `now("-90m")` is used.
It does not find what became of labels, restrictions, places and removed pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from core.confluence import datacenter_items
from core.confluence.reply import (
    Reply,
    all_understood,
    base_of,
    identity,
    results,
    understood,
)
from core.confluence.transport import Transport
from core.errors import SourceUnknown
from core.page_source import Listed, Space, UnreadItem
from core.pages import PageKind

SPACES = 50  # keys in one query: an address must not grow too long
# What stands in the tree of a space beside pages; `embed` is a Smart Link. A type that the site
# does not know is a 400 for the whole query, so newer ones are not asked for.
UNREAD = ("whiteboard", "database", "folder", "embed")


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


def unread(
    transport: Transport,
    space: Space,
    *,
    site: str,
    limit: int,
) -> list[UnreadItem]:
    """Whiteboards and the like, by kind and title."""
    query = f'space = "{space.key}" and type in ({", ".join(UNREAD)})'
    found: list[UnreadItem] = []
    for reply in transport.listing("rest/api/content/search", limit=limit, cql=query):
        read = partial(_unread, site=base_of(reply) or site)
        found += all_understood("what CQL found", results(reply), read)
    return sorted(found, key=lambda each: (each.kind, each.title.casefold()))


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


def _unread(item: Reply, *, site: str) -> UnreadItem:
    return UnreadItem(item["type"], item["title"], site + item["_links"]["webui"])


def _version(item: Reply) -> tuple[str, int]:
    return identity(item), int(item["version"]["number"])


def _space_id(item: Reply) -> str:
    return understood("a page", item, lambda page: identity(page["space"]))


def _listed(item: Reply, kind: PageKind, space: Space, *, site: str) -> Listed:
    what = f"the page {item.get('id')}"
    return understood(what, item, lambda page: datacenter_items.listed(page, kind, space, site))
