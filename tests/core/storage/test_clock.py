"""A host whose clock is wrong: nothing that is saved or compared goes by it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.jobs.leases import Lease
from core.states import TurnState
from core.storage import clock
from core.storage.clock import RESOLUTION_S, Clock
from core.storage.database import Database
from core.storage.skew import measure_skew, require_clock
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn

ROOT = Path(__file__).parents[3]
# Slack's library and Slack itself compare these with this host's clock.
BY_THE_HOST = {
    # The ages of files on this host, which has dated them.
    "core/evidence/lexical/host_files.py",
    "core/evidence/lexical/segments/file.py",
    "core/storage/clock.py",
    "bot/sockets.py",
    "bot/slack_api/signature.py",
    "bot/slack_api/installed/token_owner.py",
}
PATIENCE_S = 20.0
# A process whose host's clock is wrong; it says as JSON what comes of each line that it reads.
WRONG = """
import json, sys, time
off, right = float(sys.argv[1]), time.time
time.time = lambda: right() + off
from bot.delivery.patience import Patience
from core.errors import SettingsError
from core.jobs.leases import Lease
from core.states import NoAnswer
from core.storage.database import open_database
from core.storage.skew import measure_skew, require_clock
from core.turns import backpressure, turn_delivery, turn_store
from core.turns.turn import Address, NewQuestion
from core.turns.upkeep import sweeper, unattended
for line in sys.stdin:
    url, body, given = json.loads(line)
    known = globals() | {"database": open_database(url), "given": given}
    known["patience"] = Patience(known["database"], 20.0)
    exec(body, known)
    print(json.dumps(known["said"]), flush=True)
    known["database"].close()
"""


class Elsewhere:
    """A host whose clock is off by so many seconds."""

    def __init__(self, off: float) -> None:
        self.off = off
        self._process = subprocess.Popen(
            [sys.executable, "-c", WRONG, str(off)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def __call__(self, database: Database, body: str, given: str = "") -> Any:
        """What `said` is there after these statements."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([database.url, body, given]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module", params=[-60.0, 60.0])
def elsewhere(request: pytest.FixtureRequest) -> Iterator[Elsewhere]:
    with closing(Elsewhere(request.param)) as host:
        yield host


def asked(database: Database) -> Turn:
    turn = turn_store.ask(database, NewQuestion(Address("T1", "C1", "1.0", "1.0"), "U1", "Who?"))
    assert turn is not None
    return turn


def age(database: Database, turn: Turn, seconds: float) -> None:
    """Let the question have waited for so long."""
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            f"UPDATE turn SET patience_from = patience_from - {seconds}, "
            f"asked_at = asked_at - {seconds}, "
            f"work_enqueued_at = work_enqueued_at - {seconds}, "
            f"delivery_enqueued_at = delivery_enqueued_at - {seconds}"
        )


def test_the_product_asks_no_clock_of_its_host() -> None:
    found = set()
    for program in ("bot", "console", "core", "indexer", "worker"):
        for path in (ROOT / program).rglob("*.py"):
            names = {ast.unparse(node) for node in ast.walk(ast.parse(path.read_text()))}
            if "time.time" in names:
                found.add(path.relative_to(ROOT).as_posix())
    assert found == BY_THE_HOST


def test_a_question_is_saved_with_the_time_of_the_database(
    database: Database, elsewhere: Elsewhere
) -> None:
    turn_id = elsewhere(
        database,
        "said = turn_store.ask("
        "database, NewQuestion(Address('T1', 'C1', '1.0', '1.0'), 'U1', 'Who?')).id",
    )
    turn = turn_store.load(database, turn_id)
    assert turn is not None
    assert abs(turn.asked_at - clock.now()) < PATIENCE_S
    assert abs(turn.patience_from - clock.now()) < PATIENCE_S


def test_no_patience_is_cut_short_and_none_lasts_longer(
    database: Database, elsewhere: Elsewhere
) -> None:
    turn = asked(database)
    body = "said = patience.is_over(turn_store.load(database, given))"
    assert elsewhere(database, body, turn.id) is False
    age(database, turn, PATIENCE_S + 10)
    assert elsewhere(database, body, turn.id) is True


