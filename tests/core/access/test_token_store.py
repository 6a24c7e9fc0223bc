"""The token store: encrypted in the file, opened by any key, rotated beside what runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select
from structlog.testing import capture_logs

from core.access.token_keys import TokenKeys, Unreadable, new_key
from core.access.token_store import Sealed, TokenStore, erase
from core.errors import SettingsError
from core.settings import Settings
from core.storage.access_tables import TokenRow
from core.storage.database import Database

OLD, NEW = new_key(), new_key()
SECRET = "wombat-7741"


def store(database: Database, *keys: str) -> TokenStore:
    return TokenStore(database, TokenKeys(",".join(keys)))


def save(database: Database, owner: str, text: str, *keys: str) -> None:
    with database.session() as session:
        store(database, *keys).save(session, owner, text)


@pytest.mark.only_sqlite("the files of Postgres are the server's")
def test_a_token_comes_back_and_stands_nowhere_in_the_files(
    database: Database, tmp_path: Path
) -> None:
    save(database, "a", SECRET, NEW)
    assert store(database, NEW).load("a") == SECRET
    written = b"".join(file.read_bytes() for file in tmp_path.glob("groundwire.db*"))
    assert SECRET.encode() not in written
    assert b"gAAAA" in written  # how what Fernet has encrypted begins


def test_nothing_is_loaded_for_somebody_who_has_none(database: Database) -> None:
    assert store(database, NEW).load("nobody") == ""


def test_after_a_new_key_in_front_the_old_tokens_open_and_new_ones_need_the_new_key(
    database: Database,
) -> None:
    save(database, "a", SECRET, OLD)
    assert store(database, NEW, OLD).load("a") == SECRET
    save(database, "b", SECRET, NEW, OLD)
    assert store(database, OLD).load("b") == ""


def test_rotation_makes_the_old_key_needless_and_may_run_twice(database: Database) -> None:
    save(database, "a", SECRET, OLD)
    both = store(database, NEW, OLD)
    assert both.rotate() == both.rotate() == Sealed(readable=1)
    assert store(database, NEW).load("a") == SECRET
    assert store(database, OLD).load("a") == ""


def test_a_token_that_no_key_opens_is_counted_kept_logged_and_erased_on_order(
    database: Database,
) -> None:
    save(database, "a", SECRET, OLD)
    save(database, "b", SECRET, NEW)
    new = store(database, NEW)
    with capture_logs() as said:
        assert new.load("a") == ""
    assert [(line["event"], line["owner"]) for line in said] == [("token.unreadable", "a")]
    assert new.rotate() == Sealed(readable=1, unreadable=1)
    assert store(database, OLD).load("a") == SECRET
    assert new.drop_unreadable() == 1
    with database.reading() as session:
        assert session.exec(select(TokenRow.owner)).all() == ["b"]


def test_a_token_is_replaced_only_by_what_came_of_it(database: Database) -> None:
    save(database, "a", "one", NEW)
    first, second = store(database, NEW), store(database, NEW, OLD)
    assert first.replace("a", "one", "two")
    assert not second.replace("a", "one", "three")
    assert not second.erase("a", "one")
    assert second.load("a") == "two"
    assert second.erase("a", "two")
    assert not first.replace("a", "two", "four")
    assert first.load("a") == ""


def test_a_rotation_in_between_does_not_keep_a_refreshed_token_from_being_saved(
    database: Database,
) -> None:
    save(database, "a", "one", OLD)
    both = store(database, NEW, OLD)
    both.rotate()
    assert both.replace("a", "one", "two")
    assert both.load("a") == "two"


def test_what_is_erased_is_gone_without_a_key(database: Database) -> None:
    save(database, "a", SECRET, NEW)
    with database.session() as session:
        erase(session, "a")
    assert store(database, NEW).load("a") == ""


@pytest.mark.parametrize(
    "keys",
    ["nonsense", f"{NEW},nonsense", "", NEW[:-4], "ä"],
    ids=["none", "one of two", "empty", "cut", "no ascii"],
)
def test_what_is_no_key_is_a_wrong_setting_that_is_named_and_not_shown(keys: str) -> None:
    with pytest.raises(SettingsError, match="TOKEN_KEYS") as refused:
        TokenKeys(keys)
    assert "python -m worker keys new" in str(refused.value)
    assert "nonsense" not in str(refused.value)
    assert NEW[:-4] not in str(refused.value)


def test_keys_are_separated_by_commas_and_spaces() -> None:
    both = TokenKeys.of(Settings.model_validate({"token_keys": f"{NEW}, {OLD} "}))
    assert both.open(TokenKeys(OLD).seal(SECRET)) == SECRET


def test_keys_that_open_no_token_at_all_are_noticed_at_the_start(database: Database) -> None:
    store(database, NEW).check()
    save(database, "a", SECRET, OLD)
    with pytest.raises(SettingsError, match="opens none of the 1 tokens"):
        store(database, NEW).check()
    save(database, "b", SECRET, NEW)
    store(database, NEW).check()


def test_what_was_sealed_too_long_ago_does_not_open() -> None:
    keys = TokenKeys(NEW)
    assert keys.open(keys.seal(SECRET), within_s=60) == SECRET
    with pytest.raises(Unreadable):
        keys.open(keys.seal(SECRET), within_s=-1)
