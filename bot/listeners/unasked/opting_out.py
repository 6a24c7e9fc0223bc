"""Opting out by a button: a setting of whoever presses, with its line in the audit log."""

from __future__ import annotations

from core.policy import audit, preferences
from core.policy.audit import Act
from core.storage.database import Database


def opt_out(database: Database, team: str, user: str, setting: str) -> None:
    """Switch this setting on, which is a field of core.policy.preferences.Preferences."""
    before = preferences.load(database, team, user)
    preferences.save(database, team, user, before.model_copy(update={setting: True}))
    audit.write(
        database,
        Act.SETTING_CHANGED,
        team=team,
        actor=user,
        subject=user,
        details={setting: [getattr(before, setting), True]},
    )
