"""Turns and posts: what was asked is known once, and finished once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Any

from sqlmodel import col, func, select

from core.models import Answer, Record
from core.question import Completed
from core.states import NoAnswer, PostKind
from core.storage.database import Database
from core.storage.tables import PostRow, ThreadRow, TurnRow
from core.turns import post_store, turn_delivery, turn_rows, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.turn_delivery import KeptOpen
from core.turns.turn_store import MAX_HISTORY

_ts = count(1)


def address(thread_ts: str = "1.0", **more: str) -> Address:
    return Address(
        **({"team": "T1", "channel": "C1", "ts": f"{next(_ts)}.5", "thread_ts": thread_ts} | more)
    )


def ask(
    database: Database, question: str = "Who is on call?", where: Address | None = None, **more: Any
) -> Turn:
    turn = turn_store.ask(
        database, NewQuestion(where or address(), user="U1", text=question, **more)
    )
    assert turn is not None
    return turn


def record(text: str = "Ben.") -> Record:
    return Record(completed=Completed(question="?", text="?"), answer=Answer(text=text))


def reload(database: Database, turn: Turn) -> Turn:
    found = turn_store.load(database, turn.id)
    assert found is not None
    return found


def rows(database: Database, table: type[TurnRow] | type[ThreadRow] | type[PostRow]) -> int:
    with database.reading() as session:
        return session.exec(select(func.count(col(table.id)))).one()


def test_a_question_is_saved_as_it_was_asked(database: Database) -> None:
    turn = ask(database, "Who is on call?", where := address())
    saved = reload(database, turn)
    assert saved == turn
    assert (saved.question, saved.user, saved.address, saved.state) == (
        "Who is on call?",
        "U1",
        where,
        "waiting",
    )


def test_the_same_event_twice_is_one_turn(database: Database) -> None:
    where = address()
    ask(database, where=where)
    assert turn_store.ask(database, NewQuestion(where, user="U1", text="Who is on call?")) is None
    assert rows(database, TurnRow) == 1


def test_a_question_by_button_stands_in_the_thread_of_its_turn_and_remembers_how_it_is_asked(
    database: Database,
) -> None:
    turn = ask(database, private=True)
    new = turn_store.ask(
        database,
        NewQuestion(
            replace(turn.address, ts="77.5"),
            user="U2",
            filtered=False,
            text="And in May?",
            by_button=True,
            private=turn.private,
        ),
    )
    assert new is not None
    assert reload(database, new) == new
    assert (new.address, new.user, new.private) == (replace(turn.address, ts="77.5"), "U2", True)
    assert (new.filtered, new.by_button, turn.filtered, turn.by_button) == (
        False,
        True,
        True,
        False,
    )
    assert [earlier.id for earlier in turn_store.earlier(database, new)] == [turn.id]


def test_a_button_pressed_twice_asks_once_until_it_is_answered(database: Database) -> None:
    turn = ask(database)

    def press(ts: str, user: str = "U2") -> Turn | None:
        return turn_store.ask(
            database,
            NewQuestion(
                replace(turn.address, ts=ts),
                user=user,
                text="And in May?",
                by_button=True,
                private=turn.private,
            ),
        )

    new = press("77.5")
    assert new is not None
    assert press("77.5") is None  # the same press, delivered again
    assert press("77.6") is None  # a double click
    assert press("77.7", user="U3") is not None
    turn_store.answer(database, new.id, record())
    assert press("77.5") is None
    assert press("77.8") is not None


def test_the_same_event_many_times_at_once_is_one_turn(database: Database) -> None:
    where = address()
    with ThreadPoolExecutor(8) as pool:
        turns = list(
            pool.map(
                lambda _: turn_store.ask(database, NewQuestion(where, user="U1", text="?")),
                range(8),
            )
        )
    assert sum(turn is not None for turn in turns) == 1
    assert (rows(database, TurnRow), rows(database, ThreadRow)) == (1, 1)


def test_a_thread_is_ours_once_something_was_asked_in_it(database: Database) -> None:
    where = address("9.0")
    assert turn_rows.joined_at(database, where) is None
    ask(database, where=where)
    assert turn_rows.joined_at(database, address("9.0")) == where.ts
    assert turn_rows.joined_at(database, address("9.0", channel="C2")) is None


def test_what_was_said_in_a_thread_has_the_beginnings_of_its_answers(database: Database) -> None:
    turn = ask(database, where=address("8.0", ts="8.0"))
    turn_store.answer(database, turn.id, record("Ben. " * turn_rows.BEGINNING))
    ask(database, "And in May?", where=address("8.0", ts="8.1"))
    said = [line for _, line in turn_rows.said_in(database, address("8.0", ts="8.2"))]
    assert [line.by_bot for line in said] == [False, True, False, True]
    assert said[1].text == ("Ben. " * turn_rows.BEGINNING)[: turn_rows.BEGINNING]
    assert said[3].text == ""


def test_an_unknown_turn_is_not_there(database: Database) -> None:
    assert turn_store.load(database, "nobody-asked-this") is None


def test_a_refused_question_is_saved_with_its_reason(database: Database) -> None:
    turn = reload(database, ask(database, refused=NoAnswer.TOO_LONG))
    assert (turn.state, turn.reason, turn.delivered) == ("failed", "too_long", False)


def test_of_two_answers_the_first_one_stays(database: Database) -> None:
    turn = ask(database)
    assert turn_store.answer(database, turn.id, record("first"))
    assert not turn_store.answer(database, turn.id, record("second"))
    assert not turn_store.fail(database, turn.id, NoAnswer.GAVE_UP)
    saved = reload(database, turn)
    assert (saved.state, saved.reason, saved.record) == ("done", None, record("first"))


def test_an_answer_that_comes_after_the_turn_was_closed_is_not_saved(database: Database) -> None:
    turn = ask(database)
    assert turn_store.fail(database, turn.id, NoAnswer.LATE)
    assert not turn_store.answer(database, turn.id, record())
    saved = reload(database, turn)
    assert (saved.state, saved.reason, saved.record) == ("failed", NoAnswer.LATE, None)


def test_earlier_turns_come_oldest_first(database: Database) -> None:
    turns = [ask(database, f"question {n}") for n in range(3)]
    assert [turn.question for turn in turn_store.earlier(database, turns[2])] == [
        "question 0",
        "question 1",
    ]
    assert turn_store.earlier(database, turns[0]) == ()


def test_earlier_turns_are_those_of_the_same_thread(database: Database) -> None:
    ask(database, where=address("2.0"))
    ask(database, where=address("1.0", channel="C2"))
    ask(database, where=address("1.0", team="T2"))
    assert turn_store.earlier(database, ask(database)) == ()


def test_a_failed_turn_is_no_history(database: Database) -> None:
    turn_store.fail(database, ask(database, "failed").id, NoAnswer.GAVE_UP)
    ask(database, "waiting")
    assert [turn.question for turn in turn_store.earlier(database, ask(database))] == ["waiting"]


def test_of_a_long_thread_the_latest_turns_are_the_history(database: Database) -> None:
    turns = [ask(database, str(n)) for n in range(MAX_HISTORY + 3)]
    history = [turn.question for turn in turn_store.earlier(database, turns[-1])]
    assert history == [str(n) for n in range(2, MAX_HISTORY + 2)]


def test_attempts_are_counted(database: Database) -> None:
    turn = ask(database)
    assert [turn_store.start(database, turn.id) for _ in range(3)] == [1, 2, 3]
    assert reload(database, turn).attempts == 3


def test_a_failed_turn_is_asked_again_with_a_new_patience(database: Database) -> None:
    turn = ask(database)
    turn_store.start(database, turn.id)
    turn_store.fail(database, turn.id, NoAnswer.LATE)
    turn_delivery.delivered(database, turn)
    assert turn_store.ask_again(database, turn.id)
    opened = reload(database, turn)
    assert (opened.state, opened.reason, opened.attempts, opened.delivered) == (
        "waiting",
        None,
        0,
        False,
    )
    assert opened.patience_from > turn.patience_from
    assert opened.asked_at > turn.asked_at


def test_only_a_failed_turn_is_asked_again(database: Database) -> None:
    turn = ask(database)
    assert not turn_store.ask_again(database, turn.id)
    turn_store.answer(database, turn.id, record())
    assert not turn_store.ask_again(database, turn.id)
    assert reload(database, turn).state == "done"


def test_patience_starts_again_when_nobody_could_work(database: Database) -> None:
    turn = ask(database)
    turn_store.be_patient_again(database, turn.id)
    assert reload(database, turn).patience_from > turn.patience_from


def test_a_post_is_new_once_and_then_the_same(database: Database) -> None:
    turn = ask(database)
    first, second = (
        post_store.ensure(database, turn, PostKind.ANSWER),
        post_store.ensure(database, turn, PostKind.ANSWER),
    )
    assert (first.new, second.new) == (True, False)
    assert first.id == second.id
    assert post_store.ensure(database, turn, PostKind.EXPLANATION).id != first.id


def test_a_post_written_by_many_at_once_is_one(database: Database) -> None:
    turn = ask(database)
    with ThreadPoolExecutor(8) as pool:
        posts = list(
            pool.map(lambda _: post_store.ensure(database, turn, PostKind.ANSWER), range(8))
        )
    assert sum(post.new for post in posts) == 1
    assert rows(database, PostRow) == 1


def test_a_post_is_found_by_its_place_once_slack_has_told_it(database: Database) -> None:
    post = post_store.ensure(database, ask(database), PostKind.ANSWER)
    assert post.ts is None
    post_store.save_place(database, post.id, "77.1")
    found = post_store.at_place(database, "C1", "77.1")
    assert found is not None
    assert (found.id, found.turn_id, found.ts) == (post.id, post.turn_id, "77.1")
    assert post_store.at_place(database, "C2", "77.1") is None


def test_a_delivered_turn_says_so(database: Database) -> None:
    turn = ask(database)
    turn_delivery.delivered(database, turn)
    assert reload(database, turn).delivered


def test_a_turn_whose_answer_grows_is_kept_open_and_written_no_oftener_than_needed(
    database: Database,
) -> None:
    turn = ask(database)
    growing = KeptOpen(database, turn, patience_s=60)
    growing.for_s(30)
    assert reload(database, turn).patience_from == turn.patience_from
    growing.for_s(70)
    kept = reload(database, turn).patience_from
    assert kept >= turn.patience_from + 10
    growing.for_s(71)
    assert reload(database, turn).patience_from == kept


def test_a_turn_that_is_closed_is_not_opened_by_what_is_still_written(database: Database) -> None:
    turn = ask(database)
    turn_store.fail(database, turn.id, NoAnswer.LATE)
    KeptOpen(database, turn, patience_s=60).for_s(100)
    assert reload(database, turn).patience_from == turn.patience_from
