"""Page source: where pages come from, such as Confluence, as a protocol and its types."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.models import Page
from core.pages import PageKind, PageStatus

BODIES = 50  # most bodies in one request

# Principals, `user:ID` or `group:ID`, the same in all sources: another source with people of its
# own must not name them as Confluence does. Cloud names people by account id and groups by id; Data
# Center names people by user key, which unlike the username never changes, and groups by name,
# since they have no id there.
Readers = frozenset[str]
# In a restriction: somebody whom we cannot name. No account's principal.
NOBODY = "unknown:"
STORAGE = "confluence-storage"  # the format of a body that indexer.parse reads
# The same of a page that Data Center shows, which gives headings other ids.
STORAGE_OF_DATACENTER = "confluence-storage-datacenter"


@dataclass(frozen=True)
class Space:
    """A space: the API asks for its id, people know its key."""

    id: str
    key: str
    name: str = ""


@dataclass(frozen=True)
class Listed:
    """A page as a listing shows it, without its body; None where this listing does not say."""

    page: Page
    labels: tuple[str, ...] | None = None
    readers: Readers | None = None  # its own read restriction; empty: nobody is kept from it


@dataclass(frozen=True)
class Scanned:
    """What a listing does not show of a page."""

    labels: tuple[str, ...]
    readers: Readers  # its own read restriction; empty: nobody is kept from it


@dataclass(frozen=True)
class UnreadItem:
    """Something in a space that is no page and is not read, such as a whiteboard."""

    kind: str  # as the source calls it
    title: str
    url: str


@dataclass(frozen=True)
class Body:
    """What a page, a comment or a file says: markup, the version it belongs to, and its format."""

    text: str
    version: int
    format: str = STORAGE  # indexer.parse.formats has a parser for it


@dataclass(frozen=True)
class Whereabouts:
    """What became of a page that is not in its space's listing."""

    status: PageStatus
    space_id: str = ""


@dataclass(frozen=True)
class Account:
    """Somebody on the site."""

    id: str  # the principal, user:ID
    name: str
    email: str = ""  # empty when the profile does not show it


@dataclass(frozen=True)
class Comment:
    """Something said under a page, or beside a line of it."""

    id: str
    author: str  # as `names` takes it
    body: Body


@dataclass(frozen=True)
class Attachment:
    """A file on a page."""

    id: str
    title: str  # the file's name
    media_type: str
    size: int  # bytes
    version: int
    download: str  # path and query under the site's base


@dataclass(frozen=True)
class Level:
    """One thing that a reader passes on the way to a page: something above it, or the page."""

    id: str
    kind: PageKind
    readers: Readers | None  # its own restriction; empty: nobody is kept out; None: unknown


@dataclass(frozen=True)
class Path:
    """Where a page stands right now, and what its readers have to pass."""

    space: Space
    levels: tuple[Level, ...]  # outermost first, the page itself last


class Viewer(Protocol):
    """Somebody's eyes on a source: the account of a token.

    Every verb raises a SourceError when it is not answered, or not understood.
    """

    @property
    def requests(self) -> int:
        """How many were sent so far."""

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """Whether this account may view each of these pages right now, by id.

        Only current pages count. Asked with at most so many requests, the first pages first;
        those for which that did not suffice are left out.
        """


class PageSource(Viewer, Protocol):
    """A source. Every verb raises a SourceError when it is not answered, or not understood."""

    @property
    def name(self) -> str:
        """One word in lower case that no other source has: what its pages' keys begin with."""

    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]:
        """Where each of these pages stands right now, with all restrictions, by id.

        None for a page that is not current, or that the configured account may not view. `pages`
        are as of the last sync, which may be out of date in everything but source, id and kind.
        Asked with at most so many requests, the first pages first; those for which that did not
        suffice are left out.
        """

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        """The spaces with these keys, `("*",)` for all.

        Raises:
            SettingsError: one is unknown, or hidden from this account.
        """

    def manifest(self, space: Space) -> Iterator[Listed]:
        """Every current page and blog post of a space."""

    def unread(self, space: Space) -> list[UnreadItem]:
        """What else stands in a space, as far as this account sees it; as of a while ago."""

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        """The bodies of at most BODIES pages of one kind, by id, as far as they could be read."""

    def changed(self, spaces: Sequence[Space], minutes: int) -> dict[str, int]:
        """The versions of the pages edited in the last minutes, by id; as far as it is known yet.

        Says nothing of labels, restrictions, moves and removed pages.
        """

    def listed(self, ids: Sequence[str], spaces: Sequence[Space]) -> list[Listed]:
        """Those of these pages that are current and in one of the spaces, as a listing has them."""

    def whereabouts(self, page: Page) -> Whereabouts:
        """Where a page is that its listing lacks.

        Raises:
            SourceRefused: the account may not see it any more.
        """

    def labels(self, page: Page) -> tuple[str, ...]: ...

    def scanned(self, pages: Sequence[Page]) -> dict[str, Scanned]:
        """Labels and restrictions of at most BODIES pages, by id, all at once.

        They may be some minutes old. A page that it does not tell everything of is left out; all
        are where there is no such request, or the listing shows it already.
        """

    def readers(self, content_id: str) -> Readers:
        """Who alone may read this page or folder by its own restriction; empty when it has none."""

    def ancestors(self, page: Page) -> dict[str, PageKind]:
        """The kind of everything above a page by id, outermost first."""

    def space_readers(self, space: Space) -> Readers:
        """Who may view a space; kinds of principals that we do not know are left out."""

    def groups(self) -> dict[str, str]:
        """The principal of every group by name."""

    def members(self, group: str) -> list[Account]:
        """Who is in a group, given as a principal."""

    def accounts(self, principals: Collection[str]) -> list[Account]:
        """Names and e-mails of people, as far as they are shown."""

    def visible_to(self, account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """As `visible`, for another account, a principal."""

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """Display names by the ids that pages mention people with."""

    def comments(self, page: Page) -> list[Comment]: ...

    def attachments(self, page: Page) -> list[Attachment]: ...

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        """The bytes of a file; SourceNotUnderstood when there are more than `limit`."""
