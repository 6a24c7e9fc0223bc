"""Addresses of a wiki's pages and files: they hold a title or a file's name, which are not for everybody who can read the address."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, unquote_plus

from indexer.parse.document.blocks import PageName

# How the path of a page's address can look: Cloud, old and new ones of Data Center, and short links, which name nothing and are still
# a page. A file's address holds the id of the page that it is kept on.
_PATHS = (
    re.compile(r"/spaces/(?P<space>[^/]+)/blog/(?:\d{4}/\d\d/\d\d/)?(?P<id>\d+)"),
    re.compile(
        r"/spaces/(?P<space>[^/]+)/(?:pages|whiteboard|database|folder)/(?:[a-z][\w.-]*/)?(?P<id>\d+)"
    ),
    re.compile(r"/download/(?:attachments|thumbnails)/(?P<id>\d+)/"),
    re.compile(r"/download/attachments/embedded-page/(?P<space>[^/]+)/(?P<title>[^/]+)/"),
    re.compile(r"/display/(?P<space>[^/]+)/(?:\d{4}/\d\d/\d\d/)?(?P<title>[^/]+)/?$"),
    re.compile(r"/pages/(?P<id>\d+)"),
    re.compile(r"^(?:\w+://[^/]+)?(?:/[\w.-]+)?/(?:x|l/cp?)/[\w-]+/?$"),
)


def page_at(address: str) -> PageName | None:
    """The page of a wiki at this address, or the page of the file there; None when it is something else.

    >>> page_at("https://example.com/wiki/spaces/DOC/pages/123/On+call")
    PageName(title='https://example.com/wiki/spaces/DOC/pages/123/On+call', space='DOC', id='123')
    """
    path, _, query = address.partition("#")[0].partition("?")
    if path.endswith(".action"):
        return _asked_for(query, address)
    found = next(filter(None, (pattern.search(path) for pattern in _PATHS)), None)
    if found is None:
        return None
    parts = found.groupdict(default="")
    return PageName(
        unquote_plus(parts.get("title", "")) or address,
        unquote(parts.get("space", "")),
        parts.get("id", ""),
    )


def _asked_for(query: str, address: str) -> PageName | None:
    """`viewpage.action?pageId=123` and the like."""
    asked = {key: values[0] for key, values in parse_qs(query.replace("&amp;", "&")).items()}
    if "pageId" not in asked and "title" not in asked:
        return None
    return PageName(asked.get("title", address), asked.get("spaceKey", ""), asked.get("pageId", ""))


def file_at(address: str) -> str:
    """The name of the file at an address, which may be nonsense, or only a name."""
    path = re.split(r"[?#]", address.rpartition("://")[2])[0]
    return unquote(path).rstrip("/").rpartition("/")[2]
