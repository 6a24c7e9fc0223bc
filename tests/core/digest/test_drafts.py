"""What a helper has said, and what was drafted of it: shown beside its question, gone with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlmodel import select, update

from core.digest import digests
from core.digest.digest import DigestGap, DigestQuestion
from core.digest.digests import NewGap
from core.models import Answer, Note, Record
from core.pages import PageKey
from core.question import Completed
from core.storage.database import Database
from core.storage.hand_over_tables import HandOverRow
from core.storage.loop_tables import DigestGapRow
from core.turns import erasure, turn_store
from core.turns.hand_over import requests, said
from core.turns.turn import Address, NewQuestion, Turn

SAYS = "The sauna is in the basement."
NEAR = PageKey("confluence", "7")


def answered(database: Database, ts: str, text: str) -> Turn:
    new = NewQuestion(Address("T1", "C1", ts, ts), user="U1", text=text)
    turn = turn_store.ask(database, new)
    assert turn
    answer = Answer(text="Nothing.", notes=(Note.NOT_FOUND,))
    record = Record(completed=Completed(question=text, text=text), answer=answer)
    assert turn_store.answer(database, turn.id, record)
    return turn


@pytest.fixture
def helped(database: Database) -> Turn:
    """U1 has asked, U2 has helped and says that a page should say it."""
    turn = answered(database, "1.0", "Sauna?")
    assert requests.ask(database, turn.id, "U1")
    with database.session() as session:
        session.exec(update(HandOverRow).values(should_say=True, resolved_by="U2"))
    said.keep(database, turn.id, SAYS)
    return turn


def drafted(database: Database, turn: Turn) -> str:
    gap = NewGap(
        (turn.id,),
        people=0,
        asked=1,
        near=(NEAR,),
        draft=SAYS,
        draft_of=turn.id,
        drafted_from=frozenset({NEAR}),
    )
    return digests.save(database, "T1", "C9", 1_000, [gap])


def gap_of(database: Database, digest_id: str) -> DigestGap:
    digest = digests.load(database, digest_id)
    assert digest
    (gap,) = digest.gaps
    return gap


def kept(database: Database) -> list[str]:
    """Every word of it, wherever it is kept."""
    with database.reading() as session:
        helpers = session.exec(select(HandOverRow.said)).all()
        drafts = session.exec(select(DigestGapRow.draft)).all()
    return [each for each in (*helpers, *drafts) if each]


def test_the_newest_words_about_a_gap_are_found(database: Database, helped: Turn) -> None:
    assert said.newest(database, [helped.id, "another"]) == said.HelperSaid(helped.id, SAYS)
    assert said.newest(database, ["another"]) is None


def test_words_are_kept_only_while_a_page_should_say_them(database: Database, helped: Turn) -> None:
    assert requests.decide(database, helped.id, "U2", should_say=False)
    assert said.newest(database, [helped.id]) is None
    said.keep(database, helped.id, "Other words.")
    assert kept(database) == []


def test_a_draft_names_the_pages_that_it_was_made_of_also_where_they_are_the_nearest(
    database: Database, helped: Turn
) -> None:
    gap = gap_of(database, drafted(database, helped))
    assert (gap.draft, gap.near, gap.drafted_from) == (SAYS, (NEAR,), frozenset({NEAR}))


def test_a_draft_does_not_outlive_its_question_in_a_digest(
    database: Database, helped: Turn
) -> None:
    digest_id = drafted(database, helped)
    digests.drop_questions(database, digest_id, [helped.id])
    digest = digests.load(database, digest_id)
    assert digest
    assert digest.gaps == ()


def test_what_is_forgotten_while_it_is_drafted_is_not_saved(
    database: Database, helped: Turn
) -> None:
    erasure.forget_turn(database, helped.id, "U1")
    assert drafted(database, helped) == ""
    assert kept(database) == []


def test_a_gap_of_which_something_is_left_loses_the_draft_of_what_is_forgotten(
    database: Database, helped: Turn
) -> None:
    other = answered(database, "2.0", "Where?")
    erasure.forget_turn(database, helped.id, "U1")
    gone = NewGap((helped.id,), people=0, asked=1)
    both = NewGap(
        (helped.id, other.id),
        people=3,
        asked=2,
        draft=SAYS,
        draft_of=helped.id,
        drafted_from=frozenset({NEAR}),
    )
    gap = gap_of(database, digests.save(database, "T1", "C9", 1_000, [gone, both]))
    assert (gap.number, [each.text for each in gap.questions]) == (1, ["Where?"])
    assert (gap.draft, gap.drafted_from, gap.is_whole) == ("", frozenset(), False)
    assert kept(database) == []


def test_a_draft_is_hidden_where_only_its_own_question_may_not_be_told(
    database: Database, helped: Turn
) -> None:
    digest_id = drafted(database, helped)
    digest = digests.load(database, digest_id)
    assert digest
    (gap,) = digest.gaps
    other = DigestQuestion("other", "Where?", "C1", "2.0", found=False)
    both = replace(digest, gaps=(replace(gap, questions=(*gap.questions, other)),))
    (left,) = both.without([helped.id]).gaps
    assert (left.draft, [each.turn_id for each in left.questions]) == ("", ["other"])


def test_whoever_asked_is_forgotten_with_it(database: Database, helped: Turn) -> None:
    drafted(database, helped)
    erasure.forget_turn(database, helped.id, "U1")
    assert kept(database) == []


def test_whoever_said_it_is_forgotten_with_it(database: Database, helped: Turn) -> None:
    drafted(database, helped)
    erasure.forget_person(database, "T1", "U2")
    assert kept(database) == []


def test_somebody_elses_words_stay(database: Database, helped: Turn) -> None:
    drafted(database, helped)
    erasure.forget_person(database, "T1", "U3")
    assert kept(database) == [SAYS, SAYS]
