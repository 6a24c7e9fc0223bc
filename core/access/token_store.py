"""Token store: tokens in SQL, encrypted, each under the name of what it is for."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from core import logs
from core.access.token_keys import TokenKeys, Unreadable
from core.errors import SettingsError
from core.storage.access_tables import TokenRow
from core.storage.database import Database
from core.storage.upsert import put

log = logs.get(__name__)


@dataclass(frozen=True)
class Sealed:
    """How many tokens there are that a key opens, and how many that none opens."""

    readable: int = 0
    unreadable: int = 0


class TokenStore:
    """What is saved here is opened by the operator's keys alone."""

    def __init__(self, database: Database, keys: TokenKeys) -> None:
        self._database = database
        self._keys = keys

    def save(self, session: Session, owner: str, text: str) -> None:
        put(session, TokenRow(owner=owner, sealed=self._keys.seal(text)))

    def load(self, owner: str) -> str:
        """Empty when there is nothing of this owner, or nothing that a key opens."""
        with self._database.reading() as session:
            row = session.get(TokenRow, owner)
        return self._opened(row) if row else ""

    def replace(self, owner: str, old: str, new: str) -> bool:
        """Save what came of `old`; False when somebody has erased or replaced that meanwhile."""
        with self._database.session() as session:
            row = session.get(TokenRow, owner, with_for_update=True)
            if row is None or self._opened(row) != old:
                return False
            row.sealed = self._keys.seal(new)
            return True

    def erase(self, owner: str, old: str) -> bool:
        """Erase what is of no use any more; False when it was erased or replaced meanwhile."""
        with self._database.session() as session:
            row = session.get(TokenRow, owner, with_for_update=True)
            if row is None or self._opened(row) != old:
                return False
            session.delete(row)
        self._database.leave_no_trace()
        return True

    def check(self) -> None:
        """Find out at the start that a key is missing, not when somebody asks.

        Raises:
            SettingsError: there are tokens, and no key opens any of them.
        """
        with self._database.reading() as session:
            rows = session.exec(select(TokenRow)).all()
        if rows and not any(self._opened(row) for row in rows):
            raise SettingsError(
                f"TOKEN_KEYS opens none of the {len(rows)} tokens in the database: add the key "
                "that they were saved with, behind the others; if it is lost, "
                "`python -m worker keys drop` erases them, and people link again"
            )

    def rotate(self) -> Sealed:
        """Encrypt everything with the first key; harmless beside running processes."""
        readable = unreadable = 0
        for owner in self._owners():
            with self._database.session() as session:
                row = session.get(TokenRow, owner, with_for_update=True)
                text = self._opened(row) if row else ""
                if row and text:
                    row.sealed = self._keys.seal(text)
                    readable += 1
                elif row:
                    unreadable += 1
        self._database.leave_no_trace()
        return Sealed(readable, unreadable)

    def drop_unreadable(self) -> int:
        """Erase what no key opens; how many there were."""
        dropped = 0
        for owner in self._owners():
            with self._database.session() as session:
                row = session.get(TokenRow, owner, with_for_update=True)
                if row and not self._opened(row):
                    session.delete(row)
                    dropped += 1
        return dropped

    def _opened(self, row: TokenRow) -> str:
        try:
            return self._keys.open(row.sealed)
        except Unreadable:
            log.warning("token.unreadable", owner=row.owner)
            return ""

    def _owners(self) -> list[str]:
        with self._database.reading() as session:
            return list(session.exec(select(TokenRow.owner)).all())


def erase(session: Session, owner: str) -> None:
    """Erase what is of this owner; no key is needed for that."""
    session.exec(delete(TokenRow).where(col(TokenRow.owner) == owner))


def erase_below(session: Session, owners: str) -> None:
    """Erase what is of owners whose names begin so."""
    session.exec(delete(TokenRow).where(col(TokenRow.owner).startswith(owners, autoescape=True)))
