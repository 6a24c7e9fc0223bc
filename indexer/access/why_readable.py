"""Why somebody may read a page or may not: the space, what is above it, itself, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlmodel import Session

from core.access.authorizer import Authorizer
from core.errors import SettingsError
from core.pages import PageKey
from core.policy import acl
from core.policy.acl import DENIED_ID, OPEN_ID, Reader
from core.storage.database import Database
from core.storage.index_tables import AccountRow, AclRow, PageRow, SpaceRow
from indexer.state.runs import iso


@dataclass(frozen=True)
class Step:
    """One thing that a reader has to pass."""

    what: str  # "space ENG", "page 123 “Salaries”"
    passes: bool
    why: str


@dataclass(frozen=True)
class ReadDecision:
    """Whether an account may be shown a page, and why."""

    account: str  # the principal; empty if unknown, which is shown what everybody may read
    name: str  # of the account, where Confluence told it
    page: str
    allowed: bool
    why: str
    steps: tuple[Step, ...]
    as_of: str  # when what stands above was last read, in ISO 8601; empty: never
    now: bool | None = None  # what the source says right now; None: it was not asked or is silent


def can_read(
    database: Database,
    user: str,
    key: PageKey,
    *,
    aware: bool,
) -> ReadDecision:
    """Ask the index, not Confluence; `user` is an e-mail, an account id or a principal.

    Raises:
        SettingsError: the index knows no such page.
    """
    account = _account(database, user)
    principals = acl.principals(database, account) if account else frozenset[str]()
    with database.reading() as session:
        page = session.get(PageRow, key)
        if page is None:
            raise SettingsError(
                f"the index knows no page {key.id}: take the number from its address, "
                "and look at `python -m indexer status`"
            )
        known = session.get(AccountRow, account)
        name = known.name if known else ""
        of_space = _space_step(session, page, principals, aware=aware)
        steps = (of_space, *_path_steps(session, page, principals))
        allowed, why = _decision(session, page, principals)
        as_of = iso(page.scanned_at)
    return ReadDecision(account, name, key.id, allowed=allowed, why=why, steps=steps, as_of=as_of)


def asked_now(decision: ReadDecision, key: PageKey, control: Authorizer) -> ReadDecision:
    """The same, with what the source says right now."""
    reader = Reader(frozenset(), decision.account)
    found = control.check([key], reader)
    now = None if key in found.failed else key in found.allowed
    return replace(decision, now=now)


def _account(database: Database, user: str) -> str:
    if "@" in user:
        return acl.account_of(database, user)
    account = user if user.startswith("user:") else f"user:{user}"
    with database.reading() as session:
        return account if session.get(AccountRow, account) else ""


def _decision(
    session: Session,
    page: PageRow,
    principals: frozenset[str],
) -> tuple[bool, str]:
    """What counts: the ACL that the page's evidence carries."""
    if not page.visible:
        return False, "it is not in the index: gone, restricted in the public mode, or never read"
    if page.acl_id == OPEN_ID:
        return True, "everybody may read it"
    if page.acl_id == DENIED_ID:
        return False, "it could not be read who may see it, so nobody is shown it"
    row = session.get_one(AclRow, page.acl_id)
    for clause in row.clauses:
        if principals.isdisjoint(clause):
            return False, f"none of {', '.join(clause)} is this account or a group of it"
    return True, "every restriction names it"


def _space_step(
    session: Session, page: PageRow, principals: frozenset[str], *, aware: bool
) -> Step:
    what = f"space {page.space}"
    if not aware:
        return Step(what, True, "the operator vouches for everybody (PERMISSION_MODE=public)")
    space = session.get(SpaceRow, (page.source, page.space))
    if space is None or space.readers is None:
        return Step(what, False, "unknown: not synced yet")
    return _step(what, space.readers, principals)


def _path_steps(
    session: Session,
    page: PageRow,
    principals: frozenset[str],
) -> Iterator[Step]:
    """The page and what is above it, outermost first."""
    path = {page.id: page}
    above = page.record.get("parent_id")
    while above and above not in path:
        row = session.get(PageRow, (page.source, above))
        if row is None:
            why = "unknown: it stands above the page and was never read"
            yield Step(f"content {above}", False, why)
            break
        path[row.id] = row
        above = row.record.get("parent_id")
    for row in reversed(path.values()):
        kind = row.record.get("kind", "page")
        title = f" “{row.title}”" if row.title else ""
        yield _step(f"{kind} {row.id}{title}", row.readers, principals)


def _step(
    what: str,
    readers: list[str] | None,
    principals: frozenset[str],
) -> Step:
    if readers is None:
        return Step(what, False, "unknown: its restrictions could not be read")
    if not readers:
        return Step(what, True, "not restricted")
    matching = sorted(principals.intersection(readers))
    if matching:
        return Step(what, True, f"as {matching[0]}")
    return Step(what, False, f"only for {', '.join(readers)}")
