"""Page key, kind and status: which page it is, apart from what it says."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

CONFLUENCE = "confluence"  # the source of everything that was stored without one


class PageKey(NamedTuple):
    """Which page: an id means one page only within its source.

    >>> str(PageKey("confluence", "123"))
    'confluence:123'
    """

    source: str  # the name of core.page_source.PageSource
    id: str

    def __str__(self) -> str:
        """A name for logs, for ids and for stores that know strings alone; nobody parses it."""
        return f"{self.source}:{self.id}"


class SpaceKey(NamedTuple):
    """Which space: two sources may use the same key."""

    source: str
    key: str


class PageKind(StrEnum):
    """What a page is; all but the first two only stand above pages."""

    PAGE = "page"
    BLOGPOST = "blogpost"
    FOLDER = "folder"
    OTHER = "content"  # a whiteboard, a database, whatever comes next

    @classmethod
    def _missing_(cls, value: object) -> PageKind:
        return cls.OTHER

    @property
    def is_indexed(self) -> bool:
        return self in (PageKind.PAGE, PageKind.BLOGPOST)


class PageStatus(StrEnum):
    """Where in its life a page is, as its source says."""

    CURRENT = "current"
    ARCHIVED = "archived"
    TRASHED = "trashed"
    DRAFT = "draft"
    REFUSED = "refused"  # it is not for us to see
    GONE = "gone"  # it is unknown there, or has a status that we do not know

    @classmethod
    def _missing_(cls, value: object) -> PageStatus:
        return cls.GONE
