"""What is waited for and what is not, and how much of it the log says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs
from tenacity import RetryCallState, Retrying

from core.errors import SettingsError, SourceRefused, SourceUnreachable
from core.outages.back_off import BackOff, Lost, until_there
from core.outages.report import DEFECT, report
from core.storage import outages

SOON_S = 0.01


def failing(*errors: Exception) -> Iterator[Exception | None]:
    yield from errors
    yield None


def tried(*errors: Exception) -> int:
    """How often it took, when these go wrong one after the other."""
    tries = 0
    left = failing(*errors)

    def once() -> int:
        nonlocal tries
        tries += 1
        if error := next(left):
            raise error
        return tries

    return until_there(once, event="lost", longest_s=SOON_S)


def away() -> OperationalError:
    return OperationalError("BEGIN", None, ConnectionError())


def test_what_is_lost_is_waited_for_as_long_as_it_takes() -> None:
    with capture_logs() as said:
        assert tried(*(away() for _ in range(30))) == 31
    warnings = [line["error"] for line in said if line["log_level"] == "warning"]
    assert warnings == [outages.SILENT] * 30


def test_a_round_that_told_already_what_it_lost_is_not_told_again() -> None:
    with capture_logs() as said:
        assert tried(Lost(), Lost()) == 3
    assert said == []


def test_a_wrong_setting_is_not_waited_for() -> None:
    with pytest.raises(SettingsError):
        tried(SettingsError("CONFLUENCE_SPACES: NOPE not found"))


def test_a_setting_that_seems_wrong_by_what_the_site_answers_is_waited_for() -> None:
    seems = SettingsError("CONFLUENCE_USERNAME is empty, and …")
    seems.__cause__ = SourceRefused("Confluence refuses (401)")
    with capture_logs():
        assert tried(seems, SourceUnreachable("no answer")) == 3


def test_a_defect_is_not_taken_for_something_lost() -> None:
    with pytest.raises(KeyError):
        tried(KeyError("x"))


def test_the_traceback_of_what_is_lost_is_for_whoever_looks_closer() -> None:
    with capture_logs() as said:
        report("sync.failed", away(), space="DOC")
    levels = {line["log_level"]: line for line in said}
    assert "exc_info" not in levels["warning"]
    assert levels["warning"]["space"] == "DOC"
    assert levels["debug"]["exc_info"]


def test_the_traceback_of_a_defect_is_for_everybody_and_its_values_for_nobody() -> None:
    with capture_logs() as said:
        error = sqlite3.IntegrityError("a text of a page")
        assert report("sync.failed", error) == f"{DEFECT} (IntegrityError)"
    (line,) = said
    assert line["log_level"] == "error"
    assert line["exc_info"] is error


def pauses(longest_s: float, attempt: int) -> list[float]:
    state = RetryCallState(Retrying(), None, (), {})
    state.attempt_number = attempt
    wait = BackOff(longest_s)
    return [wait(state) for _ in range(200)]


def test_pauses_grow_up_to_the_longest_and_differ() -> None:
    first, late = pauses(300.0, 1), pauses(300.0, 20)
    assert 5 <= min(first) < max(first) <= 10
    assert 150 <= min(late) < max(late) <= 300
    assert len(set(late)) > 100
    assert max(pauses(0.5, 20)) <= 0.5
