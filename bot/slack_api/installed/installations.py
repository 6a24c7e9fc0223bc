"""Installations in SQL, and the tokens that belong to each, sealed with the operator's keys."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field
from sqlmodel import Session, col, delete, select, update

from core.access import token_store
from core.access.token_keys import TokenKeys
from core.access.token_store import TokenStore
from core.settings import Settings
from core.storage import clock
from core.storage.database import Database
from core.storage.hearing_tables import InstallationRow
from core.storage.upsert import put
from core.value import Value


class SlackTokens(Value):
    """What Slack gave for a workspace: docs.slack.dev/authentication/using-token-rotation"""

    access: str = Field(repr=False)
    refresh: str = Field("", repr=False)  # empty: the access token has no end
    expires_at: float = 0.0  # seconds since 1970; counts where there is something to refresh it

    def lasts(self, seconds: float) -> bool:
        return not self.refresh or clock.now() < self.expires_at - seconds


@dataclass(frozen=True)
class Installation:
    """A workspace in which the app is installed."""

    team: str
    name: str
    bot: str  # the id of the bot as a user there
    bot_id: str
    installed_by: str
    installed_at: float = 0.0
    refused: str = ""  # Slack's code since it takes no token of ours any more


class Installations:
    """Those of the workspaces that the operator has named; others count as not installed."""

    def __init__(self, database: Database, keys: TokenKeys, teams: tuple[str, ...]) -> None:
        self._database = database
        self._store = TokenStore(database, keys)
        self._teams = teams

    @classmethod
    def of(cls, chosen: Settings, database: Database) -> Installations:
        """Raises SettingsError: a key is wrong, or none opens what was saved."""
        made = cls(database, TokenKeys.of(chosen), chosen.slack_teams)
        made._store.check()
        return made

    def may_install(self, team: str) -> bool:
        return team in self._teams

    def save(self, installation: Installation, tokens: SlackTokens) -> None:
        """In place of an earlier one of this workspace."""
        row = InstallationRow(
            team=installation.team,
            name=installation.name,
            bot=installation.bot,
            bot_id=installation.bot_id,
            installed_by=installation.installed_by,
            installed_at=clock.now(),
        )
        with self._database.session() as session:
            put(session, row)
            self._store.save(session, _owner(installation.team), tokens.model_dump_json())

    def find(self, team: str) -> Installation | None:
        if not self.may_install(team):
            return None
        with self._database.reading() as session:
            row = session.get(InstallationRow, team)
        return _read(row) if row else None

    def all(self) -> list[Installation]:
        """By when they were installed."""
        named = select(InstallationRow).where(col(InstallationRow.team).in_(self._teams))
        with self._database.reading() as session:
            rows = session.exec(named.order_by(col(InstallationRow.installed_at))).all()
        return [_read(row) for row in rows]

    def tokens(self, team: str) -> SlackTokens | None:
        """None where there are none, or none that a key opens."""
        saved = self._store.load(_owner(team)) if self.may_install(team) else ""
        return SlackTokens.model_validate_json(saved) if saved else None

    def renew(self, team: str, old: SlackTokens, new: SlackTokens) -> bool:
        """Keep what a refresh brought; False when it was uninstalled or installed meanwhile."""
        return self._store.replace(_owner(team), old.model_dump_json(), new.model_dump_json())

    def mark(self, team: str, code: str) -> None:
        """Slack takes its tokens no more, says this code; empty: it does again."""
        with self._database.session() as session:
            _mark(session, team, code)


def revoke(session: Session, team: str) -> None:
    """Somebody has revoked the tokens: they are erased; no key is needed for that."""
    token_store.erase(session, _owner(team))
    _mark(session, team, "token_revoked")


def forget(session: Session, team: str) -> None:
    """The app was uninstalled: its tokens are erased; no key is needed for that."""
    token_store.erase(session, _owner(team))
    session.exec(delete(InstallationRow).where(col(InstallationRow.team) == team))


def _mark(session: Session, team: str, code: str) -> None:
    row = update(InstallationRow).where(col(InstallationRow.team) == team)
    session.exec(row.values(refused=code))


def _read(row: InstallationRow) -> Installation:
    return Installation(
        team=row.team,
        name=row.name,
        bot=row.bot,
        bot_id=row.bot_id,
        installed_by=row.installed_by,
        installed_at=row.installed_at,
        refused=row.refused,
    )


def _owner(team: str) -> str:
    """The name of these tokens in the store."""
    return f"slack:{team}"
