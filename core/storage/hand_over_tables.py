"""SQL tables of hand-overs: questions that a person was asked to help with, and who was asked."""

from __future__ import annotations

from sqlmodel import Field, SQLModel

from core.states import HandOverState
from core.storage import clock


class HandOverRow(SQLModel, table=True):
    """A question that is handed to people; there is one hand-over of a turn."""

    __tablename__ = "hand_over"
    turn_id: str = Field(foreign_key="turn.id", primary_key=True)
    asked_by: str  # who has pressed the button
    asked_at: float = Field(default_factory=clock.now)
    state: str = HandOverState.WAITING
    # In private: whom its author was shown beside the words, and that person's account.
    whom: str = ""
    account: str = ""
    resolved_by: str = ""
    should_say: bool | None = None  # whether the page should say it; None: nobody has said
    said: str = ""  # what whoever closed it has said, where the page should say it


class HandOverPersonRow(SQLModel, table=True):
    """Somebody who was asked; nobody is asked twice for one question."""

    __tablename__ = "hand_over_person"
    turn_id: str = Field(foreign_key="turn.id", primary_key=True)
    user: str = Field(primary_key=True)
    team: str
    account: str = ""  # a principal, where we know it
    at: float = Field(default_factory=clock.now, index=True)
