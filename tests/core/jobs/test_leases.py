"""Leases: one holder at a time, and free again after the holder died."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import LeaseLost
from core.jobs.leases import Lease, lease
from core.storage.database import Database

SHORT_S = 0.2
KEY = "worker.answer:1"


def wait_until_taken(taker: Lease) -> None:
    until = time.monotonic() + 20
    while not taker.take():
        assert time.monotonic() < until, "the lease never became free"
        time.sleep(0.02)


def test_of_many_takers_at_the_same_moment_one_gets_the_lease(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: Lease(database, KEY).take(), range(8)))
    assert taken.count(True) == 1


def test_a_second_worker_is_given_nothing_while_the_first_one_works(database: Database) -> None:
    with lease(database, KEY) as first, lease(database, KEY) as second:
        assert first is not None
        assert second is None


def test_other_work_has_a_lease_of_its_own(database: Database) -> None:
    with lease(database, KEY), lease(database, "worker.answer:2") as other:
        assert other is not None


def test_a_lease_is_free_again_after_the_work(database: Database) -> None:
    with lease(database, KEY):
        pass
    assert Lease(database, KEY).take()


def test_a_lease_is_free_again_after_the_work_failed(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), lease(database, KEY):
        _ = 1 / 0
    assert Lease(database, KEY).take()


def test_a_worker_that_found_the_lease_taken_does_not_free_it(database: Database) -> None:
    with lease(database, KEY):
        with lease(database, KEY):
            pass
        assert not Lease(database, KEY).take()


def test_the_lease_of_a_dead_holder_runs_out(database: Database) -> None:
    assert Lease(database, KEY, seconds=SHORT_S).take()
    wait_until_taken(Lease(database, KEY))


def test_a_living_holder_renews_its_lease(database: Database) -> None:
    with lease(database, KEY, seconds=3.0) as held:
        assert held is not None
        time.sleep(3.5)
        assert not Lease(database, KEY).take()
        held.check()


def test_a_holder_that_could_not_renew_must_not_save(database: Database) -> None:
    held = Lease(database, KEY, seconds=2.0)
    held.take()
    held.check()
    time.sleep(2.1)
    with pytest.raises(LeaseLost, match=KEY):
        held.check()


def test_a_holder_that_was_overtaken_leaves_the_lease_to_its_successor(database: Database) -> None:
    first, second = Lease(database, KEY, seconds=SHORT_S), Lease(database, KEY)
    first.take()
    wait_until_taken(second)
    with pytest.raises(LeaseLost):
        first.check()
    first.release()
    second.check()
    assert not Lease(database, KEY).take()


def test_a_holder_that_was_overtaken_stops_renewing(database: Database) -> None:
    first, second = Lease(database, KEY, seconds=SHORT_S), Lease(database, KEY)
    first.take()
    wait_until_taken(second)
    first.keep()  # returns at its first renewal, instead of renewing for ever
    assert not Lease(database, KEY).take()
