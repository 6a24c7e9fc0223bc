"""Gaps called fixed: when they are asked again, once, and what is forgotten leaves them."""

from __future__ import annotations

import pytest
from sqlmodel import col, update

from core.digest import digests, fixes, schedule
from core.digest.digests import NewGap
from core.models import Answer, Note, Record
from core.pages import PageKey
from core.question import Completed
from core.settings.digest import DigestSettings
from core.states import Cure
from core.storage import clock
from core.storage.database import Database
from core.storage.index_tables import SyncRow
from core.storage.loop_tables import FixRow
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion, Turn

WEEK = 1_000
PAGE = PageKey("confluence", "7")


def unanswered(database: Database, ts: str, question: str = "Sauna?") -> Turn:
    new = NewQuestion(Address("T1", "C1", ts, ts), user="U1", text=question)
    turn = turn_store.ask(database, new)
    assert turn
    answer = Answer(text="Nothing.", notes=(Note.NOT_FOUND,))
    record = Record(completed=Completed(question=question, text=question), answer=answer)
    assert turn_store.answer(database, turn.id, record)
    return turn


def made(database: Database, *turns: Turn, whom: str = "C9", week: int = WEEK) -> str:
    gap = NewGap(tuple(turn.id for turn in turns), people=0, asked=len(turns), near=(PAGE,))
    return digests.save(database, "T1", whom, week, [gap])


def synced(database: Database, space: str, ago_s: float) -> None:
    with database.session() as session:
        at = clock.now() - ago_s
        session.add(SyncRow(space=space, started_at=at, finished_at=at, complete=True))


def marked_ago(database: Database, seconds: float) -> None:
    with database.session() as session:
        session.exec(
            update(FixRow).where(col(FixRow.id) != "").values(marked_at=clock.now() - seconds)
        )


def test_nobody_is_told_of_the_same_week_twice(database: Database) -> None:
    turn = unanswered(database, "1.0")
    assert made(database, turn)
    assert made(database, turn) == ""
    assert made(database, turn, whom="user:owner")
    assert made(database, turn, week=WEEK + 7 * 86_400)


def test_another_hour_of_the_same_week_makes_no_second_digest(database: Database) -> None:
    turn = unanswered(database, "1.0")
    assert made(database, turn)
    assert made(database, turn, week=WEEK + 3_600) == ""
    assert made(database, turn, week=WEEK - 3_600) == ""
    assert digests.is_made(database, "T1", "C9", WEEK + 3_600)


def test_a_person_of_two_accounts_gets_one_digest_a_week(database: Database) -> None:
    turn = unanswered(database, "1.0")
    first, second = (made(database, turn, whom=whom) for whom in ("user:a", "user:b"))
    next_one = made(database, turn, whom="user:b", week=WEEK + 7 * 86_400)
    assert digests.begin(database, first, "U2")
    assert not digests.begin(database, second, "U2")
    assert second not in digests.to_be_shown(database)
    assert digests.begin(database, next_one, "U2")


def test_it_is_posted_by_one_speaker(database: Database) -> None:
    digest_id = made(database, unanswered(database, "1.0"))
    assert digests.begin(database, digest_id, "")
    assert not digests.begin(database, digest_id, "")
    digests.not_begun(database, digest_id)
    assert digests.begin(database, digest_id, "")


def test_its_questions_are_asked_again_when_every_space_was_read_after_it_was_called_fixed(
    database: Database,
) -> None:
    digest_id = made(database, unanswered(database, "1.0"))
    assert fixes.mark(database, digest_id, 1, "U2")
    assert not fixes.mark(database, digest_id, 1, "U3")
    assert not fixes.mark(database, digest_id, 2, "U2")
    marked_ago(database, 60.0)
    synced(database, "ENG", ago_s=90.0)
    synced(database, "HR", ago_s=30.0)
    assert fixes.not_asked(database) == []
    synced(database, "ENG", ago_s=20.0)
    assert len(fixes.not_asked(database)) == 1


def test_after_a_day_they_are_asked_again_though_a_space_fails(database: Database) -> None:
    digest_id = made(database, unanswered(database, "1.0"))
    fixes.mark(database, digest_id, 1, "U2")
    synced(database, "ENG", ago_s=100_000.0)
    marked_ago(database, fixes.LONGEST_S - 60.0)
    assert fixes.not_asked(database) == []
    marked_ago(database, fixes.LONGEST_S + 60.0)
    assert len(fixes.not_asked(database)) == 1


def test_what_became_of_them_is_shown_and_told_once(database: Database) -> None:
    first, second = unanswered(database, "1.0"), unanswered(database, "2.0")
    digest_id = made(database, first, second)
    fixes.mark(database, digest_id, 1, "U2")
    marked = digests.load(database, digest_id)
    fix_id = fixes.id_of(digest_id, 1)
    outcomes = {first.id: (Cure.ANSWERED, PAGE), second.id: (Cure.AS_BEFORE, None)}
    fixes.save_outcomes(database, fix_id, outcomes)
    assert fixes.not_asked(database) == []
    shown = digests.load(database, digest_id)
    assert marked and shown and shown.edition == marked.edition + 1
    fix = shown.gaps[0].fix
    assert fix and (fix.asked, fix.cured, fix.pages) == (True, 1, frozenset({PAGE}))
    assert fixes.tell(database, fix_id)
    assert not fixes.tell(database, fix_id)


def test_a_forgotten_question_leaves_the_digest_which_is_shown_anew(database: Database) -> None:
    first, second = unanswered(database, "1.0"), unanswered(database, "2.0", "Pool?")
    digest_id = made(database, first, second)
    fixes.mark(database, digest_id, 1, "U2")
    before = digests.load(database, digest_id)
    erasure.forget_turn(database, first.id, "U1")
    after = digests.load(database, digest_id)
    assert before and after and after.edition == before.edition + 1
    (gap,) = after.gaps
    assert [each.text for each in gap.questions] == ["Pool?"]
    assert gap.fix and [each.turn_id for each in gap.fix.questions] == [second.id]


def test_a_person_who_is_forgotten_leaves_no_digest_and_no_name(database: Database) -> None:
    turn = unanswered(database, "1.0")
    own, of_channel = made(database, turn, whom="user:owner"), made(database, turn)
    digests.begin(database, own, "U2")
    fixes.mark(database, of_channel, 1, "U2")
    erasure.forget_person(database, "T1", "U2")
    assert digests.load(database, own) is None
    left = digests.load(database, of_channel)
    assert left and left.gaps[0].fix and left.gaps[0].fix.marked_by == ""


@pytest.mark.parametrize("text", ["", "monday 08:00", "mon", "mon 25:00", "8:00"])
def test_what_is_no_time_of_the_week_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"digest_at"):
        DigestSettings(digest_at=text)


def test_it_is_due_for_a_day_and_then_not_before_the_next_week() -> None:
    monday = 345_600.0  # 1970-01-05
    at = monday + 8 * 3600
    assert schedule.due("mon 08:00", at - 1) is None
    assert schedule.due("mon 08:00", at) == at
    assert schedule.due("mon 08:00", at + 86_400) == at
    assert schedule.due("mon 08:00", at + 86_401) is None
