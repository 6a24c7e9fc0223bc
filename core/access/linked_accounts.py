"""Linked accounts: the account on the site that somebody in Slack has linked, and its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlmodel import Session, col, delete, select

from core.access import token_store
from core.access.token_store import TokenStore
from core.storage import clock
from core.storage.access_tables import LinkedAccountRow
from core.storage.database import Database
from core.storage.upsert import put
from core.value import Value

EARLY_S = 60.0  # a token is taken for expired so long before it is: it has to last for an answer


class Tokens(Value):
    """What an account is asked with."""

    access: str = Field(repr=False)
    refresh: str = Field("", repr=False)  # empty: a token that a person has made, without an end
    expires_at: float = 0.0  # seconds since 1970; counts where there is something to refresh it
    username: str = ""  # of an API token, which Cloud takes with an e-mail

    def is_fresh(self, now: float) -> bool:
        return not self.refresh or now < self.expires_at - EARLY_S


@dataclass(frozen=True)
class Holder:
    """Whose tokens these are, as the site says it."""

    account: str  # the principal, user:ID
    name: str


@dataclass(frozen=True)
class Link:
    """Somebody in Slack, and an account on the site."""

    team: str
    user: str
    account: str
    name: str
    site: str
    linked_at: float
    works: bool  # its tokens are there; else the person has to link it again


class LinkedAccounts:
    """Who has linked which account; whose tokens are gone or unreadable counts as not linked."""

    def __init__(self, database: Database, store: TokenStore) -> None:
        self._database = database
        self._store = store

    def link(self, team: str, user: str, holder: Holder, *, site: str, tokens: Tokens) -> None:
        """In place of what this person had linked before."""
        row = LinkedAccountRow(
            team=team, user=user, account=holder.account, name=holder.name, site=site
        )
        row.linked_at = clock.now()
        with self._database.session() as session:
            put(session, row)
            self._store.save(session, _owner(team, user), tokens.model_dump_json())

    def find(self, team: str, user: str) -> Link | None:
        """What this person has linked, also where it does not work any more."""
        with self._database.reading() as session:
            row = session.get(LinkedAccountRow, (team, user))
        return self._link(row) if row else None

    def of(self, team: str, user: str) -> str:
        """The principal of the account that this person reads with; empty without one."""
        link = self.find(team, user)
        return link.account if link and link.works else ""

    def of_account(self, account: str) -> list[Link]:
        """All that link this account, the latest first; the eyes are the same."""
        query = (
            select(LinkedAccountRow)
            .where(LinkedAccountRow.account == account)
            .order_by(col(LinkedAccountRow.linked_at).desc())
        )
        with self._database.reading() as session:
            rows: Sequence[LinkedAccountRow] = session.exec(query).all()
        return [link for link in map(self._link, rows) if link.works]

    def tokens(self, link: Link) -> Tokens | None:
        """None when the link was undone meanwhile."""
        saved = self._store.load(_owner(link.team, link.user))
        return Tokens.model_validate_json(saved) if saved else None

    def renew(self, link: Link, old: Tokens, new: Tokens) -> bool:
        """Keep what a refresh brought; False when the link was undone or made anew meanwhile."""
        owner = _owner(link.team, link.user)
        return self._store.replace(owner, old.model_dump_json(), new.model_dump_json())

    def lose(self, link: Link, tokens: Tokens) -> bool:
        """Erase tokens that the site refuses; the person is told to link again.

        False when the link was undone or made anew meanwhile.
        """
        return self._store.erase(_owner(link.team, link.user), tokens.model_dump_json())

    def unlink(self, team: str, user: str) -> None:
        """Nothing of it is left when this returns."""
        with self._database.session() as session:
            forget(session, team, user)
        self._database.leave_no_trace()

    def _link(self, row: LinkedAccountRow) -> Link:
        saved = self._store.load(_owner(row.team, row.user))
        return Link(
            team=row.team,
            user=row.user,
            account=row.account,
            name=row.name,
            site=row.site,
            linked_at=row.linked_at,
            works=bool(saved),
        )


def forget(session: Session, team: str, user: str) -> None:
    """Erase what this person has linked; no key is needed for that."""
    token_store.erase(session, _owner(team, user))
    linked = delete(LinkedAccountRow).where(
        col(LinkedAccountRow.team) == team, col(LinkedAccountRow.user) == user
    )
    session.exec(linked)


def forget_team(session: Session, team: str) -> None:
    """Erase what the people of a workspace have linked."""
    token_store.erase_below(session, _owner(team, ""))
    session.exec(delete(LinkedAccountRow).where(col(LinkedAccountRow.team) == team))


def _owner(team: str, user: str) -> str:
    """The name of these tokens in the store."""
    return f"confluence:{team}:{user}"
