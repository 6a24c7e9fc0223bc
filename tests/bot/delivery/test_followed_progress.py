"""How far a worker is, and how long it will take."""

from __future__ import annotations

import pytest

from bot.delivery.progress_events import ProgressRate
from bot.views import explanation_text
from core.jobs.progress_events import Event, EventKind
from core.language.sentences import sentences

SAY = sentences("en")


def counted(done: int, total: int) -> list[Event]:
    return [Event(EventKind.COUNT, done=done, total=total)]


def test_the_time_left_follows_from_the_speed_so_far() -> None:
    rate = ProgressRate()
    rate.update(counted(0, 40), 100.0)
    assert rate.seconds_left(101.0) is None
    rate.update(counted(10, 40), 105.0)
    assert rate.seconds_left(105.0) == pytest.approx(15.0)


def test_what_was_done_before_says_nothing_about_the_speed() -> None:
    rate = ProgressRate()
    rate.update(counted(30, 40), 100.0)
    assert rate.seconds_left(100.0) is None
    rate.update(counted(35, 40), 110.0)
    assert rate.seconds_left(110.0) == pytest.approx(10.0)


def test_an_attempt_that_begins_again_is_measured_anew() -> None:
    rate = ProgressRate()
    rate.update(counted(20, 40), 100.0)
    rate.update(counted(4, 40), 200.0)
    rate.update(counted(8, 40), 204.0)
    assert rate.seconds_left(204.0) == pytest.approx(32.0)


def test_what_is_no_count_counts_nothing() -> None:
    rate = ProgressRate()
    rate.update([Event(EventKind.STAGE, "searching")], 1.0)
    assert (rate.done, rate.total, rate.seconds_left(2.0)) == (0, 0, None)


@pytest.mark.parametrize(
    ("done", "of", "left", "said"),
    [
        (0, 0, None, ""),
        (3, 40, None, " 3 of about 40 answers"),
        (3, 40, 0.2, ", about 1 s left"),
        (3, 40, 170.0, ", about 3 min left"),
    ],
)
def test_progress_is_said_in_words(done: int, of: int, left: float | None, said: str) -> None:
    assert explanation_text.progress(SAY, done, of, left).endswith(said)
