"""What reports count of an answer: written with it, and gone with it."""

from __future__ import annotations

from sqlmodel import delete, select
from test_turn_store import address, ask, record, reload

from core.models import Answer, Confidence, Evidence, Hit, Kind, Note, Page, Record, Source
from core.question import Completed
from core.states import NoAnswer
from core.storage.access_tables import TurnPageRow
from core.storage.database import Database
from core.storage.report_tables import CitedPageRow, TurnFactsRow
from core.storage.tables import TurnRow
from core.turns import erasure, turn_facts, turn_store
from core.turns.anew import edits
from core.turns.turn import NewQuestion, Turn
from core.usage import Usage


def facts(database: Database) -> list[TurnFactsRow]:
    with database.reading() as session:
        return list(session.exec(select(TurnFactsRow)).all())


def cited(database: Database) -> list[tuple[str, str]]:
    with database.reading() as session:
        rows = session.exec(select(CitedPageRow).order_by(CitedPageRow.page_id)).all()
    return [(row.turn_id, row.page_id) for row in rows]


def hit(page_id: str) -> Hit:
    page = Page(id=page_id, space="ENG", title=f"Page {page_id}", url=f"https://w/{page_id}")
    piece = Evidence(id=f"e{page_id}", page_id=page_id, kind=Kind.PASSAGE, text="Ben.")
    return Hit(evidence=piece, page=page)


def source(number: int, page_id: str) -> Source:
    return Source(
        number=number,
        title=f"Page {page_id}",
        url=f"https://w/{page_id}",
        space="ENG",
        evidence_ids=(f"e{page_id}",),
    )


def cited_record() -> Record:
    """Three pages were found, two are cited, one of them twice."""
    sources = (source(1, "7"), source(2, "8"), source(3, "7"))
    return Record(
        completed=Completed(question="?", text="?"),
        answer=Answer(text="Ben.", model="m-1", sources=sources, confidence=Confidence.MEDIUM),
        hits=(hit("7"), hit("8"), hit("9")),
        usage=Usage(calls=1, prompt_tokens=900, completion_tokens=40),
    )


def answered(database: Database, what: Record | None = None) -> Turn:
    turn = ask(database)
    assert turn_store.answer(database, turn.id, what or cited_record())
    return turn


def test_an_answer_is_counted_with_the_pages_that_it_cites(database: Database) -> None:
    turn = answered(database)
    (row,) = facts(database)
    assert (row.turn_id, row.user, row.channel, row.asked_at) == (
        turn.id,
        "U1",
        "C1",
        turn.asked_at,
    )
    assert (row.found, row.badge, row.model, row.space) == (True, "medium", "m-1", "ENG")
    assert (row.prompt_tokens, row.completion_tokens) == (900, 40)
    assert 0 <= row.seconds < 60
    assert cited(database) == [(turn.id, "7"), (turn.id, "8")]


def test_what_no_page_answers_is_counted_as_not_found(database: Database) -> None:
    answer = Answer(text="No page answers this.", notes=(Note.NOT_FOUND,))
    answered(database, Record(completed=Completed(question="?", text="?"), answer=answer))
    (row,) = facts(database)
    assert not row.found
    assert cited(database) == []


def test_nothing_is_counted_of_what_is_forgotten_or_taken_back(database: Database) -> None:
    forgotten, taken_back = answered(database), answered(database)
    erasure.forget_turn(database, forgotten.id, "U1")
    assert [row.turn_id for row in facts(database)] == [taken_back.id]
    assert turn_store.take_back(database, reload(database, taken_back), NoAnswer.CLOSED)
    assert facts(database) == []
    assert cited(database) == []


def test_the_answer_to_an_edited_question_is_counted_beside_the_one_before(
    database: Database,
) -> None:
    where = address()
    turn = ask(database, where=where)
    assert turn_store.answer(database, turn.id, cited_record())
    new = NewQuestion(where, user="U1", text="Who is on call at night?")
    assert edits.ask_anew(database, turn.id, new, edited_ts="9.9") is not None
    (before,) = facts(database)
    assert before.turn_id != turn.id
    assert turn_store.answer(database, turn.id, record(), edition=1, edited_ts="9.9")
    assert {row.turn_id for row in facts(database)} == {before.turn_id, turn.id}


def test_answers_of_before_are_counted_once_they_are_filled_in(database: Database) -> None:
    first, second = answered(database), answered(database)
    ask(database)  # waits
    with database.session() as session:
        session.exec(delete(CitedPageRow))
        session.exec(delete(TurnFactsRow))
    assert list(turn_facts.fill_in(database)) == [2]
    assert {row.turn_id for row in facts(database)} == {first.id, second.id}
    assert len(cited(database)) == 4
    assert list(turn_facts.fill_in(database)) == []


def test_a_program_that_knows_no_facts_may_delete_their_turns(database: Database) -> None:
    """While two versions are at work together the older one ends old conversations, too."""
    answered(database)
    with database.session() as session:
        session.exec(delete(TurnPageRow))
        session.exec(delete(TurnRow))
    assert facts(database) == []
    assert cited(database) == []
