"""From the bodies of pages to their evidence in the index, a batch at a time; a page that fails, fails by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from core.confluence import BODIES, Confluence
from core.errors import ConfluenceError, ConfluenceUnreachable
from core.evidence import EvidenceStore
from core.models import Evidence, Page
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.space_tree import Listing
from indexer.evidence.build import evidence
from indexer.parse import parse
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.sync.extras import Extras
from indexer.sync.progress import Advance
from indexer.sync.scan import SILENCE, digest

_PERSON = re.compile(
    r'ri:(?:account-id|userkey|username)="([^"]+)"'
)  # whom a page mentions; the names are asked for in bulk


class PageFetcher:
    """Reads, parses and stores the pages of one space."""

    def __init__(
        self,
        confluence: Confluence,
        store: EvidenceStore,
        listing: Listing,
        names: MentionedTitles,
        extras: Extras,
        made_by: str,
    ) -> None:
        self._confluence = confluence
        self._store = store
        self._ledger = PageState(store.database)
        self._listing = listing
        self._names = names
        self._extras = extras
        self._made_by = made_by

    def index(self, pages: Sequence[Page], counts: Counts, advance: Advance) -> None:
        """Make the evidence of these pages anew.

        Raises:
            ConfluenceUnreachable: page after page has no body; the rest is left for the next sync.
        """
        silent = 0
        for batch in _batches(pages):
            for page, body in self._read(batch, counts):
                self._index(page, body, counts)
                advance()
                silent = 0 if body is not None else silent + 1
                if silent == SILENCE:
                    raise ConfluenceUnreachable(
                        f"no body of {silent} pages in a row could be read; the rest is left for the next sync"
                    )

    def _read(self, batch: Sequence[Page], counts: Counts) -> Iterator[tuple[Page, str | None]]:
        """Each page with its body, None where it could not be read; a request that is too heavy is halved."""
        try:
            bodies = self._confluence.bodies(batch)
        except ConfluenceUnreachable:
            if len(batch) == 1:
                yield batch[0], None
                return
            middle = len(batch) // 2
            for half in (batch[:middle], batch[middle:]):
                yield from self._read(half, counts)
            return
        counts.fetched += len(bodies)
        yield from (
            (page, bodies[page.id].storage if page.id in bodies else None) for page in batch
        )

    def _index(self, page: Page, body: str | None, counts: Counts) -> None:
        try:
            if body is None:
                raise ConfluenceUnreachable(
                    "Confluence listed the page but did not return its body"
                )
            self._replace(page, body, counts)
        except ConfluenceError as error:
            counts.failed += 1
            self._ledger.failed(page, str(error))
        else:
            self._ledger.succeeded(page.id)

    def _replace(self, page: Page, body: str, counts: Counts) -> None:
        extra = self._extras.documents(page)
        bodies = (body, *(part.storage for part in extra))
        people = self._confluence.names(
            {found for each in bodies for found in _PERSON.findall(each)}
        )
        site = self._names.site(page, people)
        document, beside = (
            parse(body, site=site),
            [(part.name, parse(part.storage, site=site)) for part in extra],
        )
        pieces = evidence(page, document, beside)
        said = self._names.said(page, [document, *(each for _, each in beside)])
        clauses = self._listing.acl(page)
        assert clauses is not None, "only pages that somebody may be shown are read"
        acl_id = self._ledger.save_acl(clauses)
        made = _digest(page, pieces)
        if made == self._ledger.body_hash(page.id):
            self._ledger.save_page(
                page, made_by=self._made_by, names=said
            )  # the same evidence under a new version or place
            return
        counts.embedded += self._store.replace(
            page, pieces, acl_id=acl_id, body_hash=made, made_by=self._made_by, names=said
        )
        counts.indexed += 1


def _digest(page: Page, pieces: Sequence[Evidence]) -> str:
    return digest([page.title, page.space, *(piece.model_dump_json() for piece in pieces)])


def _batches(pages: Sequence[Page]) -> Iterator[list[Page]]:
    """Pages of one kind, as many as one request for bodies takes."""
    kinds: Mapping[str, list[Page]] = {
        kind: [page for page in pages if page.kind == kind] for kind in ("page", "blogpost")
    }
    for alike in kinds.values():
        for start in range(0, len(alike), BODIES):
            yield alike[start : start + BODIES]
