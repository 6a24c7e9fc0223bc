"""Keeps the index in step with Confluence: a reconcile of what is listed with what is indexed, never a bookmark.

A page fails by itself: it goes into the ledger with its reason and its next try, its old evidence stays, the rest goes on.
Nothing is taken away on doubt: a listing that breaks off or shrinks too much removes nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from core import logs
from core.errors import ConfluenceError, ConfluenceRefused, ConfluenceUnreachable, GroundwireError
from core.evidence import EvidenceStore
from core.models import Page
from core.tables import SyncRow
from indexer.confluence import BODIES, Confluence, Space
from indexer.contextualize import evidence
from indexer.ledger import Ledger
from indexer.listing import Listing, read_restrictions
from indexer.parse import PARSER_VERSION, Site, parse
from indexer.plan import Indexed, is_doubtful, plan
from indexer.progress import Advance, progress

_ACCOUNT = re.compile(r'ri:account-id="([^"]+)"')  # whom a page mentions; the names are asked for in bulk

SILENCE = 5  # pages in a row without a body: it is the site that fails then, and not they

log = logs.get(__name__)


@dataclass
class Counts:
    """What one sync of one space did."""

    listed: int = 0
    fetched: int = 0  # bodies
    indexed: int = 0  # pages whose evidence was made anew
    embedded: int = 0  # texts
    hidden: int = 0
    failed: int = 0
    requests: int = 0
    kept_on_doubt: int = 0  # pages missing from a listing that looked broken


class Indexer:
    """Syncs spaces, one at a time."""

    def __init__(self, confluence: Confluence, store: EvidenceStore, spaces: Sequence[Space]) -> None:
        self._confluence = confluence
        self._space_ids = {space.id for space in spaces}
        self._store = store
        self._ledger = Ledger(store.database)
        self._made_by = f"{PARSER_VERSION}/{store.embedder.name}"

    def sync(self, space: Space, *, allow_shrink: bool = False) -> Counts:
        """Bring one space up to date.

        Raises:
            ConfluenceError: the listing could not be read to its end; nothing was removed.
            StoreUnavailable: Chroma, the database or the embedder does not answer.
        """
        run, counts, before = SyncRow(space=space.key), Counts(), self._confluence.requests
        self._ledger.save_run(run)
        try:
            self._sync(space, counts, allow_shrink=allow_shrink)
            run.complete = True
        except GroundwireError as error:
            run.error = str(error)
            raise
        finally:
            counts.requests = self._confluence.requests - before
            run.finished_at, run.counts = time.time(), vars(counts)
            self._ledger.save_run(run)
            log.info("synced", space=space.key, complete=run.complete, **run.counts)
        return counts

    def _sync(self, space: Space, counts: Counts, *, allow_shrink: bool) -> None:
        listing = Listing(space, {page.id: page for page in self._confluence.manifest(space)})
        known = self._ledger.indexed(space.key, listing.pages)
        counts.listed = len(listing.pages)
        todo = plan(list(listing.pages.values()), known, made_by=self._made_by, now=time.time())
        read_restrictions(self._confluence, self._ledger, listing, todo.fetch, known)
        due = {page.id: page for page in (*todo.fetch, *_with_parents(listing, _turned(listing, known)))}
        opened = [page for page in due.values() if listing.is_open(page)]
        self._ledger.outdate(page.id for page in opened)
        for page in due.values():
            if not listing.is_open(page):
                self._hide(page, counts)
        for page in todo.relisted:
            self._ledger.relist(page)
        with progress(space.key, len(opened)) as advance:
            self._fetch(listing, opened, counts, advance)
        self._confirm(listing, todo.confirm, counts, allow_shrink=allow_shrink)

    def _fetch(self, listing: Listing, pages: Sequence[Page], counts: Counts, advance: Advance) -> None:
        silent = 0
        for batch in _batches(pages):
            for page, body in self._bodies(batch, counts):
                self._index(listing, page, body, counts)
                advance()
                silent = 0 if body is not None else silent + 1
                if silent == SILENCE:
                    raise ConfluenceUnreachable(f"no body of {silent} pages in a row could be read; the rest is left for the next sync")

    def _bodies(self, batch: Sequence[Page], counts: Counts) -> Iterator[tuple[Page, str | None]]:
        """Each page with its body, None where it could not be read; a request that is too heavy is halved."""
        try:
            bodies = self._confluence.bodies(batch[0].kind, [page.id for page in batch])
        except ConfluenceUnreachable:
            if len(batch) == 1:
                yield batch[0], None
                return
            middle = len(batch) // 2
            for half in (batch[:middle], batch[middle:]):
                yield from self._bodies(half, counts)
            return
        counts.fetched += len(bodies)
        yield from ((page, bodies.get(page.id)) for page in batch)

    def _index(self, listing: Listing, page: Page, body: str | None, counts: Counts) -> None:
        if body is None:
            counts.failed += 1
            self._ledger.failed(page, "Confluence listed the page but did not return its body")
            return
        try:
            page = page.model_copy(update={"labels": self._confluence.labels(page)})
            self._replace(listing, page, body, counts)
        except ConfluenceError as error:
            counts.failed += 1
            self._ledger.failed(page, str(error))
            return
        self._ledger.succeeded(page.id)

    def _replace(self, listing: Listing, page: Page, body: str, counts: Counts) -> None:
        children = listing.child_titles(page)
        body_hash = _hash(body, page.title, *children, self._made_by)
        if body_hash == self._ledger.body_hash(page.id):
            self._ledger.save_page(page, made_by=self._made_by)  # the same evidence under a new version, place or label
            return
        people = self._confluence.names(set(_ACCOUNT.findall(body)))
        document = parse(body, site=Site(people=people, child_pages=tuple(children)))
        counts.embedded += self._store.replace(page, evidence(page, document), body_hash=body_hash, made_by=self._made_by)
        counts.indexed += 1

    def _confirm(self, listing: Listing, missing: Sequence[Page], counts: Counts, *, allow_shrink: bool) -> None:
        """Ask one by one for the pages that the listing lacks, and hide those that are gone or refused."""
        if is_doubtful(len(listing.pages), len(missing)) and not allow_shrink:
            counts.kept_on_doubt = len(missing)
            log.warning("sync.shrinks_too_much", space=listing.space.key, missing=len(missing), cure="if it is right: --allow-shrink")
            return
        for page in missing:
            try:
                found = self._confluence.whereabouts(page)
            except ConfluenceRefused:
                self._hide(page, counts)  # nobody may be shown what even we may not see
            except ConfluenceError as error:
                log.warning("sync.not_confirmed", page=page.id, error=str(error))
            else:
                if found.status != "current" or found.space_id not in self._space_ids:
                    self._hide(page.model_copy(update={"status": found.status}), counts)
                # else it has moved to another of our spaces, whose own sync takes it over

    def _hide(self, page: Page, counts: Counts) -> None:
        self._store.hide(page)
        self._ledger.succeeded(page.id)  # nothing is owed to readers any more
        counts.hidden += 1


def _turned(listing: Listing, known: Mapping[str, Indexed]) -> list[Page]:
    """Pages that readers have and must lose, or lack and may have, however little else about them has changed."""
    turned = [page for page in listing.pages.values() if page.id in known and known[page.id].visible != listing.is_open(page)]
    return [page for page in turned if known[page.id].visible or known[page.id].next_try <= time.time()]


def _with_parents(listing: Listing, pages: Sequence[Page]) -> list[Page]:
    """These pages, and the parents that may show their titles."""
    return [*pages, *(listing.pages[page.parent_id] for page in pages if page.parent_id and page.parent_id in listing.pages)]


def _batches(pages: Sequence[Page]) -> Iterator[list[Page]]:
    """Pages of one kind, as many as one request for bodies takes."""
    for kind in ("page", "blogpost"):
        alike = [page for page in pages if page.kind == kind]
        for start in range(0, len(alike), BODIES):
            yield alike[start : start + BODIES]


def _hash(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
