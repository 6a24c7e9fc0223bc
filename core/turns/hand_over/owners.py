"""Owners of the pages that an answer cites, and who they are in Slack, as far as SQL knows."""

from __future__ import annotations

from sqlalchemy import func
from sqlmodel import col, select

from core.models import Page, Record
from core.pages import PageKey
from core.policy.people import Standing
from core.storage.access_tables import LinkedAccountRow
from core.storage.database import Database
from core.storage.index_tables import AccountRow, PageRow, is_page
from core.storage.people_tables import PersonRow


def accounts(database: Database, record: Record) -> list[str]:
    """The accounts of the owners, principals; those of the first source first, each once.

    As the index knows them now: a page may have another owner than when it was cited.
    """
    cited = _cited(record)
    with database.reading() as session:
        rows = session.exec(select(PageRow).where(is_page(cited), col(PageRow.visible))).all()
    owners = {row.key: Page.model_validate(row.record).owner_account for row in rows}
    found = (owners.get(key, "") for key in cited)
    return [account for account in dict.fromkeys(found) if account]


def linked(database: Database, team: str, account: str) -> list[str]:
    """Who in Slack has linked this account, the latest first."""
    query = select(LinkedAccountRow.user).where(
        LinkedAccountRow.team == team, LinkedAccountRow.account == account
    )
    latest = query.order_by(col(LinkedAccountRow.linked_at).desc())
    with database.reading() as session:
        return list(session.exec(latest).all())


def email(database: Database, account: str) -> str:
    """The e-mail of an account, where the site shows it; or empty."""
    with database.reading() as session:
        row = session.get(AccountRow, account)
        return row.email if row else ""


def with_email(database: Database, team: str, address: str) -> str:
    """The member of whom Slack has told us this e-mail; empty for nobody."""
    query = select(PersonRow.user).where(
        PersonRow.team == team,
        func.lower(col(PersonRow.email)) == address.lower(),
        PersonRow.standing == Standing.MEMBER,
    )
    with database.reading() as session:
        return session.exec(query).first() or ""


def _cited(record: Record) -> list[PageKey]:
    """The pages of the answer's sources, in their order."""
    pages = {}
    for hit in record.hits:
        for copy in hit.everywhere:
            pages[copy.evidence.id] = copy.page.key
    found = []
    for source in record.answer.sources:
        found += [pages[each] for each in source.evidence_ids if each in pages]
    return list(dict.fromkeys(found))
