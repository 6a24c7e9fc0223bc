"""SQL tables of people in Slack: who they are, what they have chosen, what they have spent."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from core.storage import clock


class SpentRow(SQLModel, table=True):
    """What a person's questions and explanations have cost on a day; see core.policy.spending."""

    __tablename__ = "spent"
    day: str = Field(primary_key=True)  # UTC, ISO 8601
    team: str = Field(primary_key=True)
    user: str = Field(primary_key=True)
    tokens: int = 0
    money: float = 0.0


class PersonRow(SQLModel, table=True):
    """Somebody in Slack: the e-mail that leads to the Confluence account, and the locale."""

    __tablename__ = "person"
    team: str = Field(primary_key=True)
    user: str = Field(primary_key=True)
    email: str = ""
    standing: str = "unknown"  # core.policy.people.Standing
    is_admin: bool = False  # of the workspace
    read_at: float = Field(default_factory=clock.now)  # e-mail and standing
    locale: str = ""  # an IETF code such as de-DE
    locale_read_at: float = 0.0


class PreferencesRow(SQLModel, table=True):
    """What a channel's admins or a person have chosen."""

    __tablename__ = "preferences"
    team: str = Field(primary_key=True)
    owner: str = Field(primary_key=True)  # id of the channel, or of the person for direct messages
    # core.policy.preferences.Preferences
    record: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
