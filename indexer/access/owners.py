"""Owners of pages: the e-mail of each account, by which they are found in Slack."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, select

from core import logs
from core.page_source import PageSource
from core.storage.database import Database
from core.storage.index_tables import AccountRow, PageRow
from core.storage.upsert import put

log = logs.get(__name__)


def read_owners(source: PageSource, database: Database) -> None:
    """Ask once for each owner whom nobody knows yet; whose e-mail is not shown has none.

    Raises:
        SourceError: they could not be read; the next sync tries again.
    """
    unknown = sorted(_owners(source, database) - _known(database))
    if not unknown:
        return
    found = {account.id: account for account in source.accounts(unknown)}
    with database.session() as session:
        for account_id in unknown:
            account = found.get(account_id)
            name, email = (account.name, account.email) if account else ("", "")
            put(session, AccountRow(id=account_id, name=name, email=email))
    log.info("owners.read", accounts=len(unknown))


def _owners(source: PageSource, database: Database) -> set[str]:
    owner: Any = col(PageRow.record)["owner_account"].as_string()
    query = select(owner).where(PageRow.source == source.name, col(PageRow.visible)).distinct()
    with database.reading() as session:
        return set(session.exec(query).all()) - {"", None}


def _known(database: Database) -> set[str]:
    with database.reading() as session:
        return set(session.exec(select(AccountRow.id)).all())
