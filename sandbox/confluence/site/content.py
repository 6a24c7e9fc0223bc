"""The content of a Confluence site: pages, spaces, people, and the verbs that change them."""

from __future__ import annotations

import re
import time
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import quote_plus
from zlib import crc32

# Account ids of Cloud are plain ASCII.
PLAIN_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "é": "e"}
)


@dataclass(frozen=True)
class Person:
    """A person with an account on the site."""

    account_id: str
    name: str
    email: str = ""  # empty too where the profile does not show it

    @property
    def key(self) -> str:
        """The user key of Data Center, where accounts have no account id."""
        return f"key-{crc32(self.account_id.encode()):08x}"

    @property
    def username(self) -> str:
        return self.account_id.rpartition(":")[2]


@dataclass
class Comment:
    """A comment under a page, or beside a line of it."""

    id: str
    body: str  # storage format
    author: str = ""  # account id
    kind: str = "footer"  # footer | inline
    version: int = 1


@dataclass
class File:
    """An attachment of a page."""

    id: str
    name: str
    data: bytes
    media_type: str = "application/octet-stream"
    version: int = 1


@dataclass
class Entry:
    """A page or blog post as the site keeps it."""

    id: str
    space: str  # the key
    title: str
    body: str = ""  # storage format
    kind: str = "page"  # page | blogpost | folder | whiteboard | database | embed
    subtype: str = ""  # live: a page without versions that are published
    status: str = "current"  # current | archived | trashed | draft
    parent_id: str | None = None
    owner: str = ""  # account id
    author: str = ""  # account id of who changed it last
    labels: list[str] = field(default_factory=list)
    version: int = 1
    message: str = ""
    created_at: str = "2025-01-15T08:00:00.000Z"
    updated_at: str = "2025-01-15T08:00:00.000Z"
    # Account ids that may read it; with `groups` empty too it is not restricted.
    users: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    files: list[File] = field(default_factory=list)

    @property
    def webui(self) -> str:
        """The path for people, under the site's context path; it changes with the title."""
        slug = quote_plus(self.title)
        if self.kind == "blogpost":
            day = self.created_at[:10].replace("-", "/")
            return f"/spaces/{self.space}/blog/{day}/{self.id}/{slug}"
        if self.kind != "page":
            return f"/spaces/{self.space}/{self.kind}/{self.id}"
        return f"/spaces/{self.space}/pages/{self.id}/{slug}"


def space_id(key: str) -> str:
    """A stable numeric id for a space key."""
    return str(crc32(key.encode()))


def account_id(name: str) -> str:
    """A stable account id for a display name: `sandbox:mara-lindqvist` for Mara Lindqvist."""
    plain = name.lower().translate(PLAIN_LETTERS)
    return "sandbox:" + re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


