"""From a person in Slack to what they may read: in private, with one account, else what all may."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.policy import acl, people
from core.policy.acl import EVERYBODY
from core.policy.people import Standing
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import AccountRow, MemberRow
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion, Turn
from worker.retrieval.readers import Readers

BOARD = frozenset({frozenset({"group:board"})})
AWARE = Settings(permission_mode="aware")


@pytest.fixture
def known(database: Database) -> Database:
    """Ines is in the group board; two accounts share an address."""
    with database.session() as session:
        acl.save(session, BOARD)
        session.add_all(
            [
                AccountRow(id="user:1", email="Ines@example.com"),
                MemberRow(group="group:board", account="user:1"),
            ]
        )
        session.add_all(
            [
                AccountRow(id="user:2", email="team@example.com"),
                AccountRow(id="user:3", email="team@example.com"),
            ]
        )
    people.remember(database, "T1", "U1", address="ines@example.com", standing=Standing.MEMBER)
    people.remember(database, "T1", "U2", address="team@example.com", standing=Standing.MEMBER)
    return database


def turn(database: Database, user: str, *, private: bool) -> Turn:
    address = Address("T1", "D1" if private else "C1", f"{user}{private}", "1.0")
    asked = turn_store.ask(database, NewQuestion(address, user=user, private=private, text="?"))
    assert asked is not None
    found = turn_store.load(database, asked.id)
    assert found is not None
    return found


def test_in_private_somebody_with_an_account_reads_what_it_may_read(known: Database) -> None:
    reader = Readers(AWARE, known).of(turn(known, "U1", private=True))
    assert (reader.account, reader.acls) == ("user:1", frozenset({"open", acl.acl_id(BOARD)}))


def test_in_a_channel_everybody_reads_the_answer_so_it_is_from_what_everybody_may_read(
    known: Database,
) -> None:
    assert Readers(AWARE, known).of(turn(known, "U1", private=False)) == EVERYBODY


@pytest.mark.parametrize("user", ["U2", "U9"])
def test_without_one_clear_account_it_is_what_everybody_may_read(
    known: Database, user: str
) -> None:
    assert Readers(AWARE, known).of(turn(known, user, private=True)) == EVERYBODY


def test_whoever_asks_for_an_explanation_is_looked_up_and_not_who_asked_the_question(
    known: Database,
) -> None:
    asked = turn(known, "U1", private=True)
    assert Readers(AWARE, known).of(asked, "U9") == EVERYBODY


def test_in_the_public_mode_there_is_only_everybody(known: Database) -> None:
    assert Readers(Settings(), known).of(turn(known, "U1", private=True)) == EVERYBODY


def test_the_operators_exceptions_go_before_what_confluence_shows(
    known: Database, tmp_path: Path
) -> None:
    file = tmp_path / "accounts.yaml"
    file.write_text("Team@example.com: 1\n")
    readers = Readers(AWARE.model_copy(update={"accounts_file": file}), known)
    assert readers.of(turn(known, "U2", private=True)).account == "user:1"


def test_the_account_that_somebody_has_linked_goes_before_the_list_and_the_mail(
    known: Database, tmp_path: Path
) -> None:
    file = tmp_path / "accounts.yaml"
    file.write_text("ines@example.com: 3\n")
    linked = {("T1", "U1"): "user:2"}
    readers = Readers(
        AWARE.model_copy(update={"accounts_file": file}),
        known,
        lambda team, user: linked.get((team, user), ""),
    )
    asked = turn(known, "U1", private=True)
    assert readers.of(asked).account == "user:2"
    assert readers.of(turn(known, "U1", private=False)) == EVERYBODY
    linked.clear()
    assert readers.of(asked).account == "user:3"


def test_a_guest_reads_what_everybody_may_whatever_was_linked(known: Database) -> None:
    people.remember(known, "T1", "U1", standing=Standing.GUEST)
    readers = Readers(AWARE, known, lambda _team, _user: "user:1")
    assert readers.of(turn(known, "U1", private=True)) == EVERYBODY


@pytest.mark.parametrize("text", [None, "- a\n", "a: [", b"\xff"])
def test_a_file_of_exceptions_that_cannot_be_used_is_a_wrong_setting(
    known: Database, tmp_path: Path, text: str | bytes | None
) -> None:
    file = tmp_path / "accounts.yaml"
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingsError, match="ACCOUNTS_FILE"):
        Readers(AWARE.model_copy(update={"accounts_file": file}), known)
