"""Access control lists (ACLs): who may read what, as clauses, and the readers who pass them.

A reader must pass the space **and** every restricted ancestor **and** the page, so an ACL is a set
of clauses, each a set of principals (`user:ID`, `group:ID`): a reader passes when every clause
holds one of the reader's principals. Taking the nearest restriction alone would grant too much;
intersecting the sets would deny people who are named by group on one level and by name on another.
Evidence carries only the id of its ACL; there are few of them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import blake2b

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.storage.database import Database
from core.storage.index_tables import AccountRow, AclRow, MemberRow
from core.storage.upsert import put

Clauses = frozenset[frozenset[str]]

OPEN: Clauses = frozenset()
OPEN_ID = "open"  # of the ACL without clauses: everybody in Slack may read it
DENIED_ID = "denied"  # of no ACL: nobody passes, as long as it is unknown who may read


@dataclass(frozen=True)
class Reader:
    """For whom something is found: the ACLs that this person passes, and the spaces searched."""

    acls: frozenset[str]
    account: str = ""  # the principal to confirm with Confluence; empty for everybody
    spaces: frozenset[str] | None = None  # keys of the only spaces that are searched; None: all

    def within(self, spaces: Collection[str]) -> Reader:
        """The same reader in these spaces alone; in all when none is named.

        Part of the reader and not of the question, because all that is found, named or suggested
        is asked for with a reader.
        """
        return replace(self, spaces=frozenset(spaces)) if spaces else self

    def searches(self, space: str) -> bool:
        return self.spaces is None or space in self.spaces


EVERYBODY = Reader(frozenset({OPEN_ID}))


def acl_id(clauses: Clauses) -> str:
    """The same for the same clauses, in whatever order they were read.

    >>> acl_id(frozenset())
    'open'
    """
    if not clauses:
        return OPEN_ID
    lines = sorted(" ".join(sorted(clause)) for clause in clauses)
    text = "\n".join(lines)
    return blake2b(text.encode(), digest_size=12).hexdigest()


def passes(principals: Collection[str], clauses: Clauses) -> bool:
    """Whether every clause holds one of these principals.

    >>> clauses = frozenset({frozenset({"group:all", "user:1"}), frozenset({"user:1"})})
    >>> passes({"group:all"}, clauses)
    False
    """
    return all(not clause.isdisjoint(principals) for clause in clauses)


def save(session: Session, clauses: Clauses) -> None:
    """Make an ACL known to readers."""
    lists = sorted(sorted(clause) for clause in clauses)
    put(session, AclRow(id=acl_id(clauses), clauses=lists))


def clauses_of(database: Database, known: str) -> Clauses | None:
    """The clauses behind an id; None for an id that nobody has saved."""
    if known == OPEN_ID:
        return OPEN
    with database.reading() as session:
        row = session.get(AclRow, known)
        return _clauses(row) if row else None


def reader(database: Database, account: str) -> Reader:
    """What this account may read, by its known groups; an unknown one reads what everybody may."""
    who = principals(database, account)
    with database.reading() as session:
        rows = session.exec(select(AclRow)).all()
    acls = {row.id for row in rows if passes(who, _clauses(row))}
    return Reader(frozenset(acls | {OPEN_ID}), account)


def principals(database: Database, account: str) -> frozenset[str]:
    """The account and its groups."""
    query = select(MemberRow.group).where(MemberRow.account == account)
    with database.reading() as session:
        groups = session.exec(query).all()
    return frozenset({account, *groups})


def account_of(database: Database, email: str) -> str:
    """The one account with this e-mail; empty when there is none, or more than one."""
    wanted = email.strip().lower()
    if not wanted:
        return ""
    lowered = func.lower(col(AccountRow.email))
    query = select(AccountRow.id).where(lowered == wanted)
    with database.reading() as session:
        found = session.exec(query).all()
    return found[0] if len(found) == 1 else ""


def _clauses(row: AclRow) -> Clauses:
    return frozenset(frozenset(clause) for clause in row.clauses)
