"""Rows of older versions: what a migration splits into columns is there afterwards, and back."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlmodel import select

from core.policy import people
from core.policy.people import Standing
from core.storage.database import Database
from core.storage.tables import PostRow, ThreadRow, TurnRow

MIGRATIONS = Path(__file__).parents[3] / "migrations"
SAVED = "SELECT reason FROM turn ORDER BY asked_at"
KINDS = "SELECT kind FROM post ORDER BY ts"


def downgrade(database: Database, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


def turn(number: int, reason: str, until: float | None = None) -> TurnRow:
    return TurnRow(
        id=f"turn {number}",
        thread_id="thread",
        team="T1",
        channel="C1",
        ts=f"{number}.5",
        user="U1",
        question="?",
        asked_at=float(number),
        state="failed" if reason else "waiting",
        reason=reason,
        refused_until=until,
    )


def post(number: int) -> PostRow:
    return PostRow(turn_id="turn 1", kind="answer", number=number, channel="C1", ts=f"{number}.9")


def fill(database: Database) -> None:
    with database.session() as session:
        session.add(ThreadRow(id="thread", team="T1", channel="C1", thread_ts="1.0"))
        session.flush()
        session.add_all([turn(1, ""), turn(2, "late"), turn(3, "limit_day", 1795305600.0)])
        session.flush()
        session.add_all([post(1), post(2), post(3)])
        session.add(PostRow(turn_id="turn 1", kind="explanation", channel="C1", ts="4.9"))


def values(database: Database, query: str) -> list[str]:
    with database.engine.connect() as connection:
        return list(connection.execute(text(query)).scalars())


def test_strings_with_parts_inside_become_columns(database: Database) -> None:
    fill(database)
    downgrade(database, "0008")
    assert values(database, SAVED) == ["", "late", "limit_day@1795305600"]
    assert values(database, KINDS) == ["answer", "answer-2", "answer-3", "explanation"]

    database.migrate()
    with database.reading() as session:
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


def test_who_was_known_before_locales_were_kept_is_still_known(database: Database) -> None:
    people.remember(database, "T1", "U1", address="a@example.com", standing=Standing.MEMBER)
    downgrade(database, "0009")
    database.migrate()
    assert people.email(database, "T1", "U1") == "a@example.com"
    assert people.locale(database, "T1", "U1") == ""
    assert not people.is_locale_fresh(database, "T1", "U1")
