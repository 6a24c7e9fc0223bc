"""Reads the attachments that wait, within the budget of a sync: seconds and downloaded bytes.

Pages are written before this begins. What is left waits for the next sync, the oldest first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

from core import logs
from core.errors import SourceError, SourceUnreachable
from core.page_source import Attachment, PageSource
from core.settings import Settings
from core.storage.index_tables import AttachmentRow, ConversionRow
from indexer.attachments.convert import converter_version
from indexer.attachments.converter import Converter
from indexer.attachments.kinds import suffix
from indexer.attachments.outcomes import Outcomes
from indexer.attachments.refusal import Refused

# Downloads in a row that found nobody: then it is the site that fails, not the files.
FAILURES_IN_A_ROW = 5

log = logs.get(__name__)


@dataclass
class SyncBudget:
    """What one sync may spend on attachments; the first file is read in any case."""

    seconds: float
    most_bytes: int

    def __post_init__(self) -> None:
        self._until = time.monotonic() + self.seconds
        self._began = False

    def allows(self, size: int) -> bool:
        """Whether one more file, which is said to be of this size, may be read."""
        spent = time.monotonic() > self._until or size > self.most_bytes
        allowed = not (self._began and spent)
        self._began = True
        return allowed

    def spend(self, size: int) -> None:
        """What came, which may be more than was said."""
        self.most_bytes -= size


class AttachmentReader:
    """Downloads and converts; what a file costs beyond its limits is its own text."""

    def __init__(self, source: PageSource, outcomes: Outcomes, settings: Settings) -> None:
        self._source = source
        self._outcomes = outcomes
        self._largest = int(settings.confluence_attachment_mb * 1_000_000)
        self._seconds = settings.confluence_attachments_s
        self._most_bytes = int(settings.confluence_attachments_mb * 1_000_000)

    def read(self) -> Iterator[str]:
        """Ids of pages that have a new text, while it goes on."""
        self._outcomes.tidy()
        waiting = self._outcomes.waiting()
        budget = SyncBudget(self._seconds, self._most_bytes)
        unreachable = done = 0
        with Converter() as converter:
            for row in waiting:
                if unreachable == FAILURES_IN_A_ROW or not budget.allows(row.size):
                    break
                done += 1
                try:
                    data = self._download(row)
                except SourceError as error:
                    is_away = isinstance(error, SourceUnreachable)
                    unreachable = unreachable + 1 if is_away else 0
                    self._outcomes.save_failure(row, str(error))
                    continue
                unreachable = 0
                budget.spend(len(data))
                conversion = self._converted(converter, row, data)
                self._outcomes.save(row, conversion)
                if not conversion.reason:
                    yield row.page_id
        if waiting:
            log.info("attachments.read", read=done, waiting=len(waiting) - done)

    def _download(self, row: AttachmentRow) -> bytes:
        file = Attachment(
            id=row.id,
            title=row.name,
            media_type="",
            size=row.size,
            version=row.version,
            download=row.download,
        )
        return self._source.download(file, limit=self._largest)

    def _converted(self, converter: Converter, row: AttachmentRow, data: bytes) -> ConversionRow:
        """What the same content became before, else what it becomes now."""
        hashed = blake2b(suffix(row.name).encode() + b"\0" + data, digest_size=16).hexdigest()
        before = self._outcomes.known(hashed)
        if before is not None:
            return before
        made = ConversionRow(data_hash=hashed, converter=converter_version())
        try:
            made.text = converter.convert(row.name, data)
        except Refused as refused:
            made.reason = str(refused)
            log.warning(
                "attachment.refused", page=row.page_id, attachment=row.id, reason=made.reason
            )
        return made
