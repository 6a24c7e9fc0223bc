"""Privacy of the console: which questions an operator may read, and which groups are too small.

What was asked in private is counted and never shown, unless its author handed it over to others
or reported it. A number about fewer than three people would tell what one of them did.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, exists, or_
from sqlmodel import col

from core.states import HandOverState
from core.storage.hand_over_tables import HandOverRow
from core.storage.tables import ReportRow, TurnRow

FEWEST = 3  # people in a group of which numbers are shown


def may_be_read() -> ColumnElement[bool]:
    """Whether others may read the question of a turn, as SQL."""
    return or_(~col(TurnRow.private), _was_handed_over(), _was_reported())


def _was_handed_over() -> ColumnElement[bool]:
    """By its author: nobody else can hand over what was asked in private."""
    return exists().where(
        col(HandOverRow.turn_id) == col(TurnRow.id),
        col(HandOverRow.asked_by) == col(TurnRow.user),
        col(HandOverRow.state).in_((HandOverState.ASKED, HandOverState.RESOLVED)),
    )


def _was_reported() -> ColumnElement[bool]:
    return exists().where(
        col(ReportRow.turn_id) == col(TurnRow.id),
        col(ReportRow.user) == col(TurnRow.user),
    )