def test_what_is_at_work_is_not_swept_and_what_is_lost_is(
    database: Database, elsewhere: Elsewhere
) -> None:
    """The lists that the sweeper and whoever says a first word go by."""
    turn = asked(database)
    body = (
        "with database.reading() as session:\n"
        "    found = [task.value for task, _ in sweeper._open_work(session)]\n"
        "said = found + unattended.turns(database, 'T1')"
    )
    assert elsewhere(database, body) == []
    age(database, turn, 10)
    with_nobody = elsewhere(database, body)
    assert with_nobody == ["worker.answer", "bot.deliver", turn.id]
    answering, delivering = (
        Lease(database, f"{task}:{turn.id}") for task in ("worker.answer", "bot.deliver")
    )
    assert answering.take()
    assert delivering.take()
    assert elsewhere(database, body) == []


def test_a_held_lease_is_not_taken_and_says_that_workers_are_busy(
    database: Database, elsewhere: Elsewhere
) -> None:
    held = Lease(database, "worker.answer:1")
    assert held.take()
    body = "said = [Lease(database, given).take(), backpressure.moves(database)]"
    assert elsewhere(database, body, "worker.answer:1") == [False, True]


def test_an_answer_that_grows_is_kept_open_for_all(
    database: Database, elsewhere: Elsewhere
) -> None:
    turn = asked(database)
    age(database, turn, PATIENCE_S - 2)
    body = (
        "turn = turn_store.load(database, given)\n"
        "turn_delivery.KeptOpen(database, turn, 20.0).for_s(10.0)\n"
        "said = patience.is_over(turn_store.load(database, given))"
    )
    assert elsewhere(database, body, turn.id) is False
    kept = turn_store.load(database, turn.id)
    assert kept is not None
    left = kept.patience_from + PATIENCE_S - clock.now()
    assert 5 < left <= 10 + 5 + RESOLUTION_S  # and core.turns.turn_delivery.AHEAD_S


def test_a_late_answer_is_taken_up_again_for_as_long_as_anywhere(
    database: Database, elsewhere: Elsewhere
) -> None:
    turn = asked(database)
    body = "said = turn_store.fail(database, given, NoAnswer.LATE)"
    assert elsewhere(database, body, turn.id)
    late = turn_store.load(database, turn.id)
    assert late is not None
    assert late.state == TurnState.FAILED
    assert abs((late.finished_at or 0.0) - clock.now()) < PATIENCE_S


def test_the_skew_of_a_host_is_measured_and_ends_it_with_its_cure(
    database: Database, elsewhere: Elsewhere
) -> None:
    body = (
        "skew = measure_skew(database)\n"
        "try:\n"
        "    require_clock(database, 5.0)\n"
        "except SettingsError as error:\n"
        "    said = [skew, str(error)]"
    )
    skew, said = elsewhere(database, body)
    assert skew == pytest.approx(elsewhere.off, abs=1.0)
    assert ("ahead of" if elsewhere.off > 0 else "behind") in said
    assert "CLOCK_SKEW_S" in said
    assert "NTP" in said


def test_a_host_whose_clock_is_right_starts(database: Database) -> None:
    require_clock(database, 1.0)
    assert abs(measure_skew(database)) < 1.0


def test_a_skew_within_the_bound_is_no_reason_to_end(
    database: Database, elsewhere: Elsewhere
) -> None:
    body = "said = require_clock(database, 100.0)"
    assert elsewhere(database, body) is None


def test_what_a_measurement_cannot_tell_changes_nothing() -> None:
    told = Clock()
    at, now = time.monotonic(), told.now()
    told.learn(now + 0.4, at - 0.5, at + 0.5)
    assert abs(told.skew_s()) < RESOLUTION_S
    told.learn(now + 7.0, at - 0.5, at + 0.5)
    assert told.skew_s() == pytest.approx(-7.0, abs=0.1)
