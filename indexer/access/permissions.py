"""Permissions of spaces, and members of the groups that ACLs name, in the permission-aware mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import col, delete, select

from core import logs
from core.access import confirmations
from core.access.policy import Policy
from core.page_source import Account, PageSource, Space
from core.policy.acl import OPEN, Clauses
from core.storage.database import Database
from core.storage.index_tables import AccountRow, AclRow, MemberRow, SpaceRow
from core.storage.upsert import put

log = logs.get(__name__)


def read_space(
    source: PageSource,
    database: Database,
    space: Space,
    policy: Policy,
) -> Clauses:
    """Who may see the space; in the default mode the operator vouches for everybody.

    Raises:
        SourceError: it could not be read; nothing may be concluded from that.
    """
    if not policy.aware:
        return OPEN
    readers = source.space_readers(space)
    # "Nobody that we know of" is not "nobody is kept out": a clause without principals denies all.
    clauses = policy.clause(readers) if readers else frozenset({readers})
    with database.session() as session:
        named = sorted(readers) or ["nobody"]
        put(
            session,
            SpaceRow(
                source=source.name,
                key=space.key,
                name=space.name,
                readers=named if clauses else [],
            ),
        )
    return clauses


def read_people(source: PageSource, database: Database) -> None:
    """Read again who is in the groups that ACLs name, and the e-mails of everybody an ACL names.

    Raises:
        SourceError: they could not be read; what was known stays.
    """
    principals = sorted(_principals(database))
    users = [each for each in principals if each.startswith("user:")]
    members: dict[str, Sequence[Account]] = {}
    accounts: list[Account] = []
    for principal in principals:
        if principal.startswith("group:"):
            members[principal] = source.members(principal)
            accounts += members[principal]
    accounts += source.accounts(users)
    _save(database, members, accounts)
    log.info("people.read", groups=len(members), accounts=len(accounts))


def _principals(database: Database) -> set[str]:
    """Every principal that some ACL names."""
    with database.reading() as session:
        acls = session.exec(select(AclRow.clauses)).all()
    principals: set[str] = set()
    for clauses in acls:
        principals.update(*clauses)
    return principals


def _save(
    database: Database,
    members: Mapping[str, Sequence[Account]],
    accounts: Iterable[Account],
) -> None:
    with database.one_at_a_time("members") as session:
        before = {(row.group, row.account) for row in session.exec(select(MemberRow)).all()}
        session.exec(delete(MemberRow).where(col(MemberRow.group).is_not(None)))
        for account in {account.id: account for account in accounts}.values():
            row = AccountRow(id=account.id, name=account.name, email=account.email)
            put(session, row)
        for group, of_group in members.items():
            for account_id in dict.fromkeys(account.id for account in of_group):
                session.add(MemberRow(group=group, account=account_id))
                before.discard((group, account_id))
        # Whoever has left a group may have been shown its pages.
        confirmations.doubt_audiences(session, {account for _, account in before})
