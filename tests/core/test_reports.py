"""Reported sources are kept with the evidence behind them, as long as the turn is."""

from __future__ import annotations

from core import conversations, forgetting, reports
from core.conversations import Address, Turn
from core.database import Database
from core.models import Answer, Completed, Record, Source

SOURCES = (
    Source(number=1, title="Leave", url="https://wiki.example/1", evidence_ids=("1-a", "1-b")),
    Source(number=2, title="Travel", url="https://wiki.example/2", evidence_ids=("2-a",)),
)


def answered(database: Database) -> Turn:
    turn = conversations.ask(database, Address("T1", "C1", "1.5", "1.0"), user="U1", question="How much?")
    assert turn is not None
    made = Record(completed=Completed(question="How much?", text="How much?"), answer=Answer(text="25 [1][2].", sources=SOURCES))
    conversations.answer(database, turn.id, made)
    found = conversations.load(database, turn.id)
    assert found is not None
    return found


def test_a_report_names_the_sources_and_their_evidence(database: Database) -> None:
    turn = answered(database)
    reports.record(database, turn, "U2", {1, 7}, "It is another hall.")
    reports.record(database, turn, "U3", {2}, "")
    first, second = reports.of_turn(database, turn.id)
    assert (first.user, first.numbers, first.evidence_ids, first.text) == ("U2", (1,), ("1-a", "1-b"), "It is another hall.")
    assert (second.user, second.numbers, second.evidence_ids) == ("U3", (2,), ("2-a",))


def test_reports_are_erased_with_the_turn_and_with_the_person(database: Database) -> None:
    turn = answered(database)
    reports.record(database, turn, "U2", {1}, "")
    reports.record(database, turn, "U3", {1}, "")
    forgetting.forget_person(database, "T1", "U3")
    assert [report.user for report in reports.of_turn(database, turn.id)] == ["U2"]
    forgetting.forget_turn(database, turn.id, "U1")
    assert reports.of_turn(database, turn.id) == ()
    reports.record(database, turn, "U2", {1}, "too late")
    assert reports.of_turn(database, turn.id) == ()
