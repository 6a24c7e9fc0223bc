"""Fetches the bodies of pages in batches and indexes their evidence; a page fails by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from core.errors import SourceError, SourceNotUnderstood, SourceUnreachable
from core.models import Evidence, Page
from core.page_source import BODIES, Body
from core.pages import PageKind
from indexer.access.mentioned_titles import MentionedTitles
from indexer.access.space_tree import SpaceTree
from indexer.evidence.build import evidence
from indexer.evidence.quotes import embed_quotes
from indexer.parse import PARSER_VERSION, Document
from indexer.parse.formats import BodyFormat
from indexer.state.counts import Counts
from indexer.state.page_state import PageState
from indexer.sync.extras import digest
from indexer.sync.parts import SyncParts
from indexer.sync.progress import Advance
from indexer.sync.scan import FAILURES_IN_A_ROW


class PageFetcher:
    """Reads, parses and stores the pages of one space."""

    def __init__(
        self,
        parts: SyncParts,
        page_state: PageState,
        tree: SpaceTree,
        titles: MentionedTitles,
    ) -> None:
        self._source = parts.source
        self._store = parts.store
        self._extras = parts.extras
        self._formats = parts.formats
        self._page_state = page_state
        self._tree = tree
        self._titles = titles

    def index(
        self,
        pages: Sequence[Page],
        counts: Counts,
        advance: Advance,
    ) -> None:
        """Rebuild the evidence of these pages.

        Raises:
            SourceUnreachable: page after page has no body; the rest is left for the next sync.
        """
        without_body = 0
        for page, body in self._ahead(pages, counts):
            self._index(page, body, counts)
            advance()
            without_body = 0 if body is not None else without_body + 1
            if without_body == FAILURES_IN_A_ROW:
                raise SourceUnreachable(
                    f"no body of {without_body} pages in a row could be read; "
                    "the rest is left for the next sync"
                )

    def _ahead(self, pages: Sequence[Page], counts: Counts) -> Iterator[tuple[Page, Body | None]]:
        """Each page with its body; while a batch is indexed, the next one is read."""
        with ThreadPoolExecutor(1, thread_name_prefix="read-ahead") as reader:
            read: Future[list[tuple[Page, Body | None]]] | None = None
            for batch in _batches(pages):
                following = reader.submit(self._whole, batch, counts)
                if read:
                    yield from read.result()
                read = following
            if read:
                yield from read.result()

    def _whole(self, batch: Sequence[Page], counts: Counts) -> list[tuple[Page, Body | None]]:
        return list(self._read(batch, counts))

    def _read(
        self,
        batch: Sequence[Page],
        counts: Counts,
    ) -> Iterator[tuple[Page, Body | None]]:
        """Each page with its body, None where it could not be read; a heavy request is halved."""
        try:
            bodies = self._source.bodies(batch)
        except SourceUnreachable:
            if len(batch) == 1:
                yield batch[0], None
                return
            middle = len(batch) // 2
            for half in (batch[:middle], batch[middle:]):
                yield from self._read(half, counts)
            return
        counts.fetched += len(bodies)
        for page in batch:
            yield page, bodies.get(page.id)

    def _index(
        self,
        page: Page,
        body: Body | None,
        counts: Counts,
    ) -> None:
        try:
            if body is None:
                raise SourceUnreachable("Confluence listed the page but did not return its body")
            self._replace(page, body, counts)
        except SourceError as error:
            counts.failed += 1
            self._page_state.save_failure(page, str(error))
        else:
            self._page_state.clear_failure(page.id)

    def _replace(self, page: Page, body: Body, counts: Counts) -> None:
        parts = self._extras.documents(page)
        document, *others = self._parsed(page, [body, *(part.body for part in parts)])
        names = [part.name for part in parts]
        pieces = evidence(page, document, list(zip(names, others, strict=True)))
        mentions = self._titles.mentions(page, [document, *others])
        clauses = self._tree.acl(page)
        assert clauses is not None, "only pages that somebody may be shown are read"
        acl_id = self._page_state.save_acl(clauses)
        body_hash = _digest(page, pieces)
        if body_hash == self._page_state.body_hash(page.id):
            # the same evidence under a new version or place
            self._page_state.save_page(page, made_by=PARSER_VERSION, mentions=mentions)
            return
        embed_quotes(self._store, page, pieces)
        counts.embedded += self._store.replace(
            page,
            pieces,
            acl_id=acl_id,
            body_hash=body_hash,
            made_by=PARSER_VERSION,
            names=mentions,
        )
        counts.indexed += 1

    def _parsed(self, page: Page, bodies: Sequence[Body]) -> list[Document]:
        """Each by the parser of its format; the people that they mention are looked up at once."""
        formats = [self._format(body) for body in bodies]
        people: set[str] = set()
        for body, known in zip(bodies, formats, strict=True):
            people |= known.people(body.text)
        site = self._titles.site(page, self._source.names(people))
        pairs = zip(bodies, formats, strict=True)
        return [known.parse(body.text, site=site) for body, known in pairs]

    def _format(self, body: Body) -> BodyFormat:
        if body.format not in self._formats:
            raise SourceNotUnderstood(f"no parser for the format {body.format}")
        return self._formats[body.format]


def _digest(page: Page, pieces: Sequence[Evidence]) -> str:
    dumped = [piece.model_dump_json() for piece in pieces]
    return digest([page.title, page.space, *dumped])


def _batches(pages: Sequence[Page]) -> Iterator[list[Page]]:
    """Pages of one kind, as many as one request for bodies takes."""
    for kind in (PageKind.PAGE, PageKind.BLOGPOST):
        of_kind = [page for page in pages if page.kind is kind]
        for start in range(0, len(of_kind), BODIES):
            yield of_kind[start : start + BODIES]
