"""Judges what was sent, and what was taken back, by the site's own rule at that time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.pages import PageKey
from core.turns.turn import Turn
from evaluation.access.outlet import Sent
from evaluation.access.watching import EPS_S, Tally
from evaluation.access.world.site import Words
from evaluation.access.world.timeline import Timeline

AROUND = 120  # characters before and after a canary


@dataclass(frozen=True)
class Leak:
    """A canary that was sent to readers who might not read its page."""

    what: str
    audience: str
    page: str
    word: str
    text: str


@dataclass
class Outcome:
    """What was seen in a history."""

    tally: Tally = field(default_factory=Tally)
    asks: int = 0
    answered: int = 0  # so many of them were delivered
    reasons: Counter[str] = field(default_factory=Counter)  # of the others
    sent: int = 0  # texts
    personal: int = 0  # of them, confirmed for one person
    canaries: int = 0  # in them
    late: int = 0  # of these, of pages closed by then, and not for longer than counts
    stopped: int = 0  # texts, by the gate
    leaks: list[Leak] = field(default_factory=list)
    blanked: int = 0
    wrongly_blanked: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # asked about again, and still there
    standing_closed: int = 0  # at the end, after a sync that reads everything


@dataclass
class Judge:
    """Knows the words of the site, and who might read what, and when."""

    words: Words
    timeline: Timeline
    outcome: Outcome = field(default_factory=Outcome)

    def sent(self, sent: Sent, valid_s: float) -> None:
        """A text that left, after confirmations that count for so many seconds."""
        leaks = self.closed_in(sent, sent.at - valid_s - EPS_S, sent.at)
        self.outcome.leaks += leaks
        self.outcome.late += len(self.closed_in(sent, sent.at, sent.at)) - len(leaks)
        self.outcome.sent += 1
        self.outcome.personal += bool(sent.audience)
        self.outcome.canaries += len(list(self.words.said_in(sent.text)))

    def taken_back(
        self,
        turn: Turn,
        pages: Iterable[PageKey],
        audience: str,
        since: float,
    ) -> None:
        """An answer was blanked after it was asked about since this moment."""
        self.outcome.blanked += 1
        until = time.time()
        was_open = [self.timeline.always(audience, page.id, since, until) for page in pages]
        if self.timeline.answered(since, until) and all(was_open):
            self.outcome.wrongly_blanked.append(turn.id)

    def kept(self, standing: Iterable[Sent], since: float) -> None:
        """What stands of an answer that was asked about since this moment, and left."""
        until = time.time()
        if not self.timeline.answered(since, until):
            return
        for sent in standing:
            for leak in self.closed_in(sent, since, until):
                self.outcome.kept.append(f"{leak.what}: {leak.page} to {leak.audience}")

    def closed_in(self, sent: Sent, since: float, until: float) -> list[Leak]:
        """The canaries of a text whose pages its readers might not read at any of this time."""
        found: list[Leak] = []
        for word, page in self.words.said_in(sent.text):
            if not self.timeline.ever(sent.audience, page, since, until):
                around = _around(sent.text, word)
                found.append(Leak(sent.what, sent.audience, page, word, around))
        return found


def _around(text: str, word: str) -> str:
    place = text.lower().index(word)
    return text[max(0, place - AROUND) : place + AROUND]
