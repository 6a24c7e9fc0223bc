"""SQL tables of reports: what the console counts of each answer, without a word of it.

A turn's record holds all of this too, but a record is tens of kilobytes: counting a month of
answers would read a gigabyte. Both rows are written and erased together with the answer.
"""

from __future__ import annotations

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from core.pages import CONFLUENCE


class TurnFactsRow(SQLModel, table=True):
    """What is counted of an answer."""

    __tablename__ = "turn_facts"
    turn_id: str = Field(foreign_key="turn.id", primary_key=True, ondelete="CASCADE")
    asked_at: float = Field(index=True)
    day: int  # since 1970-01-01, UTC
    team: str
    channel: str
    user: str
    private: bool
    found: bool  # False: no page answers it
    badge: str = ""  # core.models.Confidence
    seconds: float = 0.0  # from the question to its answer
    model: str = ""  # empty: quoted
    space: str = ""  # of its first source
    prompt_tokens: int = 0
    completion_tokens: int = 0


class CitedPageRow(SQLModel, table=True):
    """A page that stands among the sources of an answer, or is nearest where none answers."""

    __tablename__ = "cited_page"
    # Both of what reports look at: no row has to be read.
    __table_args__ = (
        Index("ix_cited_page_page", "source", "page_id", "asked_at", "found", "turn_id"),
    )
    turn_id: str = Field(foreign_key="turn.id", primary_key=True, ondelete="CASCADE")
    source: str = Field(default=CONFLUENCE, primary_key=True)
    page_id: str = Field(primary_key=True)
    asked_at: float = Field(index=True)
    found: bool  # False: no page answers it
