"""A digest as it is shown: gaps with the questions that may be read, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from core.access.disclosure import Disclosure, of_pages
from core.pages import PageKey
from core.states import Cure


@dataclass(frozen=True)
class DigestQuestion:
    """A question that a page failed, as it was asked in a channel."""

    turn_id: str
    text: str
    channel: str
    thread_ts: str
    found: bool  # it was answered, and the answer was not good enough


@dataclass(frozen=True)
class FixedQuestion:
    """A question that was asked again."""

    turn_id: str
    outcome: Cure | None
    page: PageKey | None  # that answers it now


@dataclass(frozen=True)
class Fix:
    """Somebody says that a gap is fixed."""

    id: str
    marked_by: str
    marked_at: float
    asked: bool  # again
    told: bool
    questions: tuple[FixedQuestion, ...] = ()

    @property
    def cured(self) -> int:
        return sum(each.outcome not in (None, Cure.AS_BEFORE) for each in self.questions)

    @property
    def pages(self) -> frozenset[PageKey]:
        return frozenset(each.page for each in self.questions if each.page)


@dataclass(frozen=True)
class DigestGap:
    """Questions that mean the same."""

    number: int
    people: int  # who asked these questions when it was made; 0: too few to be told
    asked: int  # how many questions these were
    draft: str
    draft_of: str = ""  # the question about which a helper said it; empty: made of pages alone
    questions: tuple[DigestQuestion, ...] = ()
    near: tuple[PageKey, ...] = ()  # pages, nearest first
    drafted_from: frozenset[PageKey] = frozenset()
    fix: Fix | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all its questions are left; else nobody knows how many people asked the rest."""
        return self.asked == len(self.questions)

    @property
    def pages(self) -> frozenset[PageKey]:
        """All that it gives away."""
        fixed = self.fix.pages if self.fix else frozenset()
        return frozenset(self.near) | self.drafted_from | fixed


@dataclass(frozen=True)
class Digest:
    """What one channel or one page owner is told of a week."""

    id: str
    team: str
    whom: str  # the id of a channel, or the owner's account
    week: int
    user: str
    begun: bool  # posted, or was about to be
    channel: str
    ts: str
    edition: int
    shown: int
    gaps: tuple[DigestGap, ...] = field(default=())

    @property
    def is_for_owner(self) -> bool:
        return ":" in self.whom

    @property
    def shows(self) -> Disclosure:
        return of_pages(page for gap in self.gaps for page in gap.pages)

    def without(self, turn_ids: Iterable[str]) -> Digest:
        """The digest without these questions, and without gaps of which none is left."""
        gone = set(turn_ids)
        gaps = []
        for gap in self.gaps:
            left = tuple(each for each in gap.questions if each.turn_id not in gone)
            if left:
                draft = "" if gap.draft_of in gone else gap.draft
                gaps.append(replace(gap, questions=left, draft=draft))
        return replace(self, gaps=tuple(gaps))
