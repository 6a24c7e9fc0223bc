"""URLs of a wiki's pages and files, which contain titles and names that not everybody may read."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, unquote_plus

from indexer.parse.document.blocks import PageName

# How the path of a page's URL can look: Cloud, old and new ones of Data Center, and short links,
# which name nothing and are still a page. A file's URL holds the id of the page that it is kept on.
_PATHS = (
    re.compile(r"/spaces/(?P<space>[^/]+)/blog/(?:\d{4}/\d\d/\d\d/)?(?P<id>\d+)"),
    re.compile(
        r"/spaces/(?P<space>[^/]+)/(?:pages|whiteboard|database|folder)"
        r"/(?:[a-z][\w.-]*/)?(?P<id>\d+)"
    ),
    re.compile(r"/download/(?:attachments|thumbnails)/(?P<id>\d+)/"),
    re.compile(r"/download/attachments/embedded-page/(?P<space>[^/]+)/(?P<title>[^/]+)/"),
    re.compile(r"/display/(?P<space>[^/]+)/(?:\d{4}/\d\d/\d\d/)?(?P<title>[^/]+)/?$"),
    re.compile(r"/pages/(?P<id>\d+)"),
    re.compile(r"^(?:\w+://[^/]+)?(?:/[\w.-]+)?/(?:x|l/cp?)/[\w-]+/?$"),
)


def page_at(address: str) -> PageName | None:
    """The wiki page at this address, or the page of the file there; None for anything else.

    >>> page_at("https://example.com/wiki/spaces/DOC/pages/123/On+call")
    PageName(title='https://example.com/wiki/spaces/DOC/pages/123/On+call', space='DOC', id='123')
    """
    path, _, query = address.partition("#")[0].partition("?")
    if path.endswith(".action"):
        return _page_of_query(query, address)
    for pattern in _PATHS:
        found = pattern.search(path)
        if found:
            parts = found.groupdict(default="")
            title = unquote_plus(parts.get("title", "")) or address
            return PageName(
                title,
                unquote(parts.get("space", "")),
                parts.get("id", ""),
            )
    return None


def _page_of_query(query: str, address: str) -> PageName | None:
    """`viewpage.action?pageId=123` and the like."""
    parsed = parse_qs(query.replace("&amp;", "&"))
    first = {key: values[0] for key, values in parsed.items()}
    if "pageId" not in first and "title" not in first:
        return None
    title = first.get("title", address)
    return PageName(
        title,
        first.get("spaceKey", ""),
        first.get("pageId", ""),
    )


def file_at(address: str) -> str:
    """The name of the file at an address, which may be nonsense, or only a name."""
    path = re.split(r"[?#]", address.rpartition("://")[2])[0]
    return unquote(path).rstrip("/").rpartition("/")[2]