# The group of all licensed users, who may see a space by default.
EVERYBODY = "confluence-users"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Content:
    """All entries, spaces and people of the site; `reset` brings back what was loaded."""

    def __init__(
        self,
        entries: list[Entry],
        people: list[Person],
        space_names: dict[str, str],
        groups: dict[str, list[str]] | None = None,
    ) -> None:
        self._loaded = deepcopy(entries)
        self._loaded_groups = groups or {}
        self.space_names = space_names
        self.people = {person.account_id: person for person in people}
        self.entries: dict[str, Entry] = {}
        # Account ids by name; without an entry a group has no members.
        self.groups: dict[str, list[str]] = {}
        # Account ids and groups by key.
        self.space_readers: dict[str, tuple[list[str], list[str]]] = {}
        self.blind: set[str] = set()  # ids of what the account of the indexer may not see
        self.tokens: dict[str, str] = {}  # account ids by the tokens of people
        self.search_lag_s = 0.0
        # Entries as they were until a moment of the monotonic clock, for a search that lags.
        self._earlier: list[tuple[float, dict[str, Entry]]] = []
        self._highest = 1000
        self.reset()

    def reset(self) -> None:
        self.entries = {entry.id: deepcopy(entry) for entry in self._loaded}
        self.groups, self.space_readers, self.blind = deepcopy(self._loaded_groups), {}, set()
        self.tokens.clear()
        self.search_lag_s, self._earlier = 0.0, []
        self._highest = max((int(i) for i in self.entries), default=1000)

    def group_names(self) -> list[str]:
        """Every group that is defined, or that something names."""
        found = {EVERYBODY, *self.groups}
        for entry in self.entries.values():
            found.update(entry.groups)
        for _users, groups in self.space_readers.values():
            found.update(groups)
        return sorted(found)

    def members(self, group: str) -> list[str]:
        if group == EVERYBODY and group not in self.groups:
            return list(self.people)
        return self.groups.get(group, [])

    def readers_of_space(self, key: str) -> tuple[list[str], list[str]]:
        return self.space_readers.get(key, ([], [EVERYBODY]))

    def may_read(self, account: str, entry: Entry) -> bool:
        """The rule of Confluence: the space, and every restricted ancestor, and the page."""
        readers = [self.readers_of_space(entry.space)]
        path = (*self.ancestors(entry), entry)
        readers += [(each.users, each.groups) for each in path if each.users or each.groups]
        return all(self._passes(account, users, groups) for users, groups in readers)

    def _passes(self, account: str, users: list[str], groups: list[str]) -> bool:
        return account in users or any(account in self.members(group) for group in groups)

    def is_seen(self, entry: Entry) -> bool:
        """Whether the account of the indexer sees it: nothing above it may be hidden either."""
        if not self.blind:
            return True
        path = (*self.ancestors(entry), entry)
        return self.blind.isdisjoint(each.id for each in path)

    def is_shown(self, account: str | None, entry: Entry) -> bool:
        """Whether somebody sees it; None is the account of the indexer."""
        return self.is_seen(entry) if account is None else self.may_read(account, entry)

    def sees_space(self, account: str | None, key: str) -> bool:
        return account is None or self._passes(account, *self.readers_of_space(key))

    def remember(self) -> None:
        """Keep the entries as they are before a change, as long as the search lags."""
        if self.search_lag_s:
            self._earlier.append((time.monotonic(), deepcopy(self.entries)))

    def as_searched(self) -> Content:
        """The site as its search index knows it."""
        then = time.monotonic() - self.search_lag_s
        view = copy(self)
        view.entries = next((old for until, old in self._earlier if until > then), self.entries)
        return view

    def space_keys(self) -> list[str]:
        """Every key of an entry, now or when it was loaded: an emptied space stays."""
        return sorted({entry.space for entry in [*self._loaded, *self.entries.values()]})

    def of_kind(self, kind: str) -> list[Entry]:
        """All entries of a kind in the order of their ids, which is the order of the listings."""
        found = [entry for entry in self.entries.values() if entry.kind == kind]
        return sorted(found, key=lambda entry: int(entry.id))

    def children(self, entry_id: str) -> list[Entry]:
        below = [page for page in self.of_kind("page") if page.parent_id == entry_id]
        return [page for page in below if page.status == "current"]

    def ancestors(self, entry: Entry) -> list[Entry]:
        """The pages above one, outermost first; a parent that is gone ends the path."""
        path: list[Entry] = []
        above = self.entries.get(entry.parent_id or "")
        while above is not None and above not in path:
            path.insert(0, above)
            above = self.entries.get(above.parent_id or "")
        return path

    def find(self, title: str, space: str) -> Entry | None:
        """The current entry that a link by title in a space points to."""
        for entry in self.entries.values():
            if (entry.title, entry.space, entry.status) == (title, space, "current"):
                return entry
        return None

    def create(self, entry: Entry) -> Entry:
        """Add an entry under a new id, which no entry ever had."""
        self._highest += 1
        created = replace(entry, id=str(self._highest), created_at=now(), updated_at=now())
        self.entries[created.id] = created
        return created

    def change(self, entry: Entry, **values: str | None) -> Entry:
        """Change an entry as an editor does: its version rises by one."""
        for name, value in values.items():
            setattr(entry, name, value)
        entry.version += 1
        entry.updated_at = now()
        return entry

    def purge(self, entry: Entry) -> None:
        """Remove an entry for good; its id is not given out again."""
        del self.entries[entry.id]
