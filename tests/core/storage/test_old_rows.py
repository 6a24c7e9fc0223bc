"""Rows of older versions: what a migration splits into columns is there afterwards."""

from __future__ import annotations

import time

from old_tables import upgraded
from sqlmodel import select

from core.policy import people
from core.storage.tables import PostRow, TurnRow

OLD_PERSON = (
    'INSERT INTO person (team, "user", email, standing, read_at)'
    " VALUES ('T1', 'U1', 'a@example.com', 'member', {now})"
)
OLD_ROWS = (
    "INSERT INTO thread (id, team, channel, thread_ts, created_at)"
    " VALUES ('thread', 'T1', 'C1', '1.0', 1.0)",
    *(
        'INSERT INTO turn (id, thread_id, team, channel, ts, "user", private, question, filtered,'
        " by_button, asked_at, patience_from, attempts, state, reason, hidden, edition,"
        " work_enqueued_at, delivery_enqueued_at)"
        f" VALUES ('turn {number}', 'thread', 'T1', 'C1', '{number}.5', 'U1', false, '?', true,"
        f" false, {number}, 1.0, 0, 'failed', '{reason}', false, 0, 1.0, 1.0)"
        for number, reason in enumerate(("", "late", "limit_day@1795305600"), 1)
    ),
    *(
        "INSERT INTO post (id, turn_id, kind, channel, ts, file)"
        f" VALUES ('{number}', 'turn 1', '{kind}', 'C1', '{number}.9', '')"
        for number, kind in enumerate(("answer", "answer-2", "answer-3", "explanation"), 1)
    ),
)


def test_strings_with_parts_inside_become_columns(empty_url: str) -> None:
    with upgraded(empty_url, "0008", OLD_ROWS) as database, database.reading() as session:
        turns = session.exec(select(TurnRow).order_by(TurnRow.ts)).all()
        posts = session.exec(select(PostRow).order_by(PostRow.ts)).all()
    assert [(turn.reason, turn.refused_until) for turn in turns] == [
        ("", None),
        ("late", None),
        ("limit_day", 1795305600.0),
    ]
    assert [(post.kind, post.number) for post in posts] == [
        ("answer", 1),
        ("answer", 2),
        ("answer", 3),
        ("explanation", 1),
    ]


def test_who_was_known_before_locales_were_kept_is_still_known(empty_url: str) -> None:
    with upgraded(empty_url, "0009", [OLD_PERSON.format(now=time.time())]) as database:
        assert people.email(database, "T1", "U1") == "a@example.com"
        assert people.locale(database, "T1", "U1") == ""
        assert not people.is_locale_fresh(database, "T1", "U1")
