"""Comments and attachments of pages as further documents, where the operator wants them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from core import logs
from core.models import Page
from core.page_source import STORAGE, Attachment, Body, Comment, PageSource
from core.settings import Settings
from indexer.evidence.attachments import DocumentUnreadable, as_storage, can_read, require_library

log = logs.get(__name__)


@dataclass(frozen=True)
class Part:
    """Something beside the body of a page."""

    name: str  # "Comment by Ines Carvalho", "Attachment: budget.xlsx"
    body: Body


class Extras:
    """Reads what the settings ask for; nothing by default."""

    def __init__(self, source: PageSource, settings: Settings) -> None:
        """Raises SettingsError when attachments are wanted without the extra that reads them."""
        self._source = source
        self._comments = settings.confluence_comments
        self._attachments = settings.confluence_attachments
        self._most_bytes = int(settings.confluence_attachment_mb * 1_000_000)
        if self._attachments:
            require_library()

    @property
    def wanted(self) -> bool:
        return self._comments or self._attachments

    def digest(self, page: Page) -> str:
        """Changes with every comment and every version of an attachment, without reading them."""
        versions = [f"{each.id} {each.body.version}" for each in self._comments_of(page)]
        versions += [f"{each.id} {each.version}" for each in self._attachments_of(page)]
        return digest(sorted(versions)) if versions else ""

    def documents(self, page: Page) -> list[Part]:
        """All of them.

        Raises:
            SourceError: they cannot be read now. An unreadable file is left out and logged.
        """
        return [*self._as_comments(page), *self._as_files(page)]

    def _comments_of(self, page: Page) -> list[Comment]:
        return self._source.comments(page) if self._comments else []

    def _attachments_of(self, page: Page) -> Iterator[Attachment]:
        found = self._source.attachments(page) if self._attachments else []
        for each in found:
            if can_read(each.title) and each.size <= self._most_bytes:
                yield each

    def _as_comments(self, page: Page) -> Iterator[Part]:
        comments = self._comments_of(page)
        authors = self._source.names({comment.author for comment in comments})
        for comment in comments:
            yield Part(f"Comment by {authors.get(comment.author, 'unknown user')}", comment.body)

    def _as_files(self, page: Page) -> Iterator[Part]:
        for attachment in self._attachments_of(page):
            data = self._source.download(attachment, limit=self._most_bytes)
            try:
                text = as_storage(attachment.title, data)
            except DocumentUnreadable as error:
                log.warning(
                    "attachment.unreadable",
                    page=page.id,
                    attachment=attachment.id,
                    error=str(error),
                )
            else:
                body = Body(text, attachment.version, STORAGE)
                yield Part(f"Attachment: {attachment.title}", body)


def digest(parts: Iterable[str]) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
