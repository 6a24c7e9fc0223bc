"""The authorizer: asks the sources, as they are now, who may read pages; nobody else decides.

For everybody it asks with the eyes of a witness, an ordinary account, where there is one; else it
reads where the pages stand now and what is restricted there. For one person it asks with that
person's own eyes, where the account is linked; else it asks the source about the account. What
could not be asked is not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlmodel import select

from core import logs, metrics
from core.access import confirmations
from core.access.confirmations import Confirmation
from core.access.disclosure import EVERYBODY
from core.access.policy import Policy
from core.access.verdicts import Freshness, Verdicts
from core.errors import SettingsError, SourceError, SourceUnreachable
from core.models import Page
from core.page_source import Path, Readers, Space, Viewer
from core.pages import PageKey
from core.policy.acl import OPEN, OPEN_ID, Clauses, Reader
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page

# Of one answer. More pages than so many requests can confirm are not used.
MOST_REQUESTS = 12
OF_HISTORY = 5  # of them, for what a follow-up remembers
OF_WIDENING = 1  # of them, for pages that are named beside what was found
# A confirmation is used again in this share of its time, so that it lasts until it is needed.
REUSED_SHARE = 0.65

log = logs.get(__name__)


class AskedSource(Viewer, Protocol):
    """What of core.page_source.PageSource is asked here."""

    def visible_to(self, account: str, pages: Sequence[Page], *, most: int) -> dict[str, bool]: ...
    def paths(self, pages: Sequence[Page], *, most: int) -> dict[str, Path | None]: ...
    def space_readers(self, space: Space) -> Readers: ...


@dataclass(frozen=True)
class Authorizer:
    """Every question of access, from answers to exports, ends here."""

    database: Database
    sources: Mapping[str, AskedSource]
    policy: Callable[[], Policy]  # it names groups, so it has to be asked for as well
    spaces: frozenset[str] = frozenset({"*"})  # keys of those that count; `*` for all
    freshness: Freshness = field(default_factory=Freshness)
    witnesses: Mapping[str, Viewer] = field(default_factory=dict)  # by source
    # of the person with this account, where it is linked
    own_eyes: Callable[[str], Viewer | None] = lambda _account: None

    def check(
        self,
        pages: Sequence[PageKey],
        reader: Reader,
        *,
        most: int = MOST_REQUESTS,
    ) -> Verdicts:
        """Which of these pages the reader may be shown; the most important first.

        Asked in at most so many requests; pages for which that did not suffice are in no part of
        the verdicts.
        """
        now = clock.now()
        audience = reader.account or EVERYBODY
        known = confirmations.of_pages(self.database, audience, pages)
        young = now - REUSED_SHARE * self.freshness.valid_s
        fresh = {key for key, found in known.items() if found.allowed and young <= found.at <= now}
        wanted = [key for key in dict.fromkeys(pages) if key not in fresh]
        asked, failed = self._asked(wanted, reader, most)
        if wanted:
            outcome = "failed" if failed else "told"
            metrics.CONFIRMING.labels(outcome).observe(clock.now() - now)
        in_grace: dict[PageKey, float] = {}
        if failed and audience == EVERYBODY:
            silent = [key for key, is_silent in failed.items() if is_silent]
            in_grace = self._in_grace(silent, known, now)
        self._record(audience, asked, in_grace, now)
        allowed = fresh | in_grace.keys() | {key for key, may in asked.items() if may}
        return Verdicts(
            frozenset(allowed),
            denied=frozenset(asked.keys() - allowed),
            failed=frozenset(failed.keys() - in_grace.keys()),
            as_of=min(in_grace.values(), default=None),
        )

    def check_all(self, pages: Iterable[PageKey], reader: Reader) -> Verdicts:
        """The same for all of these pages, in as many rounds as it takes."""
        wanted = sorted(set(pages))
        found = self.check(wanted, reader)
        while left := [key for key in wanted if key not in found]:
            more = self.check(left, reader)
            if all(key not in more for key in left):
                break  # a path alone takes more requests than are allowed
            found |= more
        return found

    def _asked(
        self,
        pages: Sequence[PageKey],
        reader: Reader,
        most: int,
    ) -> tuple[dict[PageKey, bool], dict[PageKey, bool]]:
        """What the sources say; and of the others, whether the source is silent or refuses."""
        indexed = self._indexed(pages)
        there = {page.key for of_source in indexed.values() for page in of_source}
        verdicts = {key: False for key in pages if key not in there}
        failed: dict[PageKey, bool] = {}
        for name, of_source in indexed.items():
            try:
                found = self._asked_one(name, of_source, reader, most)
            except (SourceError, SettingsError) as error:
                log.warning("not_confirmed", source=name, pages=len(of_source), error=str(error))
                silent = isinstance(error, SourceUnreachable)
                failed.update({page.key: silent for page in of_source})
                continue
            for page_id, may in found.items():
                verdicts[PageKey(name, page_id)] = may
        return verdicts, failed

    def _record(
        self,
        audience: str,
        asked: Mapping[PageKey, bool],
        in_grace: Mapping[PageKey, float],
        now: float,
    ) -> None:
        until = now + self.freshness.valid_s
        found: dict[PageKey, Confirmation] = {}
        for key, may in asked.items():
            found[key] = Confirmation(may, now, until)
        for key, at in in_grace.items():
            found[key] = Confirmation(allowed=True, at=at, until=until)
        confirmations.record(self.database, audience, found)

    def _asked_one(
        self,
        name: str,
        pages: Sequence[Page],
        reader: Reader,
        most: int,
    ) -> dict[str, bool]:
        source = self.sources.get(name)
        if source is None:  # it is not configured any more
            return {page.id: False for page in pages}
        if reader.account:
            eyes = self.own_eyes(reader.account)
            if eyes is not None:
                return eyes.visible(pages, most=most)
            return source.visible_to(reader.account, pages, most=most)
        witness = self.witnesses.get(name)
        if witness is not None:
            return witness.visible(pages, most=most)
        return self._by_paths(source, pages, most)

    def _by_paths(self, source: AskedSource, pages: Sequence[Page], most: int) -> dict[str, bool]:
        """Whether neither the pages nor anything above them is restricted now."""
        policy = self.policy()
        likely = {page.space for page in pages} if policy.aware else set()
        paths = source.paths(pages, most=max(1, most - len(likely)))
        spaces: dict[Space, Clauses | None] = {}
        verdicts: dict[str, bool] = {}
        for page_id, path in paths.items():
            if path is not None and path.space not in spaces:
                spaces[path.space] = self._space_clauses(source, path.space, policy)
            verdicts[page_id] = _is_open(path, spaces, policy)
        return verdicts

    def _indexed(self, pages: Iterable[PageKey]) -> dict[str, list[Page]]:
        """These pages as of the last sync, by source, in the same order; without hidden ones."""
        wanted = list(pages)
        with self.database.reading() as session:
            rows = session.exec(select(PageRow).where(is_page(wanted))).all()
        found = {row.key: row for row in rows}
        by_source: dict[str, list[Page]] = {}
        for key in wanted:
            row = found.get(key)
            if row is not None and row.visible and self._counts(row.space):
                page = Page.model_validate(row.record)
                by_source.setdefault(key.source, []).append(page)
        return by_source

    def _counts(self, space: str) -> bool:
        return not self.spaces.isdisjoint({"*", space})

    def _space_clauses(self, source: AskedSource, space: Space, policy: Policy) -> Clauses | None:
        """In the public mode the operator vouches for the spaces that the settings name."""
        if not self._counts(space.key):
            return None
        if not policy.aware:
            return OPEN
        readers = source.space_readers(space)
        return policy.clause(readers) if readers else None

    def _in_grace(
        self,
        pages: Iterable[PageKey],
        known: Mapping[PageKey, Confirmation],
        now: float,
    ) -> dict[PageKey, float]:
        """Those that were for everybody a short while ago, and when that was."""
        if not self.freshness.grace_s:
            return {}
        with self.database.reading() as session:
            rows = session.exec(select(PageRow).where(is_page(pages))).all()
        found: dict[PageKey, float] = {}
        for row in rows:
            last = known.get(row.key)
            at = last.at if last else 0.0
            if row.source not in self.witnesses:  # who sees more than any sync reads
                at = max(at, row.scanned_at)
            is_refused = last is not None and not last.allowed
            if self._has_grace(row) and not is_refused and at >= now - self.freshness.grace_s:
                found[row.key] = at
        return found

    def _has_grace(self, row: PageRow) -> bool:
        spaces = self.freshness.grace_spaces
        return row.visible and row.acl_id == OPEN_ID and not spaces.isdisjoint({"*", row.space})


def _is_open(
    path: Path | None,
    spaces: Mapping[Space, Clauses | None],
    policy: Policy,
) -> bool:
    if path is None:
        return False
    of_space = spaces[path.space]
    return of_space is not None and policy.clauses(path, of_space) == OPEN
