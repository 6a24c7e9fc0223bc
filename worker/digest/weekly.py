"""Once a week: what people asked and no page answered, for operators and for owners of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core import logs
from core.digest import digests, named_pages, schedule
from core.digest.digests import NewGap
from core.jobs.leases import lease
from core.jobs.pool import Chore
from core.models import Page
from core.pages import PageKey
from core.policy.acl import EVERYBODY
from core.reports import gaps
from core.reports.gaps import WikiGap
from core.reports.period import DAY_S, ReportPeriod, teams
from core.reports.privacy import FEWEST
from core.storage import clock
from worker.bootstrap import WorkerParts
from worker.digest import telling
from worker.digest.asking_again import AskingAgain
from worker.digest.drafting import Draft, PageDrafting

EVERY_S = 10.0
WEEK = 7  # days
MOST = 10  # gaps in a digest

log = logs.get(__name__)


def chores(parts: WorkerParts) -> list[Chore]:
    """Of every pool; they take turns."""
    weekly, again = WeeklyDigest(parts), AskingAgain(parts)
    return [
        Chore("digest", EVERY_S, weekly.when_due),
        Chore("digest.asked_again", EVERY_S, again.when_synced),
        Chore("digest.told", EVERY_S, lambda: telling.tell(parts)),
    ]


class WeeklyDigest:
    """Makes each week's digests once; whatever they are about is looked at as it is then."""

    def __init__(self, parts: WorkerParts) -> None:
        self._parts = parts
        self._made: int | None = None

    def when_due(self) -> None:
        chosen = self._parts.settings
        week = schedule.due(chosen.digest_at, clock.now()) if chosen.has_digest else None
        if week is None or week == self._made:
            return
        with lease(self._parts.database, "digest") as held:
            if held is None:
                return
            with self._parts.database.reading() as session:
                workspaces = teams(session)
            for team in workspaces:
                self._make(team, week)
            digests.prune(self._parts.database)
        self._made = week

    def _make(self, team: str, week: int) -> None:
        found = self._gaps(team)
        pages = self._open(page for gap in found for page in gap.pages)
        to_tell = [
            (whom, told)
            for whom, told in self._to_tell(team, found, pages)
            if told and not digests.is_made(self._parts.database, team, whom, week)
        ]
        drafts = self._drafts(found[:MOST]) if to_tell else {}
        for whom, told in to_tell:
            new = [_new(gap, near, drafts.get(_first(gap))) for gap, near in told[:MOST]]
            if digests.save(self._parts.database, team, whom, week, new):
                log.info("digest.made", team=team, gaps=len(new))

    def _gaps(self, team: str) -> Sequence[WikiGap]:
        period = ReportPeriod(WEEK, clock.now() - WEEK * DAY_S)
        embed = self._parts.attributor.embedder.embed
        return gaps.gaps(self._parts.database, period, embed, team).gaps

    def _to_tell(
        self, team: str, found: Sequence[WikiGap], pages: dict[PageKey, Page]
    ) -> Iterator[tuple[str, list[tuple[WikiGap, list[PageKey]]]]]:
        """Whom, and of what: operators of all, owners of what is nearest to their pages."""
        chosen = self._parts.settings
        for channel in chosen.digest_channels_of(team):
            yield channel, [(gap, [key for key in gap.pages if key in pages]) for gap in found]
        owners = {page.owner_account for page in pages.values() if page.owner_account}
        for owner in sorted(owners) if chosen.digest_owners else ():
            own = {key for key, page in pages.items() if page.owner_account == owner}
            near = [(gap, [key for key in gap.pages if key in own]) for gap in found]
            yield owner, [(gap, keys) for gap, keys in near if keys]

    def _drafts(self, found: Sequence[WikiGap]) -> dict[str, Draft | None]:
        """What pages could say, by the first question of the gap."""
        drafting = PageDrafting.of(self._parts)
        if drafting is None:
            return {}
        return {_first(gap): drafting.draft(gap, self._open) for gap in found}

    def _open(self, keys: Iterable[PageKey]) -> dict[PageKey, Page]:
        """Those that everybody may read, as their site says now."""
        named = named_pages.open_pages(self._parts.database, keys)
        verdicts = self._parts.authorizer.check_all(named, EVERYBODY)
        return {key: page for key, page in named.items() if key in verdicts.allowed}


def _first(gap: WikiGap) -> str:
    return gap.questions[0].turn_id


def _new(gap: WikiGap, near: Sequence[PageKey], draft: Draft | None) -> NewGap:
    """Numbers are of what is named alone, and none tells of a single person."""
    people = len(gap.named_by)
    return NewGap(
        turn_ids=tuple(question.turn_id for question in gap.questions),
        people=people if people >= FEWEST else 0,
        asked=len(gap.questions),
        near=tuple(near),
        draft=draft.text if draft else "",
        draft_of=draft.of if draft else "",
        drafted_from=draft.pages if draft else frozenset(),
    )
