"""In which language a turn is spoken of before it is answered."""

from __future__ import annotations

import pytest

from bot import voices
from core.policy import people
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn


def ask(database: Database, ts: str, text: str) -> Turn:
    where = Address(team="T1", channel="C1", ts=ts, thread_ts="1.0")
    turn = turn_store.ask(database, NewQuestion(where, "U1", text, private=False))
    assert turn
    return turn


@pytest.mark.parametrize(
    ("first", "second", "spoken"),
    [
        ("Was kostet ein Hotel?", "Porto?", "de"),
        ("Was kostet ein Hotel?", "And what is it in Porto?", "en"),
        ("Hotel?", "Porto?", "en"),
    ],
)
def test_a_follow_up_that_shows_no_language_is_spoken_of_in_that_of_its_conversation(
    database: Database, first: str, second: str, spoken: str
) -> None:
    people.remember_locale(database, "T1", "U1", "en-GB")
    ask(database, "1.0", first)
    assert voices.about(database, ask(database, "2.0", second)).language == spoken
