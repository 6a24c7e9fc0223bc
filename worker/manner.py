"""How a turn is answered: as the channel or the person has chosen."""

from __future__ import annotations

from core.manner import Manner
from core.policy.preferences import resolved
from core.settings import Settings
from core.storage.database import Database
from core.turns.turn import Turn


def manner_of(
    database: Database,
    settings: Settings,
    turn: Turn,
) -> Manner:
    """As the person has chosen in direct messages, else as the channel has."""
    owner = turn.user if turn.private else turn.address.channel
    preferences = resolved(database, settings, turn.address.team, owner)
    return preferences.manner
