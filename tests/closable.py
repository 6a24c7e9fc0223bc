"""A source in memory whose pages can be closed, moved and withheld; it counts what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.errors import SourceRefused, SourceUnreachable
from core.models import Page
from core.page_source import Level, Path, Readers, Space
from core.pages import CONFLUENCE, PageKind

HR = Space("9", "HR")
T = TypeVar("T")


@dataclass
class Closable:
    """What PageSource promises of access: one request a page, and one for a space's readers."""

    name: str = CONFLUENCE
    readers: dict[str, Readers] = field(default_factory=dict)  # of restricted pages
    above: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by page, outermost first
    gone: set[str] = field(default_factory=set)
    may: dict[str, set[str]] = field(default_factory=dict)  # ids of pages by account
    of_space: Readers = frozenset({"group:confluence-users"})
    down: bool = False
    refuses: bool = False
    space: Space = HR
    asked: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return len(self.asked)

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        return self._each(pages, most, lambda page: self._is_open(page.id))

    def visible_to(self, account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        return self._each(pages, most, lambda page: page.id in self.may.get(account, ()))

    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]:
        return self._each(pages, most, self._path)

    def space_readers(self, space: Space) -> Readers:
        self._ask(f"space {space.key}")
        return self.of_space

    def _is_open(self, page_id: str) -> bool:
        way = (*self.above.get(page_id, ()), page_id)
        return page_id not in self.gone and not any(each in self.readers for each in way)

    def _path(self, page: Page) -> Path | None:
        if page.id in self.gone:
            return None
        way = (*self.above.get(page.id, ()), page.id)
        return Path(self.space, tuple(map(self._level, way)))

    def _level(self, content_id: str) -> Level:
        return Level(content_id, PageKind.PAGE, self.readers.get(content_id, frozenset()))

    def _each(self, pages: Sequence[Page], most: int, say: Callable[[Page], T]) -> dict[str, T]:
        found: dict[str, T] = {}
        for page in pages[:most]:
            self._ask(page.id)
            found[page.id] = say(page)
        return found

    def _ask(self, what: str) -> None:
        if self.down:
            raise SourceUnreachable("it does not answer")
        if self.refuses:
            raise SourceRefused("401")
        self.asked.append(what)
