"""Timeline: who might read which page at every moment, by the site's own rule."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.access.disclosure import EVERYBODY
from evaluation.access.world.site import PAGES, PEOPLE, WITNESS
from sandbox.confluence.site.content import EVERYBODY as ALL_STAFF
from sandbox.confluence.site.content import Content, Entry

Readable = dict[str, frozenset[str]]  # ids of pages by audience


@dataclass
class Timeline:
    """`spaces_count`: whether who may see a space matters to everybody."""

    content: Content
    principals: dict[str, str]  # of people, by account
    spaces_count: bool
    _states: list[tuple[float, Readable]] = field(default_factory=list)
    _troubles: list[tuple[float, bool]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self) -> None:
        """The site has just been changed."""
        with self._lock:
            self._states.append((time.time(), self._readable()))

    def trouble(self, *, begins: bool) -> None:
        """The site does not answer from now on, or answers again."""
        with self._lock:
            self._troubles.append((time.time(), begins))

    def ever(self, audience: str, page_id: str, since: float, until: float) -> bool:
        """Whether these readers might read the page at some moment of this time."""
        return any(page_id in state[audience] for state in self._during(since, until))

    def always(self, audience: str, page_id: str, since: float, until: float) -> bool:
        return all(page_id in state[audience] for state in self._during(since, until))

    def answered(self, since: float, until: float) -> bool:
        """Whether the site was well all this time."""
        was_ill = False
        with self._lock:
            troubles = list(self._troubles)
        for at, begins in troubles:
            if at <= since:
                was_ill = begins
            elif at <= until:
                return False
        return not was_ill

    def _during(self, since: float, until: float) -> Iterator[Readable]:
        with self._lock:
            states = list(self._states)
        ends = [at for at, _ in states[1:]] + [float("inf")]
        for (begin, state), end in zip(states, ends, strict=True):
            if begin <= until and end >= since:
                yield state

    def _readable(self) -> Readable:
        found = {EVERYBODY: self._of(None)}
        for account in PEOPLE.values():
            found[self.principals[account]] = self._of(account)
        return found

    def _of(self, account: str | None) -> frozenset[str]:
        """What an account may read; None for everybody."""
        entries = [each for page in PAGES if (each := self.content.entries.get(page))]
        return frozenset(each.id for each in entries if self._may_read(account, each))

    def _may_read(self, account: str | None, entry: Entry) -> bool:
        if entry.status != "current":
            return False
        if account is not None or self.spaces_count:
            return self.content.may_read(account or WITNESS, entry)
        path = (*self.content.ancestors(entry), entry)
        limited = [each for each in path if each.users or each.groups]
        return all(ALL_STAFF in each.groups for each in limited)
