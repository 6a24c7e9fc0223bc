"""Reads labels and restrictions of many pages in one request, and doubts what it is told.

Such a request asks a search index, which may lag and may not be as the documentation says. So pages
edited lately are left out, what would open a page is asked again for that page alone, and so is one
page of each request. One contradiction, and nothing more is asked so; what was believed is read
again. Before an answer the site is asked once more: core/access.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from core import logs
from core.errors import SourceError
from core.models import Page
from core.page_source import PageSource, Readers, Scanned

LAG = timedelta(hours=1)  # of a search index, at the most
FEWEST = 3  # pages that are worth it

log = logs.get(__name__)


class Together:
    """What one sync asks so."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._is_asked = True
        self._believed: list[Page] = []

    def found(
        self, pages: Sequence[Page], known: Mapping[str, Readers | None]
    ) -> dict[str, Scanned]:
        """By id; those that have to be asked for one by one are left out.

        `known`: who could read each so far; None where that is unknown.
        """
        settled = [page for page in pages if _is_settled(page)]
        if not self._is_asked or len(settled) < FEWEST:
            return {}
        try:
            told = self._source.scanned(settled)
            self._is_asked = bool(told) and self._agrees(told, known)
        except SourceError as error:
            log.warning("scan.not_together", error=str(error))
            self._is_asked = False
        if not self._is_asked:
            return {}
        self._believed += [page for page in settled if page.id in told]
        return told

    def to_read_again(self) -> list[Page]:
        """Pages that were believed before something contradicted."""
        again = [] if self._is_asked else self._believed
        self._believed = [] if again else self._believed
        return again

    def _agrees(self, told: Mapping[str, Scanned], known: Mapping[str, Readers | None]) -> bool:
        """Whether single requests say the same of what would be opened, and of one other page."""
        opened = [each for each, scanned in told.items() if not scanned.readers]
        doubted = [each for each in opened if known.get(each)]
        for page_id in {*doubted, *opened[-1:]}:
            alone = self._source.readers(page_id)
            if alone != told[page_id].readers:
                log.warning("scan.contradicted", page=page_id)
                return False
        return True


def _is_settled(page: Page) -> bool:
    """Not edited for so long that every index knows it."""
    try:
        edited = datetime.fromisoformat(page.updated_at)
    except ValueError:
        return False
    return edited < datetime.now(UTC) - LAG
