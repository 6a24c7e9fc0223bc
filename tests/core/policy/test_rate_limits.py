"""Limits: counted where the question is saved, over when they say, and told once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlmodel import col, update

from core.policy import spending
from core.policy.rate_limits import DAY_S, HOUR_S, Limits
from core.policy.spending import Spent
from core.settings import Settings
from core.states import NoAnswer
from core.storage.database import Database
from core.storage.people_tables import SpentRow
from core.storage.tables import TurnRow
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.usage import Usage

_ts = count(1)
THREE = Limits(person_per_hour=3)


def ask(
    database: Database, limits: Limits, *, user: str = "U1", channel: str = "C1", **more: Any
) -> Turn:
    ts = f"{next(_ts)}.5"
    turn = turn_store.ask(
        database, NewQuestion(Address("T1", channel, ts, ts), user=user, text="?", **more), limits
    )
    assert turn is not None
    return turn


def asked_ago(database: Database, turn: Turn, seconds: float) -> None:
    with database.session() as session:
        session.exec(
            update(TurnRow).where(col(TurnRow.id) == turn.id).values(asked_at=time.time() - seconds)
        )


def keys(*turns: Turn) -> list[str]:
    return [turn.reason or "" for turn in turns]


def test_without_limits_everything_is_taken(database: Database) -> None:
    assert keys(*(ask(database, Limits()) for _ in range(5))) == [""] * 5


def test_one_question_too_many_is_refused_with_the_time_when_the_limit_is_over(
    database: Database,
) -> None:
    before = time.time()
    first = ask(database, THREE)
    asked_ago(database, first, 600)
    after = time.time()
    ask(database, THREE), ask(database, THREE)
    refused = ask(database, THREE)
    assert (refused.state, refused.delivered) == ("failed", False)
    assert refused.reason is NoAnswer.LIMIT_PERSON
    assert before <= (refused.refused_until or 0) - (HOUR_S - 600) <= after
    asked_ago(database, first, HOUR_S + 1)
    assert ask(database, THREE).state == "waiting"


def test_in_a_burst_the_first_one_is_told_and_the_others_are_not(database: Database) -> None:
    turns = [ask(database, THREE) for _ in range(7)]
    assert keys(*turns) == [""] * 3 + ["limit_person"] * 4
    assert [turn.delivered for turn in turns] == [False] * 4 + [True] * 3


def test_when_a_time_that_was_told_is_over_the_next_one_is_told_again(database: Database) -> None:
    turns = [ask(database, THREE) for _ in range(4)]
    with database.session() as session:
        told = update(TurnRow).where(col(TurnRow.id) == turns[3].id)
        session.exec(told.values(refused_until=time.time() - 1))
    again = ask(database, THREE)
    assert (keys(again), again.delivered) == (["limit_person"], False)


def test_what_was_refused_does_not_count(database: Database) -> None:
    turns = [ask(database, THREE) for _ in range(10)]
    for turn in turns[:3]:
        asked_ago(database, turn, HOUR_S + 1)
    assert ask(database, THREE).state == "waiting"


def test_everybody_has_a_limit_of_their_own(database: Database) -> None:
    for _ in range(4):
        ask(database, THREE)
    assert ask(database, THREE, user="U2").state == "waiting"


def test_a_channel_has_one_that_everybody_there_is_told_of(database: Database) -> None:
    limits = Limits(channel_per_hour=2)
    turns = [ask(database, limits, user=user) for user in ("U1", "U2", "U1", "U2", "U2")]
    assert keys(*turns) == ["", "", "limit_channel", "limit_channel", "limit_channel"]
    assert [turn.delivered for turn in turns] == [False, False, False, False, True]
    assert ask(database, limits, channel="C2").state == "waiting"


def test_to_be_told_in_one_channel_is_not_to_be_told_in_another(database: Database) -> None:
    limits = Limits(channel_per_hour=1)
    turns = [ask(database, limits, channel=channel) for channel in ("C1", "C1", "C2", "C2")]
    assert [turn.delivered for turn in turns] == [False] * 4


def test_the_workspace_has_one_until_midnight_utc(database: Database) -> None:
    limits = Limits(per_day=2)
    first = ask(database, limits)
    refused = [ask(database, limits, user=user, channel=user) for user in ("U2", "U3")][1]
    over = refused.refused_until or 0
    assert refused.reason is NoAnswer.LIMIT_DAY
    assert (over % DAY_S, 0 < over - time.time() <= DAY_S) == (0, True)
    asked_ago(database, first, DAY_S)
    assert ask(database, limits).state == "waiting"


def test_of_two_limits_the_longer_one_is_told(database: Database) -> None:
    limits = Limits(person_per_hour=1, per_day=1)
    ask(database, limits)
    until_midnight = DAY_S - time.time() % DAY_S
    assert keys(ask(database, limits)) == [
        "limit_day" if until_midnight > HOUR_S else "limit_person"
    ]


def test_who_is_not_answered_uses_up_no_question_of_others(database: Database) -> None:
    limits = Limits(channel_per_hour=1, per_day=1)
    ask(database, limits, user="U9", refused=NoAnswer.GUEST)
    assert ask(database, limits).state == "waiting"


def test_to_forget_a_question_does_not_give_it_back(database: Database) -> None:
    turns = [ask(database, THREE) for _ in range(3)]
    erasure.forget_turn(database, turns[0].id, "U1")
    assert keys(ask(database, THREE)) == ["limit_person"]


def test_many_at_once_are_not_more_than_the_limit(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        turns = list(pool.map(lambda _: ask(database, THREE), range(24)))
    assert sum(turn.state == "waiting" for turn in turns) == 3
    assert sum(not turn.delivered for turn in turns) == 4


def test_a_button_asks_within_the_same_limits(database: Database) -> None:
    turn = ask(database, THREE)
    ask(database, THREE), ask(database, THREE)
    pressed = turn_store.ask(
        database,
        NewQuestion(
            replace(turn.address, ts="99.1"),
            user="U1",
            text="And?",
            by_button=True,
            private=turn.private,
        ),
        THREE,
    )
    assert pressed is not None
    assert keys(pressed) == ["limit_person"]


# ── What may be spent ──


def spend(database: Database, tokens: int, *, user: str = "U1", money: float | None = None) -> None:
    spending.spend(
        database,
        "T1",
        user,
        usage=Usage(calls=1, prompt_tokens=tokens - 1, completion_tokens=1),
        money=money,
    )


def test_what_is_spent_adds_up_by_person_and_for_all(database: Database) -> None:
    spend(database, 100, money=0.5)
    spend(database, 50, money=0.25)
    spend(database, 7, user="U2")
    assert spending.spent(database, "T1", "U1") == Spent(150, 0.75)
    assert spending.spent(database, "T1") == Spent(157, 0.75)
    assert spending.spent(database, "T2") == Spent()


def test_spending_at_the_same_time_loses_nothing(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: spend(database, 10), range(40)))
    assert spending.spent(database, "T1", "U1").tokens == 400


@pytest.mark.parametrize(
    ("limit", "user", "expected"),
    [
        ({}, "U1", False),
        ({"limit_person_tokens_per_day": 101}, "U1", False),
        ({"limit_person_tokens_per_day": 100}, "U1", True),
        ({"limit_person_tokens_per_day": 100}, "U2", False),
        ({"limit_tokens_per_day": 100}, "U2", True),
        ({"limit_person_money_per_day": 0.5}, "U1", True),
        ({"limit_money_per_day": 0.6}, "U1", False),
        ({"limit_money_per_day": 0.5}, "U2", True),
    ],
)
def test_a_budget_is_used_up_when_a_limit_is_reached(
    database: Database, limit: dict[str, float], user: str, expected: bool
) -> None:
    spend(database, 100, money=0.5)
    assert spending.is_used_up(database, Settings.model_validate(limit), "T1", user) is expected


def test_a_new_day_begins_with_nothing(database: Database) -> None:
    spend(database, 100)
    with database.session() as session:
        session.exec(update(SpentRow).values(day=spending.today(time.time() - DAY_S)))
    assert spending.spent(database, "T1") == Spent()
    spend(database, 3)
    assert spending.spent(database, "T1") == Spent(3)
