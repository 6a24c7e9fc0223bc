"""Linked accounts: whose they are, what a lost race leaves, and that nothing is left of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.access.linked_accounts import EARLY_S, Holder, LinkedAccounts, Tokens
from core.access.sites import LinkBy, link_by, linked_accounts
from core.access.token_keys import TokenKeys, new_key
from core.access.token_store import TokenStore
from core.errors import SettingsError
from core.settings import Settings
from core.storage.database import Database
from core.turns import erasure

KEY = new_key()
MARA = Holder("user:mara", "Mara")
TOKENS = Tokens(access="wombat-7741", refresh="numbat-20", expires_at=1000.0)
SITE = "https://wiki.example/wiki"
AWARE = {
    "permission_mode": "aware",
    "token_keys": KEY,
    "public_url": "https://bot.example",
    "confluence_url": "https://x.atlassian.net/wiki",
}


def a_store(database: Database, key: str = KEY) -> LinkedAccounts:
    return LinkedAccounts(database, TokenStore(database, TokenKeys(key)))


@pytest.fixture
def accounts(database: Database) -> LinkedAccounts:
    return a_store(database)


def link(accounts: LinkedAccounts, user: str = "U1", tokens: Tokens = TOKENS) -> None:
    accounts.link("T1", user, MARA, site=SITE, tokens=tokens)


def test_a_person_reads_with_the_account_that_was_linked(accounts: LinkedAccounts) -> None:
    link(accounts)
    assert accounts.of("T1", "U1") == "user:mara"
    assert (accounts.of("T2", "U1"), accounts.of("T1", "U2")) == ("", "")
    (found,) = accounts.of_account("user:mara")
    assert (found.name, found.site, accounts.tokens(found)) == ("Mara", SITE, TOKENS)


def test_tokens_are_not_shown_when_somebody_prints_them() -> None:
    for text in (repr(TOKENS), str(TOKENS)):
        assert "wombat" not in text
        assert "numbat" not in text


def test_a_token_is_old_a_minute_before_its_end_and_one_without_an_end_never() -> None:
    assert TOKENS.is_fresh(1000 - EARLY_S - 1)
    assert not TOKENS.is_fresh(1000 - EARLY_S)
    assert Tokens(access="mine").is_fresh(10.0**10)


def test_whose_tokens_no_key_opens_is_not_linked(
    accounts: LinkedAccounts, database: Database
) -> None:
    link(accounts)
    others = a_store(database, new_key())
    assert others.of("T1", "U1") == ""
    assert others.of_account("user:mara") == []
    found = others.find("T1", "U1")
    assert found is not None
    assert not found.works


def test_a_refresh_that_comes_too_late_brings_no_undone_link_back(
    accounts: LinkedAccounts,
) -> None:
    link(accounts)
    (found,) = accounts.of_account("user:mara")
    accounts.unlink("T1", "U1")
    assert not accounts.renew(found, TOKENS, Tokens(access="late"))
    assert accounts.find("T1", "U1") is None


def test_a_refusal_that_comes_too_late_does_not_undo_a_new_link(accounts: LinkedAccounts) -> None:
    link(accounts)
    (found,) = accounts.of_account("user:mara")
    link(accounts, tokens=Tokens(access="new"))
    assert not accounts.lose(found, TOKENS)
    assert accounts.of("T1", "U1") == "user:mara"


def test_nothing_is_left_in_the_files_after_unlinking(
    accounts: LinkedAccounts, database: Database, tmp_path: Path
) -> None:
    link(accounts)
    accounts.unlink("T1", "U1")
    written = b"".join(file.read_bytes() for file in tmp_path.glob("groundwire.db*"))
    assert b"gAAAA" not in written
    assert b"user:mara" not in written


def test_a_person_who_is_forgotten_is_unlinked_and_nobody_else(
    accounts: LinkedAccounts, database: Database
) -> None:
    link(accounts)
    link(accounts, "U2")
    erasure.forget_person(database, "T1", "U1")
    assert accounts.find("T1", "U1") is None
    assert [each.user for each in accounts.of_account("user:mara")] == ["U2"]


@pytest.mark.parametrize(
    ("more", "by"),
    [
        ({}, LinkBy.API_TOKEN),
        ({"atlassian_client_id": "c", "atlassian_client_secret": "s"}, LinkBy.CONSENT),
        ({"confluence_url": "https://wiki.example"}, LinkBy.PERSONAL_TOKEN),
        ({"confluence_url": "https://w.example", "confluence_flavor": "cloud"}, LinkBy.API_TOKEN),
        ({"public_url": "http://127.0.0.1:1"}, LinkBy.API_TOKEN),
        ({"permission_mode": "public"}, None),
        ({"token_keys": None}, None),
        ({"public_url": ""}, None),
    ],
)
def test_the_settings_say_how_people_link(more: dict[str, str], by: LinkBy | None) -> None:
    assert link_by(Settings.model_validate(AWARE | more)) is by


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"atlassian_client_id": "c"}, "ATLASSIAN_CLIENT_SECRET"),
        ({"confluence_url": ""}, "CONFLUENCE_URL"),
        ({"public_url": "http://bot.example"}, "PUBLIC_URL"),
        ({"token_keys": "nonsense"}, "TOKEN_KEYS"),
    ],
)
def test_half_of_what_linking_needs_is_a_wrong_setting(
    database: Database, more: dict[str, str], named: str
) -> None:
    with pytest.raises(SettingsError, match=named):
        linked_accounts(Settings.model_validate(AWARE | more), database)
