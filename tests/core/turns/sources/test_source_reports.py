"""Reported sources are kept with the evidence behind them, as long as the turn is."""

from __future__ import annotations

from core.models import Answer, Record, Source
from core.question import Completed
from core.storage.database import Database
from core.turns import erasure, turn_store
from core.turns.sources import source_reports
from core.turns.turn import Address, NewQuestion, Turn

SOURCES = (
    Source(number=1, title="Leave", url="https://wiki.example/1", evidence_ids=("1-a", "1-b")),
    Source(number=2, title="Travel", url="https://wiki.example/2", evidence_ids=("2-a",)),
)


def answered(database: Database) -> Turn:
    turn = turn_store.ask(
        database, NewQuestion(Address("T1", "C1", "1.5", "1.0"), user="U1", text="How much?")
    )
    assert turn is not None
    made = Record(
        completed=Completed(question="How much?", text="How much?"),
        answer=Answer(text="25 [1][2].", sources=SOURCES),
    )
    turn_store.answer(database, turn.id, made)
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def test_a_report_names_the_sources_and_their_evidence(database: Database) -> None:
    turn = answered(database)
    source_reports.record(database, turn, "U2", {1, 7}, "It is another hall.")
    source_reports.record(database, turn, "U3", {2}, "")
    first, second = source_reports.of_turn(database, turn.id)
    assert (first.user, first.numbers, first.evidence_ids, first.text) == (
        "U2",
        (1,),
        ("1-a", "1-b"),
        "It is another hall.",
    )
    assert (second.user, second.numbers, second.evidence_ids) == ("U3", (2,), ("2-a",))


def test_reports_are_erased_with_the_turn_and_with_the_person(database: Database) -> None:
    turn = answered(database)
    source_reports.record(database, turn, "U2", {1}, "")
    source_reports.record(database, turn, "U3", {1}, "")
    erasure.forget_person(database, "T1", "U3")
    assert [report.user for report in source_reports.of_turn(database, turn.id)] == ["U2"]
    erasure.forget_turn(database, turn.id, "U1")
    assert source_reports.of_turn(database, turn.id) == ()
    source_reports.record(database, turn, "U2", {1}, "too late")
    assert source_reports.of_turn(database, turn.id) == ()
