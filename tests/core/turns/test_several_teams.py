"""Workspaces beside one another: they take turns, and what one leaves behind is erased alone."""

from __future__ import annotations

import time

import pytest
from sqlmodel import func, select

from core.jobs import gaps
from core.jobs.afterwards import PutOff, put_off
from core.jobs.leases import lease
from core.jobs.queue import TaskName
from core.policy import audit
from core.policy.audit import Act
from core.policy.preferences import Preferences, save
from core.states import NoAnswer, TurnState
from core.storage.access_tables import AfterwardsRow
from core.storage.database import Database
from core.storage.hearing_tables import HeardRow, InstallationRow
from core.storage.loop_tables import DigestRow
from core.storage.people_tables import PreferencesRow
from core.storage.tables import TurnRow
from core.turns import backpressure, turn_store
from core.turns.turn import Address, NewQuestion
from core.turns.upkeep import fair_share, team_erasure


def ask(database: Database, team: str, number: int) -> str:
    where = Address(team, "C1", f"{number}.5", f"{number}.5")
    turn = turn_store.ask(database, NewQuestion(where, user=f"U{number}", text=f"Who? {number}"))
    assert turn
    return turn.id


def test_the_oldest_question_of_each_other_workspace_comes_first(database: Database) -> None:
    flood = [ask(database, "A", number) for number in range(5)]
    others = [ask(database, "B", 1), ask(database, "C", 1)]
    ask(database, "B", 2)
    assert fair_share.before(database, flood[0]) == others
    assert fair_share.before(database, others[0]) == [flood[0], others[1]]


def test_one_workspace_alone_waits_for_nobody(database: Database) -> None:
    ids = [ask(database, "A", number) for number in range(3)]
    assert fair_share.before(database, ids[2]) == []


def test_a_question_that_somebody_answers_is_not_taken_by_another(database: Database) -> None:
    mine, theirs = ask(database, "A", 1), ask(database, "B", 1)
    with lease(database, f"{TaskName.ANSWER}:{theirs}"):
        assert fair_share.before(database, mine) == []
    turn_store.start(database, theirs)
    assert fair_share.before(database, mine) == []


def test_people_are_told_their_place_among_those_of_their_workspace(database: Database) -> None:
    for number in range(4):
        ask(database, "A", number)
    ask(database, "B", 1)
    assert backpressure.ahead(database, "B", time.time() + 1) == 1


def left(
    database: Database,
    table: type[TurnRow] | type[PreferencesRow] | type[DigestRow],
    team: str,
) -> int:
    with database.reading() as session:
        mine = select(func.count()).select_from(table).where(table.team == team)
        return session.exec(mine).one()


@pytest.fixture
def ended(database: Database) -> str:
    """A question of workspace A that was answered, beside one that waits; the same in B."""
    ids = []
    for team in ("A", "B"):
        ids.append(ask(database, team, 1))
        turn_store.fail(database, ids[-1], NoAnswer.STOPPED)
        ask(database, team, 2)
        save(database, team, "C1", Preferences())
        put_off(database, PutOff.LEARN, team=team, user="U1")
        with database.session() as session:
            session.add(DigestRow(team=team, whom="C9", week=7))
    return ids[0]


def test_what_is_known_of_a_workspace_is_erased_and_nothing_of_another(
    database: Database, ended: str
) -> None:
    with database.session() as session:
        team_erasure.forget_what_is_known(session, "A")
    for table in (PreferencesRow, DigestRow):
        assert left(database, table, "A") == 0
        assert left(database, table, "B") == 1
    with database.reading() as session:
        assert [row.given["team"] for row in session.exec(select(AfterwardsRow))] == ["B"]


def test_its_conversations_go_and_only_what_somebody_may_be_answering_leaves_an_empty_row(
    database: Database, ended: str
) -> None:
    assert team_erasure.forget_conversations(database, "A", time.time() + 1) == 2
    with database.reading() as session:
        assert session.get(TurnRow, ended) is None
        kept = session.exec(select(TurnRow).where(TurnRow.team == "A")).all()
    assert [(row.question, row.state) for row in kept] == [("", TurnState.FORGOTTEN)]
    assert kept[0].delivered_at
    assert left(database, TurnRow, "B") == 2


def test_what_was_asked_after_a_reinstall_stays(database: Database, ended: str) -> None:
    before = time.time()
    time.sleep(0.01)
    ask(database, "A", 3)
    team_erasure.forget_conversations(database, "A", before)
    with database.reading() as session:
        texts = session.exec(select(TurnRow.question).where(TurnRow.team == "A")).all()
    assert sorted(texts) == ["", "Who? 3"]


def removed(database: Database, team: str) -> None:
    """As the bot erases it."""
    with database.session() as session:
        team_erasure.forget_what_is_known(session, team)
    audit.write(database, Act.UNINSTALLED, team=team)
    team_erasure.forget_conversations(database, team, time.time() + 1)


def test_what_is_written_during_a_removal_is_erased_afterwards(
    database: Database, ended: str
) -> None:
    removed(database, "A")
    assert team_erasure.forget_late(database) == [], "tombstones may stay"
    gaps.beat(database, "A", most_s=60.0)
    save(database, "A", "C1", Preferences())
    assert team_erasure.forget_late(database) == ["A"]
    assert left(database, PreferencesRow, "A") == 0
    assert left(database, PreferencesRow, "B") == 1
    with database.reading() as session:
        assert session.get(HeardRow, "A") is None


def test_a_question_that_came_during_a_removal_is_forgotten_too(
    database: Database, ended: str
) -> None:
    removed(database, "A")
    ask(database, "A", 9)
    assert team_erasure.forget_late(database) == ["A"]
    with database.reading() as session:
        given = session.exec(select(AfterwardsRow)).all()
    assert [row.given["team"] for row in given if row.kind == PutOff.FORGET_TEAM] == ["A"]


def test_nothing_is_erased_of_a_workspace_that_was_installed_again(
    database: Database, ended: str
) -> None:
    removed(database, "A")
    row = InstallationRow(team="A", name="A", bot="U1", bot_id="B1", installed_by="U2")
    with database.session() as session:
        session.add(row)
    save(database, "A", "C1", Preferences())
    assert team_erasure.forget_late(database) == []
    assert left(database, PreferencesRow, "A") == 1
