"""A second source: a folder of Markdown files, to see that the index can hold more than Confluence.

DOC/1.md    the page 1 of the space DOC; its first line is its title
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path as Folder
from zlib import crc32

from markdown_it import MarkdownIt

from core.models import Page
from core.page_source import (
    Account,
    Attachment,
    Body,
    Comment,
    Level,
    Listed,
    Path,
    Readers,
    Scanned,
    Space,
    UnreadItem,
    Whereabouts,
)
from core.pages import PageKind, PageStatus
from indexer.parse import Document, Site, parse
from indexer.parse.formats import FORMATS, BodyFormat

MARKDOWN = "markdown"


def as_blocks(text: str, /, *, site: Site) -> Document:
    return parse(MarkdownIt("commonmark").render(text), site=site)


def nobody(_text: str) -> set[str]:
    return set()


ALL_FORMATS = {**FORMATS, MARKDOWN: BodyFormat(as_blocks, nobody)}


class MarkdownFolder:
    """Fulfils core.page_source.PageSource; `restricted` says who alone may read a page."""

    name = "files"
    requests = 0

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.restricted: dict[str, Readers] = {}

    def write(self, page_id: str, title: str, text: str, space: str = "DOC") -> None:
        (self._folder / space).mkdir(parents=True, exist_ok=True)
        (self._folder / space / f"{page_id}.md").write_text(f"{title}\n\n{text}")

    def delete(self, page_id: str, space: str = "DOC") -> None:
        (self._folder / space / f"{page_id}.md").unlink()

    def spaces(self, keys: Sequence[str]) -> list[Space]:
        return [Space(key, key) for key in keys]

    def manifest(self, space: Space) -> Iterator[Listed]:
        for file in sorted((self._folder / space.key).glob("*.md")):
            page = self._page(file)
            yield Listed(page, labels=(), readers=self.readers(page.id))

    def unread(self, _space: Space) -> list[UnreadItem]:
        return []

    def bodies(self, pages: Sequence[Page]) -> dict[str, Body]:
        return {page.id: self._body(page) for page in pages}

    def changed(self, _spaces: Sequence[Space], _minutes: int) -> dict[str, int]:
        return {}

    def listed(self, ids: Sequence[str], spaces: Sequence[Space]) -> list[Listed]:
        everything = [each for space in spaces for each in self.manifest(space)]
        return [each for each in everything if each.page.id in ids]

    def whereabouts(self, _page: Page) -> Whereabouts:
        return Whereabouts(PageStatus.TRASHED)

    def labels(self, _page: Page) -> tuple[str, ...]:
        return ()

    def scanned(self, _pages: Sequence[Page]) -> dict[str, Scanned]:
        return {}

    def readers(self, content_id: str) -> Readers:
        return self.restricted.get(content_id, frozenset())

    def ancestors(self, _page: Page) -> dict[str, PageKind]:
        return {}

    def space_readers(self, _space: Space) -> Readers:
        return frozenset()

    def groups(self) -> dict[str, str]:
        return {}

    def members(self, _group: str) -> list[Account]:
        return []

    def accounts(self, _principals: Collection[str]) -> list[Account]:
        return []

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        return self.visible_to("", pages, most=most)

    def visible_to(self, account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        """Without a request, however few there may be."""
        assert most >= 0
        seen: dict[str, bool] = {}
        for page in pages:
            readers = self.readers(page.id)
            seen[page.id] = self._is_there(page) and (not readers or account in readers)
        return seen

    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]:
        assert most >= 0
        paths: dict[str, Path | None] = {}
        for page in pages:
            level = Level(page.id, page.kind, self.readers(page.id))
            space = Space(page.space, page.space)
            paths[page.id] = Path(space, (level,)) if self._is_there(page) else None
        return paths

    def names(self, _ids: Collection[str]) -> dict[str, str]:
        return {}

    def comments(self, _page: Page) -> list[Comment]:
        return []

    def attachments(self, _page: Page) -> list[Attachment]:
        return []

    def download(self, attachment: Attachment, *, limit: int) -> bytes:
        raise NotImplementedError(attachment, limit)

    def _is_there(self, page: Page) -> bool:
        return (self._folder / page.space / f"{page.id}.md").exists()

    def _page(self, file: Folder) -> Page:
        text = file.read_text()
        return Page(
            source=self.name,
            id=file.stem,
            space=file.parent.name,
            title=text.partition("\n")[0],
            url=file.as_uri(),
            version=crc32(text.encode()),
        )

    def _body(self, page: Page) -> Body:
        file = self._folder / page.space / f"{page.id}.md"
        return Body(file.read_text().partition("\n")[2], page.version, MARKDOWN)
