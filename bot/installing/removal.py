"""Removal: what ends when a workspace uninstalls the app, or the operator removes it.

Tokens, people, settings and linked accounts are erased before this returns; conversations, which
may be many, by a speaker right afterwards.
"""

from __future__ import annotations

from bot.slack_api.installed import installations
from core import logs
from core.jobs.afterwards import PutOff, put_off
from core.policy import audit
from core.policy.audit import Act
from core.storage import clock
from core.storage.database import Database
from core.storage.hearing_tables import InstallationRow
from core.turns.upkeep import team_erasure

log = logs.get(__name__)


def uninstalled(database: Database, team: str, *, at: float) -> None:
    """Erase the workspace; nothing happens when it was installed again after `at`, in seconds.

    May be called again, as Slack delivers an event again.
    """
    with database.session() as session:
        row = session.get(InstallationRow, team)
        if row and at < int(row.installed_at):  # Slack says whole seconds
            log.info("installation.late_event", team=team)
            return
        installations.forget(session, team)
        team_erasure.forget_what_is_known(session, team)
    database.leave_no_trace()
    if row:
        audit.write(database, Act.UNINSTALLED, team=team, subject=row.bot)
    log.info("installation.removed", team=team)
    put_off(database, PutOff.FORGET_TEAM, team=team, once=team, before=clock.now())


def revoked(database: Database, team: str, *, at: float) -> None:
    """Erase the tokens alone: people may well install the app again."""
    with database.session() as session:
        row = session.get(InstallationRow, team)
        if row is None or at < int(row.installed_at):
            return
        installations.revoke(session, team)
    database.leave_no_trace()
    log.error("installation.refused", team=team, error="token_revoked", cure="install it again")
