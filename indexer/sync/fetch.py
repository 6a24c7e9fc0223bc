"""Fetches the bodies of pages in batches and indexes their evidence; a page fails by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.confluence import BODIES, Confluence
from core.errors import ConfluenceError, ConfluenceUnreachable
from core.evidence import EvidenceStore
from core.models import Evidence, Page
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.space_tree import SpaceTree
from indexer.evidence.build import evidence
from indexer.parse import Document, Site, parse
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.sync.extras import Extras
from indexer.sync.progress import Advance
from indexer.sync.scan import FAILURES_IN_A_ROW, digest

# whom a page mentions; the names are fetched in bulk
_PERSON = re.compile(r'ri:(?:account-id|userkey|username)="([^"]+)"')


class PageFetcher:
    """Reads, parses and stores the pages of one space."""

    def __init__(
        self,
        confluence: Confluence,
        store: EvidenceStore,
        tree: SpaceTree,
        titles: MentionedTitles,
        extras: Extras,
        made_by: str,
    ) -> None:
        self._confluence = confluence
        self._store = store
        self._page_state = PageState(store.database)
        self._tree = tree
        self._titles = titles
        self._extras = extras
        self._made_by = made_by

    def index(
        self,
        pages: Sequence[Page],
        counts: Counts,
        advance: Advance,
    ) -> None:
        """Rebuild the evidence of these pages.

        Raises:
            ConfluenceUnreachable: page after page has no body; the rest is left for the next sync.
        """
        without_body = 0
        for batch in _batches(pages):
            for page, body in self._read(batch, counts):
                self._index(page, body, counts)
                advance()
                without_body = 0 if body is not None else without_body + 1
                if without_body == FAILURES_IN_A_ROW:
                    raise ConfluenceUnreachable(
                        f"no body of {without_body} pages in a row could be read; "
                        "the rest is left for the next sync"
                    )

    def _read(
        self,
        batch: Sequence[Page],
        counts: Counts,
    ) -> Iterator[tuple[Page, str | None]]:
        """Each page with its body, None where it could not be read; a heavy request is halved."""
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
        for page in batch:
            body = bodies.get(page.id)
            yield page, body.storage if body else None

    def _index(
        self,
        page: Page,
        body: str | None,
        counts: Counts,
    ) -> None:
        try:
            if body is None:
                raise ConfluenceUnreachable(
                    "Confluence listed the page but did not return its body"
                )
            self._replace(page, body, counts)
        except ConfluenceError as error:
            counts.failed += 1
            self._page_state.save_failure(page, str(error))
        else:
            self._page_state.clear_failure(page.id)

    def _replace(self, page: Page, body: str, counts: Counts) -> None:
        parts = self._extras.documents(page)
        bodies = [body, *(part.storage for part in parts)]
        site = self._site(page, bodies)
        document = parse(body, site=site)
        documents = [document]
        extra: list[tuple[str, Document]] = []
        for part in parts:
            parsed = parse(part.storage, site=site)
            documents.append(parsed)
            extra.append((part.name, parsed))
        pieces = evidence(page, document, extra)
        mentions = self._titles.mentions(page, documents)
        clauses = self._tree.acl(page)
        assert clauses is not None, "only pages that somebody may be shown are read"
        acl_id = self._page_state.save_acl(clauses)
        body_hash = _digest(page, pieces)
        if body_hash == self._page_state.body_hash(page.id):
            # the same evidence under a new version or place
            self._page_state.save_page(page, made_by=self._made_by, names=mentions)
            return
        counts.embedded += self._store.replace(
            page,
            pieces,
            acl_id=acl_id,
            body_hash=body_hash,
            made_by=self._made_by,
            names=mentions,
        )
        counts.indexed += 1

    def _site(self, page: Page, bodies: Iterable[str]) -> Site:
        people: set[str] = set()
        for each in bodies:
            people.update(_PERSON.findall(each))
        return self._titles.site(page, self._confluence.names(people))


def _digest(page: Page, pieces: Sequence[Evidence]) -> str:
    dumped = [piece.model_dump_json() for piece in pieces]
    return digest([page.title, page.space, *dumped])


def _batches(pages: Sequence[Page]) -> Iterator[list[Page]]:
    """Pages of one kind, as many as one request for bodies takes."""
    for kind in ("page", "blogpost"):
        of_kind = [page for page in pages if page.kind == kind]
        for start in range(0, len(of_kind), BODIES):
            yield of_kind[start : start + BODIES]
