"""Work that somebody may end: what it gives, and what is left behind."""

from __future__ import annotations

import threading

import pytest
import structlog

from core.errors import LeaseLost, Stopped
from worker.cancellation import run_cancellable


def wanted() -> None:
    """Nobody ends it."""


def test_work_gives_its_result() -> None:
    assert run_cancellable(lambda: 42, wanted) == 42


def test_what_the_work_raises_is_raised() -> None:
    def fail() -> None:
        raise LeaseLost("other")

    with pytest.raises(LeaseLost):
        run_cancellable(fail, wanted)


def test_work_that_waits_is_left_behind_as_soon_as_nobody_wants_it() -> None:
    never = threading.Event()
    looks: list[int] = []

    def stop() -> None:
        looks.append(len(looks))
        raise Stopped("enough")

    with pytest.raises(Stopped):
        run_cancellable(never.wait, stop, every_s=0.05)
    assert looks == [0]  # and not a second one
    never.set()


def test_work_logs_with_the_ids_of_whoever_wants_it() -> None:
    with structlog.contextvars.bound_contextvars(turn="t1"):
        assert run_cancellable(structlog.contextvars.get_contextvars, wanted) == {"turn": "t1"}
