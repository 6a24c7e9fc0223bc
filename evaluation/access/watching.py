"""Watches an authorizer: compares each of its verdicts with the site's own rule."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from core.access.authorizer import MOST_REQUESTS
from core.access.verdicts import Verdicts
from core.pages import PageKey
from core.policy.acl import Reader
from evaluation.access.world.timeline import Timeline
from worker.retrieval.live_access import AccessControl

EPS_S = 0.02  # of two readings of the clock


@dataclass
class Tally:
    """What was counted in a history."""

    asked: int = 0  # confirmations: so many pages at once
    pages: int = 0
    seconds: float = 0.0  # spent on them
    not_asked: int = 0  # pages for which the requests did not suffice
    withheld: list[str] = field(default_factory=list)  # pages that were readable all the time
    wrong: list[str] = field(default_factory=list)  # pages that were not, at no moment


@dataclass
class Watching:
    """An AccessControl in front of the product's."""

    control: AccessControl
    timeline: Timeline
    valid_s: float
    tally: Tally
    after: Callable[[], None] = lambda: None  # each verdict

    def check(
        self,
        pages: Sequence[PageKey],
        reader: Reader,
        *,
        most: int = MOST_REQUESTS,
    ) -> Verdicts:
        since = time.time() - self.valid_s
        found = self.control.check(pages, reader, most=most)
        self._compare(pages, reader.account, found, since)
        return found

    def check_all(self, pages: Iterable[PageKey], reader: Reader) -> Verdicts:
        wanted, since = list(pages), time.time() - self.valid_s
        found = self.control.check_all(wanted, reader)
        self._compare(wanted, reader.account, found, since)
        return found

    def _compare(
        self,
        pages: Iterable[PageKey],
        audience: str,
        found: Verdicts,
        since: float,
    ) -> None:
        until, known = time.time(), found.allowed | found.denied | found.failed
        self.tally.seconds += until - since - self.valid_s
        since -= EPS_S
        was_well = self.timeline.answered(since, until)
        self.tally.asked += 1
        for key in dict.fromkeys(pages):
            self.tally.pages += 1
            self.tally.not_asked += key not in known
            said = f"{key} to {audience or 'everybody'}"
            if key in found.allowed:
                if not self.timeline.ever(audience, key.id, since, until):
                    self.tally.wrong.append(said)
            elif key in known and was_well and self.timeline.always(audience, key.id, since, until):
                self.tally.withheld.append(said)
        self.after()
