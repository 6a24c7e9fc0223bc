"""Erasure: nothing is left in tables, database files and Redis, and nobody brings it back."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import redis
from counted_votes import votes
from sqlmodel import SQLModel, col, func, select, update

from bot.home import history
from core.attribution import Effect, Explanation, Spread
from core.jobs import afterwards
from core.jobs.afterwards import PutOff
from core.jobs.progress_events import Event, EventKind, Events, explain_channel
from core.models import Answer, Evidence, Hit, Kind, Page, Record, Source
from core.policy import people
from core.policy.people import Standing
from core.question import Completed, Condition, Field
from core.states import NoAnswer, PostKind, Vote, VoteBy
from core.storage.access_tables import AfterwardsRow
from core.storage.database import Database
from core.storage.people_tables import PersonRow, SpentRow
from core.storage.tables import (
    CallRow,
    DetailRequestRow,
    ExplanationRow,
    FeedbackHistoryRow,
    FeedbackRow,
    PostRow,
    ThreadRow,
    TurnRow,
)
from core.turns import (
    detail_requests,
    erasure,
    explanations,
    feedback,
    post_store,
    turn_delivery,
    turn_store,
)
from core.turns.erasure import Forgotten
from core.turns.explanations import Call
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.upkeep.retention import Retention
from core.usage import Usage

MARKER = "quokka-3180"
DAY_S = 86_400.0
_ts = count(1)


def ask(
    database: Database,
    question: str = "Who is on call?",
    *,
    user: str = "U1",
    thread: str = "1.0",
    **more: Any,
) -> Turn:
    where = Address("T1", "C1", f"{next(_ts)}.5", thread)
    turn = turn_store.ask(database, NewQuestion(where, user=user, text=question, **more))
    assert turn is not None
    return turn


def record(
    question: str = "Who is on call?", completed: str = "", *, text: str = "Ben.", **more: Any
) -> Record:
    done = Completed(question=question, text=completed or question, **more)
    return Record(
        completed=done,
        answer=Answer(text=text, model="m", suggestions=("And then?",)),
        prompt=f"{done.text} {done.context}",
    )


def answered(
    database: Database,
    question: str = "Who is on call?",
    completed: str = "",
    *,
    user: str = "U1",
    **more: Any,
) -> Turn:
    turn = ask(database, question, user=user)
    assert turn_store.answer(database, turn.id, record(question, completed, **more))
    turn_delivery.delivered(database, turn)
    return reload(database, turn)


def reload(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def thread_of(database: Database, turn: Turn) -> str:
    with database.reading() as session:
        return session.get_one(TurnRow, turn.id).thread_id


def forget(database: Database, turn: Turn) -> Forgotten:
    return erasure.forget(database, thread_of(database, turn), turn.user)


def rows(database: Database, table: type[SQLModel]) -> int:
    with database.reading() as session:
        return session.exec(select(func.count()).select_from(table)).one()


def marked(folder: Path) -> list[str]:
    """The files in which the marker stands."""
    return sorted(
        file.name
        for file in folder.iterdir()
        if file.is_file() and MARKER.encode() in file.read_bytes()
    )


def unheard(database: Database, turn: Turn, user: str, text: str) -> None:
    """A reply in the thread of this turn that no speaker has looked at yet."""
    said = {"where": asdict(turn.address), "user": user, "text": text}
    once = f"{turn.address.thread_ts}:{user}"
    afterwards.put_off(database, PutOff.HEAR, team=turn.address.team, once=once, said=said)


def full_turn(database: Database) -> Turn:
    """A turn with everything that can belong to one, the marker in all of it.

    Large enough to take many pages of the file.
    """
    turn = ask(database, f"Where is {MARKER}?")
    piece = Evidence(id="a", page_id="1", kind=Kind.PASSAGE, text=f"{MARKER} " * 20_000)
    page = Page(id="1", space="OPS", title=MARKER, url=f"https://wiki.example/{MARKER}")
    made = record(f"Where is {MARKER}?", f"Where is {MARKER} (x)?", text=MARKER, context=(MARKER,))
    answer = made.answer.model_copy(update={"sources": (Source(number=1, title=MARKER, url="u"),)})
    turn_store.answer(
        database,
        turn.id,
        made.model_copy(update={"hits": (Hit(evidence=piece, page=page),), "answer": answer}),
    )
    explanations.request(database, turn.id, "U2")
    effect = Effect(evidence_ids=("a",), label=MARKER, away=Spread(mean=0.5), counterfactual=MARKER)
    explanations.save(database, Explanation(turn_id=turn.id, effects=(effect,)), MARKER.encode())
    feedback.record(database, turn.id, "U2", Vote.DOWN, by=VoteBy.BUTTON, reason=f"no {MARKER}")
    detail_requests.ask(database, "V1", turn.id, "U2")
    post_store.save_place(database, post_store.ensure(database, turn, PostKind.ANSWER).id, "7.7")
    return reload(database, turn)


@pytest.mark.only_sqlite("Postgres overwrites deleted rows in its own time")
def test_after_forgetting_no_word_of_it_is_in_the_files_of_the_database_or_in_redis(
    database: Database, tmp_path: Path, queues: redis.Redis, redis_url: str
) -> None:
    turn = full_turn(database)
    unfinished = answered(database, f"How old is {MARKER}?")
    explanations.request(database, unfinished.id, "U1")
    explanations.save_call(database, unfinished.id, Call("key", 0, MARKER, Usage()))
    asked = f"Where is {MARKER}?"
    answered(
        database,
        "And who feeds it?",
        f"And who feeds it? (Zoo; {asked})",
        user="U2",
        context=("Zoo", asked),
    )
    turn_store.ask(
        database,
        NewQuestion(
            replace(turn.address, ts="99.1"),
            user="U2",
            filtered=False,
            text=asked,
            by_button=True,
            private=turn.private,
        ),
    )
    events = Events(redis_url)
    for name in (turn.id, explain_channel(turn.id)):
        events.publish(name, Event(EventKind.TEXT, MARKER), key=turn.words_key)
    unheard(database, turn, "U1", MARKER)
    unheard(database, turn, "U9", "another person's")
    assert marked(tmp_path)

    forgotten = forget(database, turn)
    for turn_id in forgotten.turns:
        events.forget(turn_id)
    assert marked(tmp_path) == []
    assert [key for key in queues.scan_iter() if key.startswith("groundwire:turn:")] == []
    assert (
        rows(database, FeedbackRow),
        rows(database, FeedbackHistoryRow),
        rows(database, DetailRequestRow),
    ) == (0, 0, 0)
    assert (rows(database, ExplanationRow), rows(database, CallRow)) == (0, 0)
    assert rows(database, AfterwardsRow) == 1
    assert reload(database, turn).words_key == ""


def test_what_waits_of_a_person_is_erased_with_them_and_of_a_thread_with_it(
    database: Database, queues: redis.Redis
) -> None:
    turn = answered(database)
    elsewhere = replace(turn, address=replace(turn.address, thread_ts="77.7", ts="77.8"))
    for there in (turn, elsewhere):
        unheard(database, there, "U1", "said")
    forget(database, turn)
    assert rows(database, AfterwardsRow) == 1
    afterwards.put_off(
        database, PutOff.ASK, team=turn.address.team, user="U1", question="Where?", channel=""
    )
    unheard(database, turn, "U2", "said")
    erasure.forget_person(database, turn.address.team, "U1")
    assert rows(database, AfterwardsRow) == 1


def test_what_nobody_reads_is_cleaned_up_when_somebody_reads_no_more(
    database: Database, tmp_path: Path
) -> None:
    turn = full_turn(database)
    with database.reading() as session:
        session.exec(select(TurnRow)).all()  # holds an older state of the database
        forget(database, turn)
    assert database.leave_no_trace()
    assert marked(tmp_path) == []


def test_only_the_turns_of_whoever_forgets_go(database: Database) -> None:
    mine, theirs = answered(database), answered(database, "And in May?", user="U2")
    forgotten = forget(database, mine)
    assert forgotten == Forgotten((mine.id,), ())
    assert (reload(database, mine).is_forgotten, reload(database, mine).record) == (True, None)
    assert reload(database, theirs).record == theirs.record
    assert erasure.forget_turn(database, theirs.id, "U1") == Forgotten()


def test_what_others_asked_after_it_loses_what_was_made_of_it_and_is_shown_anew(
    database: Database,
) -> None:
    mine = answered(database, "Who feeds the crane in OPS?")
    conditions = (
        Condition(field=Field.LABEL, value="may", said="May"),
        Condition(field=Field.SPACE, value="OPS", said="in OPS"),
    )
    theirs = answered(
        database,
        "And in May?",
        "And in May? (Who feeds the crane in OPS?)",
        user="U2",
        context=(mine.question,),
        conditions=conditions,
    )
    explanations.request(database, theirs.id, "U2")
    assert forget(database, mine) == Forgotten((mine.id,), (theirs.id,))
    now = reload(database, theirs)
    assert now.record is not None
    assert theirs.record is not None
    assert now.record.completed == Completed(
        question="And in May?", text="And in May?", conditions=conditions[:1], forgotten=True
    )
    assert (now.record.prompt, now.record.answer.suggestions, now.record.answer.text) == (
        "",
        (),
        theirs.record.answer.text,
    )
    assert (now.delivered, now.state) == (False, "done")
    request = explanations.load(database, theirs.id)
    assert request is not None
    assert (request.state, request.reason) == ("failed", "forgotten")


def test_what_was_asked_before_it_stays_as_it_was(database: Database) -> None:
    before = answered(database, "And in May?", "And in May? (Crane)", user="U2", context=("Crane",))
    assert forget(database, answered(database)).mended == ()
    assert reload(database, before).record == before.record


def test_an_answer_that_was_begun_before_does_not_bring_it_back(database: Database) -> None:
    mine, theirs = ask(database), ask(database, "And in May?", user="U2")
    forget(database, mine)
    assert not turn_store.answer(database, mine.id, record())
    assert not turn_store.fail(database, mine.id, NoAnswer.LATE)
    assert not turn_store.ask_again(database, mine.id)
    turn_delivery.delivered(database, mine)
    assert (reload(database, mine).is_forgotten, reload(database, mine).delivered) == (True, False)
    late = record("And in May?", "And in May? (Who is on call?)", context=("Who is on call?",))
    assert turn_store.answer(database, theirs.id, late, edition=theirs.edition)
    saved = reload(database, theirs).record
    assert saved is not None
    assert "on call" not in saved.model_dump_json()


def test_a_speaker_that_said_it_as_it_was_has_not_said_it_as_it_is(database: Database) -> None:
    mine = answered(database)
    theirs = answered(database, "And in May?", "And in May? (Who is on call?)", user="U2")
    forget(database, mine)
    turn_delivery.delivered(database, theirs)
    assert not reload(database, theirs).delivered
    turn_delivery.delivered(database, reload(database, theirs))
    assert reload(database, theirs).delivered


def test_votes_and_explanations_that_come_late_are_not_written_down(database: Database) -> None:
    turn = answered(database)
    explanations.request(database, turn.id, "U2")
    forget(database, turn)
    feedback.record(database, turn.id, "U2", Vote.DOWN, by=VoteBy.BUTTON, reason="no")
    explanations.save_call(database, turn.id, Call("key", 0, "text", Usage()))
    assert not explanations.save(database, Explanation(turn_id=turn.id))
    assert not explanations.request(database, turn.id, "U2")
    assert explanations.start(database, turn.id) == 0
    assert [
        rows(database, table)
        for table in (FeedbackRow, FeedbackHistoryRow, CallRow, ExplanationRow)
    ] == [0, 0, 0, 0]


def test_an_event_that_is_repeated_does_not_ask_again(database: Database) -> None:
    turn = ask(database)
    forget(database, turn)
    assert (
        turn_store.ask(database, NewQuestion(turn.address, user="U1", text=turn.question)) is None
    )
    assert turn_store.earlier(database, ask(database)) == ()


def test_empty_rows_go_after_two_days_and_their_thread_with_them(database: Database) -> None:
    turn = answered(database)
    post_store.ensure(database, turn, PostKind.ANSWER)
    forget(database, turn)
    erasure.taken_back(database, turn.id)
    assert erasure.drop_empty(database) == 0
    with database.session() as session:
        session.exec(update(TurnRow).values(finished_at=time.time() - 3 * DAY_S))
    assert erasure.drop_empty(database) == 1
    assert [rows(database, table) for table in (TurnRow, ThreadRow, PostRow)] == [0, 0, 0]


def test_a_person_goes_with_votes_on_the_answers_of_others(database: Database) -> None:
    mine, theirs = answered(database), answered(database, user="U2")
    for user in ("U1", "U2"):
        feedback.record(database, theirs.id, user, Vote.UP, by=VoteBy.BUTTON)
        people.remember(
            database, "T1", user, address=f"{user}@example.com", standing=Standing.MEMBER
        )
    explanations.request(database, theirs.id, "U1")
    with database.session() as session:
        session.add(SpentRow(day="2026-01-01", team="T1", user="U1", tokens=5))
    assert erasure.forget_person(database, "T1", "U1").turns == (mine.id,)
    assert votes(database, theirs.id) == {"U2": Vote.UP}
    request = explanations.load(database, theirs.id)
    assert request is not None
    assert request.requested_by == ""
    with database.reading() as session:
        assert session.exec(select(FeedbackHistoryRow.user)).all() == ["U2"]
        assert session.exec(select(PersonRow.user)).all() == ["U2"]
    assert rows(database, SpentRow) == 0


def test_more_turns_than_one_batch_are_forgotten(database: Database) -> None:
    turns = [ask(database) for _ in range(erasure.BATCH + 5)]
    assert set(forget(database, turns[0]).turns) == {turn.id for turn in turns}


# ── By age ──


def age(database: Database, turn: Turn, days: float) -> None:
    with database.session() as session:
        session.exec(
            update(TurnRow)
            .where(col(TurnRow.id) == turn.id)
            .values(asked_at=time.time() - days * DAY_S)
        )


def test_what_is_too_old_goes_rows_and_all_and_what_is_not_stays(
    database: Database, tmp_path: Path
) -> None:
    old = full_turn(database)
    new = answered(database, "And who feeds it?", f"And who feeds it? ({MARKER})", user="U2")
    age(database, old, 31)
    assert Retention(database, 30, rest=lambda _: None).round() == 1
    assert turn_store.load(database, old.id) is None
    assert (reload(database, new).state, reload(database, new).delivered) == (
        "done",
        True,
    )  # what Slack shows is Slack's to keep
    assert marked(tmp_path) == []


def test_without_a_setting_nothing_goes_by_its_age(database: Database) -> None:
    old = answered(database)
    age(database, old, 4000)
    assert Retention(database, 0).round() == 0
    assert reload(database, old).record == old.record


def test_a_question_that_still_waits_is_not_too_old(database: Database) -> None:
    age(database, turn := ask(database), 31)
    assert Retention(database, 30, rest=lambda _: None).round() == 0
    assert reload(database, turn).state == "waiting"


def test_of_all_programs_one_goes_round_in_an_hour(database: Database) -> None:
    age(database, answered(database), 31)
    rounds = [Retention(database, 30, rest=lambda _: None) for _ in range(2)]
    rounds[0].when_due()
    assert rows(database, TurnRow) == 0
    age(database, answered(database), 31)
    rounds[1].when_due()
    assert rows(database, TurnRow) == 1


# ── The list in App Home ──


def test_conversations_are_listed_by_their_latest_question_under_their_first(
    database: Database,
) -> None:
    ask(database, "Who is on call?", thread="1.0")
    ask(database, "Where is the key?", thread="2.0", private=True)
    ask(database, "And in May?", thread="1.0")
    ask(database, "Not mine", thread="3.0", user="U2")
    found = history.conversations_of(database, "T1", "U1")
    assert [(each.question, each.turns, each.thread_ts, each.private) for each in found] == [
        ("Who is on call?", 2, "1.0", False),
        ("Where is the key?", 1, "2.0", True),
    ]
    assert history.conversations_of(database, "T1", "U1", limit=1) == found[:1]
    assert history.conversations_of(database, "T2", "U1") == ()


def test_a_hidden_conversation_comes_back_when_it_is_restored_or_goes_on(
    database: Database,
) -> None:
    turn = ask(database)
    (conversation,) = history.conversations_of(database, "T1", "U1")
    assert history.hide(database, conversation.thread_id, "U1")
    assert history.conversations_of(database, "T1", "U1") == ()
    assert [
        each.hidden for each in history.conversations_of(database, "T1", "U1", hidden=True)
    ] == [True]
    assert history.restore(database, conversation.thread_id, "U1")
    assert len(history.conversations_of(database, "T1", "U1")) == 1
    history.hide(database, conversation.thread_id, "U1")
    ask(database, "And in May?", thread=turn.address.thread_ts)
    assert [each.turns for each in history.conversations_of(database, "T1", "U1")] == [2]
    assert history.conversations_of(database, "T1", "U1", hidden=True) == ()


def test_nobody_hides_what_others_have_asked(database: Database) -> None:
    turn = ask(database)
    assert not history.hide(database, thread_of(database, turn), "U2")
    assert len(history.conversations_of(database, "T1", "U1")) == 1


def test_a_forgotten_conversation_is_in_no_list(database: Database) -> None:
    forget(database, ask(database))
    assert [
        history.conversations_of(database, "T1", "U1", hidden=hidden) for hidden in (False, True)
    ] == [(), ()]


def test_a_failed_turn_is_forgotten_too(database: Database) -> None:
    turn = ask(database)
    turn_store.fail(database, turn.id, NoAnswer.LATE)
    assert forget(database, turn).turns == (turn.id,)
