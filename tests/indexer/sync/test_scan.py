"""Whose turn it is to be read again, so that nothing is older than the period and nothing is read for nothing."""

from __future__ import annotations

import math

from core.models import Page
from indexer.state.plan import IndexedPage
from indexer.sync.scan import HEADWAY, REST, turn

PERIOD = 1000.0


def pages(*scanned_at: float) -> list[IndexedPage]:
    return [
        IndexedPage(Page(id=str(n), space="DOC", title="", url=""), scanned_at=at)
        for n, at in enumerate(scanned_at)
    ]


def test_right_after_a_first_sync_nothing_is_read_again() -> None:
    assert turn(pages(*[0.0] * 50), period_s=PERIOD, since=0.0, now=REST * PERIOD) == []


def test_what_is_overdue_is_read_however_much_it_is() -> None:
    assert len(turn(pages(*[0.0] * 50), period_s=PERIOD, since=PERIOD - 1, now=PERIOD)) == 50


def test_the_oldest_are_read_first_and_so_many_that_a_round_takes_its_part_of_the_period() -> None:
    now = (REST + 0.1) * PERIOD
    found = turn(pages(*[float(n % 7) for n in range(70)]), period_s=PERIOD, since=now - 4, now=now)
    assert len(found) == math.ceil(70 * 4 / ((HEADWAY - REST) * PERIOD))
    assert {int(page.id) % 7 for page in found} == {0}


def test_whatever_the_pace_of_the_syncs_no_page_is_ever_older_than_the_period() -> None:
    for every in (1.0, 10.0, 90.0, 199.0):
        known = {page.page.id: page for page in pages(*[0.0] * 300)}
        now, last = 0.0, 0.0
        while now < 4 * PERIOD:
            now += every
            for page in turn(list(known.values()), period_s=PERIOD, since=last, now=now):
                known[page.id] = IndexedPage(page, scanned_at=now)
            last = now
            assert now - min(each.scanned_at for each in known.values()) <= PERIOD
