"""The votes that count, as the tests of several programs look at them."""

from __future__ import annotations

from core.states import Vote
from core.storage.database import Database
from core.turns import feedback


def votes(database: Database, turn_id: str) -> dict[str, Vote]:
    """By user."""
    return {cast.user: cast.vote for cast in feedback.of_turn(database, turn_id)}
