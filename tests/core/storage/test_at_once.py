"""What several programs save at the same moment: nobody gets an error, and nothing is lost.

SQLite lets one writer in at a time. Postgres does not: of two who find no row both insert one.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError

import pytest
from cryptography.fernet import Fernet
from sqlmodel import SQLModel, func, select

from core.access.linked_accounts import Holder, LinkedAccounts, Tokens
from core.access.token_keys import TokenKeys
from core.access.token_store import TokenStore
from core.jobs import afterwards, gaps
from core.jobs.afterwards import PutOff
from core.jobs.gaps import Gap
from core.models import Page
from core.policy import acl, people, preferences, spending
from core.policy.people import Standing
from core.policy.preferences import Preferences
from core.states import DetailKind, Vote, VoteBy
from core.storage.access_tables import AfterwardsRow, ChannelRow, LinkedAccountRow
from core.storage.database import Database
from core.storage.hearing_tables import GapRow, HeardRow
from core.storage.index_epoch import next_revision
from core.storage.index_tables import AclRow, IndexRow, PageRow
from core.storage.people_tables import PersonRow, PreferencesRow, SpentRow
from core.storage.tables import DetailRequestRow, ExplanationRow, FeedbackRow, TurnRow
from core.turns import detail_requests, explanations, feedback, turn_store
from core.turns.turn import Address, NewQuestion
from core.usage import Usage
from indexer.state.page_rows import row_of

AT_ONCE, ROUNDS = 6, 8


def question(number: int) -> NewQuestion:
    return NewQuestion(Address("T1", "C1", f"{number}.0", f"{number}.0"), "U1", f"Why {number}?")


def link(database: Database, number: int) -> None:
    keys = TokenKeys(Fernet.generate_key().decode())
    tokens = Tokens(access="a")
    holder = Holder(account="user:1", name="Ann")
    accounts = LinkedAccounts(database, TokenStore(database, keys))
    accounts.link("T1", str(number), holder, site="", tokens=tokens)


def index(database: Database, _number: int) -> None:
    with database.session() as session:
        next_revision(session)


def scan(database: Database, number: int) -> None:
    with database.session() as session:
        page = Page(id=str(number), space="S", title="t", url="u")
        row = row_of(session, page)
        row.failures += 1
        session.add(row)


def save_acl(database: Database, number: int) -> None:
    with database.session() as session:
        acl.save(session, frozenset({frozenset({f"user:{number}"})}))


def explain(database: Database, number: int) -> None:
    turn_id = asked(database, number)
    explanations.request(database, turn_id, "U1")
    explanations.start(database, turn_id)


def see(database: Database, number: int) -> None:
    turn_id = asked(database, number)
    view = f"V{number}"
    detail_requests.ask(database, view, turn_id, "U1", what=DetailKind.DETAILS)
    detail_requests.decide(database, view, may_see=True, audience="")


def vote(database: Database, number: int) -> None:
    turn_id = asked(database, number)
    feedback.record(database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON)
    feedback.withdraw(database, turn_id, "U1", Vote.DOWN, by=VoteBy.BUTTON)


def asked(database: Database, number: int) -> str:
    """The id of this question, whoever was the first to ask it."""
    turn_store.ask(database, question(number))
    with database.reading() as session:
        return session.exec(select(TurnRow.id).where(TurnRow.ts == f"{number}.0")).one()


# How something with this number is saved, and the table that has one row for each number then.
SAVED: dict[str, tuple[Callable[[Database, int], object], type[SQLModel]]] = {
    "a person": (
        lambda database, n: people.remember(database, "T1", str(n), standing=Standing.MEMBER),
        PersonRow,
    ),
    "a locale": (
        lambda database, n: people.remember_locale(database, "T1", str(n), "de-DE"),
        PersonRow,
    ),
    "who made a channel": (
        lambda database, n: people.remember_creator(database, "T1", str(n), "U1"),
        ChannelRow,
    ),
    "a beat": (lambda database, n: gaps.beat(database, str(n), most_s=60.0), HeardRow),
    "a gap": (
        lambda database, n: gaps.open_gap(database, Gap("T1", str(n), "", direct=False, since=1.0)),
        GapRow,
    ),
    "what is put off": (
        lambda database, n: afterwards.put_off(database, PutOff.LEARN, team="T1", once=str(n)),
        AfterwardsRow,
    ),
    "an ACL": (save_acl, AclRow),
    "preferences": (
        lambda database, n: preferences.save(database, "T1", str(n), Preferences()),
        PreferencesRow,
    ),
    "what was spent": (
        lambda database, n: spending.spend(
            database, "T1", str(n), usage=Usage(prompt_tokens=1), money=None
        ),
        SpentRow,
    ),
    "a linked account": (link, LinkedAccountRow),
    "a page that is scanned": (scan, PageRow),
    "a question": (lambda database, n: turn_store.ask(database, question(n)), TurnRow),
    "an explanation": (explain, ExplanationRow),
    "who sees details": (see, DetailRequestRow),
}


def at_once(database: Database, save: Callable[[Database, int], object]) -> None:
    """Each number is saved by several threads at the same moment."""
    start = Barrier(AT_ONCE)

    def saver(_thread: int) -> None:
        try:
            for number in range(ROUNDS):
                start.wait()
                save(database, number)
        except BaseException:
            start.abort()  # or the others would wait for us
            raise

    with ThreadPoolExecutor(AT_ONCE) as pool:
        threads = [pool.submit(saver, thread) for thread in range(AT_ONCE)]
    failed = [error for error in (each.exception() for each in threads) if error]
    assert [error for error in failed if not isinstance(error, BrokenBarrierError)] == []


def rows(database: Database, table: type[SQLModel]) -> int:
    with database.reading() as session:
        return session.exec(select(func.count()).select_from(table)).one()


@pytest.mark.parametrize("what", SAVED)
def test_what_several_save_at_once_is_there_once(
    database: Database, redis_url: str, what: str
) -> None:
    save, table = SAVED[what]
    at_once(database, save)
    assert rows(database, table) == ROUNDS


def test_votes_cast_and_taken_back_at_once_end_in_no_error(database: Database) -> None:
    at_once(database, vote)
    assert rows(database, FeedbackRow) <= ROUNDS


def test_every_change_of_the_index_counts(database: Database) -> None:
    at_once(database, index)
    with database.reading() as session:
        assert session.get_one(IndexRow, 1).revision == AT_ONCE * ROUNDS


def test_every_failure_of_a_page_counts(database: Database) -> None:
    at_once(database, scan)
    with database.reading() as session:
        assert {row.failures for row in session.exec(select(PageRow)).all()} == {AT_ONCE}


def test_every_attempt_at_a_turn_counts(database: Database) -> None:
    turn_id = asked(database, 1)
    at_once(database, lambda database, _: turn_store.start(database, turn_id))
    turn = turn_store.load(database, turn_id)
    assert turn is not None
    assert turn.attempts == AT_ONCE * ROUNDS


def test_every_attempt_at_an_explanation_counts(database: Database) -> None:
    turn_id = asked(database, 1)
    explanations.request(database, turn_id, "U1")
    at_once(database, lambda database, _: explanations.start(database, turn_id))
    with database.reading() as session:
        assert session.get_one(ExplanationRow, turn_id).attempts == AT_ONCE * ROUNDS
