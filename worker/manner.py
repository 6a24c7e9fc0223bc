"""How a turn is answered: as the channel or the person has chosen."""

from __future__ import annotations

from core.manner import Manner
from core.policy.preferences import load, resolved
from core.settings import Settings
from core.storage.database import Database
from core.turns.turn import Turn


def manner_of(
    database: Database,
    settings: Settings,
    turn: Turn,
) -> Manner:
    """As the person has chosen in direct messages, else as the channel has.

    Who asks beside a channel, and has chosen no spaces, searches those of the channel.
    """
    team, owner = turn.address.team, turn.user if turn.private else turn.address.channel
    manner = resolved(database, settings, team, owner).manner
    if not turn.beside or load(database, team, owner).spaces:
        return manner
    spaces = resolved(database, settings, team, turn.beside).manner.spaces
    return manner.model_copy(update={"spaces": spaces})
