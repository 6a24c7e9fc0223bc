"""Spaces, groups and accounts, in the permission-aware mode: who may see a space, and who is who in the clauses of the pages."""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import chain

from sqlmodel import col, delete, select

from core import logs
from core.confluence import Account, Confluence, Readers, Space
from core.errors import SettingsError
from core.policy.acl import OPEN, Clauses
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import AccountRow, AclRow, MemberRow, SpaceRow
from indexer.access.space_tree import Policy

log = logs.get(__name__)


def policy(settings: Settings, confluence: Confluence) -> Policy:
    """How the operator reads Confluence's permissions.

    Raises:
        SettingsError: CONFLUENCE_EVERYBODY names a group that the site does not have.
    """
    aware = settings.permission_mode == "aware"
    if aware and not settings.everybody_groups:
        log.warning(
            "permissions.nobody_is_everybody",
            effect="nothing is shown in channels",
            cure="CONFLUENCE_EVERYBODY",
        )
    return Policy(
        aware=aware,
        everybody=_everybody(settings.everybody_groups, confluence) if aware else frozenset(),
        folders_are_open=settings.confluence_folders == "open",
    )


def read_space(confluence: Confluence, database: Database, space: Space, policy: Policy) -> Clauses:
    """Who may see the space; in the default mode the operator vouches for everybody.

    Raises:
        ConfluenceError: it could not be read; nothing may be concluded from that.
    """
    if not policy.aware:
        return OPEN
    readers = confluence.space_readers(space)
    # Nobody we know of is not the same as nobody is kept out: a clause without principals lets nobody pass.
    clauses = policy.clause(readers) if readers else frozenset({readers})
    with database.session() as session:
        named = sorted(readers) or ["nobody"]
        session.merge(
            SpaceRow(
                key=space.key,
                name=space.name,
                readers=named if clauses else [],
                read_at=time.time(),
            )
        )
    return clauses


def read_people(confluence: Confluence, database: Database) -> None:
    """Read again who is in the groups that ACLs name, and the e-mails of everybody an ACL names.

    Raises:
        ConfluenceError: they could not be read; what was known stays.
    """
    named = _named(database)
    members = {
        group: confluence.members(group) for group in sorted(named) if group.startswith("group:")
    }
    alone = confluence.accounts(
        [principal for principal in sorted(named) if principal.startswith("user:")]
    )
    everybody = [*chain.from_iterable(members.values()), *alone]
    _save(
        database,
        {group: [each.id for each in accounts] for group, accounts in members.items()},
        everybody,
    )
    log.info("people.read", groups=len(members), accounts=len(everybody))


def _everybody(names: Iterable[str], confluence: Confluence) -> Readers:
    wanted = set(names)
    known = confluence.groups() if wanted else {}
    if missing := wanted - known.keys():
        raise SettingsError(
            f"CONFLUENCE_EVERYBODY: no group {', '.join(sorted(missing))} on the site, or not for this account to see"
        )
    return frozenset(known[name] for name in wanted)


def _named(database: Database) -> set[str]:
    """Every principal that some ACL names."""
    with database.reading() as session:
        acls = session.exec(select(AclRow.clauses)).all()
    return {principal for clauses in acls for clause in clauses for principal in clause}


def _save(database: Database, members: dict[str, list[str]], accounts: Iterable[Account]) -> None:
    with database.session() as session:
        session.exec(delete(MemberRow).where(col(MemberRow.group).is_not(None)))
        for account in {account.id: account for account in accounts}.values():
            session.merge(AccountRow(id=account.id, name=account.name, email=account.email))
        session.add_all(
            MemberRow(group=group, account=account)
            for group, ids in members.items()
            for account in dict.fromkeys(ids)
        )
