"""Pairs of question and answer that are accepted while something is measured, and no others."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import delete

from core.pairs import pairs
from core.pairs.pairs import Pair
from core.states import PairState
from core.storage.database import Database
from core.storage.loop_tables import PairRow


def accept(database: Database, accepted: Iterable[Pair]) -> None:
    """In place of all that were there before: an index is kept from run to run."""
    with database.session() as session:
        session.exec(delete(PairRow))
    pairs.propose(database, accepted)
    for each in pairs.of_state(database, PairState.PROPOSED):
        pairs.decide(database, each.id, PairState.ACCEPTED)
