"""Comments and attachments of pages as further documents, where the operator wants them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from core.models import Page
from core.page_source import STORAGE, Body, Comment, PageSource
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import AttachmentRow
from indexer.attachments.convert import require_library
from indexer.attachments.kinds import is_wanted
from indexer.attachments.outcomes import Outcomes, shown_name
from indexer.attachments.reading import AttachmentReader


@dataclass(frozen=True)
class Part:
    """Something beside the body of a page."""

    name: str  # "Comment by Ines Carvalho", "Attachment: budget.xlsx"
    body: Body


class Extras:
    """Reads what the settings ask for; nothing by default."""

    def __init__(self, source: PageSource, settings: Settings, database: Database) -> None:
        """Raises SettingsError when attachments are wanted without the extra that reads them."""
        self._source = source
        self._comments = settings.confluence_comments
        self._attachments = settings.confluence_attachments
        self._most_bytes = int(settings.confluence_attachment_mb * 1_000_000)
        self._outcomes = Outcomes(database, source.name)
        self._reader = AttachmentReader(source, self._outcomes, settings)
        if self._attachments:
            require_library()

    @property
    def wanted(self) -> bool:
        return self._comments or self._attachments

    def digest(self, page: Page) -> str:
        """Changes with every comment, every version of an attachment, and when one has its text."""
        versions = [f"{each.id} {each.body.version}" for each in self._comments_of(page)]
        versions += [
            f"{row.id} {row.version} {row.data_hash} {row.converter}"
            for row in self._attachments_of(page)
        ]
        return digest(sorted(versions)) if versions else ""

    def documents(self, page: Page) -> list[Part]:
        """All that are there: of attachments those that were read; the others wait.

        Raises:
            SourceError: they cannot be read now.
        """
        return [*self._as_comments(page), *self._as_files(page)]

    def read_waiting(self) -> Iterator[str]:
        """Read attachments within the budget of a sync; ids of pages that have another text."""
        yield from self._reader.read() if self._attachments else self._outcomes.clear()

    def _comments_of(self, page: Page) -> list[Comment]:
        return self._source.comments(page) if self._comments else []

    def _attachments_of(self, page: Page) -> list[AttachmentRow]:
        if not self._attachments:
            return []
        files = [each for each in self._source.attachments(page) if is_wanted(each.title)]
        rows = self._outcomes.listed(page.id, files, most_bytes=self._most_bytes)
        return [rows[file.id] for file in files]

    def _as_comments(self, page: Page) -> Iterator[Part]:
        comments = self._comments_of(page)
        authors = self._source.names({comment.author for comment in comments})
        for comment in comments:
            yield Part(f"Comment by {authors.get(comment.author, 'unknown user')}", comment.body)

    def _as_files(self, page: Page) -> Iterator[Part]:
        for row in self._attachments_of(page):
            text = self._outcomes.text(row)
            if text is not None:
                body = Body(text, row.version, STORAGE)
                yield Part(f"Attachment: {shown_name(row.name)}", body)


def digest(parts: Iterable[str]) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
