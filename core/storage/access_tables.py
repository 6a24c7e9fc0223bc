"""SQL tables of access control: what was confirmed, linked accounts, news of pages, audit log."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, Index, LargeBinary
from sqlmodel import Field, SQLModel

from core.pages import CONFLUENCE, PageKey
from core.storage import clock
from core.storage.tables import new_id


class ConfirmationRow(SQLModel, table=True):
    """What a source last said: may this audience read this page? See core.access.confirmations."""

    __tablename__ = "confirmation"
    audience: str = Field(primary_key=True)  # a principal such as user:ID; empty: everybody
    source: str = Field(default=CONFLUENCE, primary_key=True)
    page_id: str = Field(primary_key=True)
    allowed: bool = Field(index=True)  # the few that are not are looked for
    at: float = Field(index=True)  # when the source was asked
    until: float  # it counts until then

    @property
    def page(self) -> PageKey:
        return PageKey(self.source, self.page_id)


class TurnPageRow(SQLModel, table=True):
    """A page that a saved answer gives away, so that it is found when the page is closed."""

    __tablename__ = "turn_page"
    __table_args__ = (Index("ix_turn_page_page", "source", "page_id"),)
    turn_id: str = Field(foreign_key="turn.id", primary_key=True)
    source: str = Field(default=CONFLUENCE, primary_key=True)
    page_id: str = Field(primary_key=True)
    audience: str = ""  # who reads the answer, as in ConfirmationRow


class LinkedAccountRow(SQLModel, table=True):
    """An account that somebody in Slack has linked; its tokens are a TokenRow."""

    __tablename__ = "linked_account"
    team: str = Field(primary_key=True)
    user: str = Field(primary_key=True)
    account: str = Field(index=True)  # the principal, user:ID
    name: str = ""  # what the site calls the account
    site: str = ""  # address of the API that the tokens are for
    linked_at: float = Field(default_factory=clock.now)


class TokenRow(SQLModel, table=True):
    """Tokens of somebody, encrypted. See core.access.token_store."""

    __tablename__ = "token"
    owner: str = Field(primary_key=True)  # whose they are and what for
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class UsedTicketRow(SQLModel, table=True):
    """A ticket that works once and was used, until it would be too old anyway."""

    __tablename__ = "used_ticket"
    id: str = Field(primary_key=True)  # a hash
    until: float = Field(index=True)


class PageNewsRow(SQLModel, table=True):
    """A page of which a source told us that it has changed; the indexer reads it again."""

    __tablename__ = "page_news"
    source: str = Field(default=CONFLUENCE, primary_key=True)
    page_id: str = Field(primary_key=True)
    at: float = Field(default_factory=clock.now)  # when we were told, the last time


class AuditRow(SQLModel, table=True):
    """Who did something that an operator has to answer for; rows are only ever added."""

    __tablename__ = "audit"
    id: str = Field(default_factory=new_id, primary_key=True)
    at: float = Field(default_factory=clock.now, index=True)
    act: str  # core.policy.audit.Act
    team: str = ""
    actor: str = ""  # the person in Slack; empty: the operator, at the command line
    subject: str = ""  # the id of what it was done to: a turn, a channel, a person, a page
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class AfterwardsRow(SQLModel, table=True):
    """What a speaker does after a listener has acknowledged; see core.jobs.afterwards."""

    __tablename__ = "afterwards"
    id: str = Field(primary_key=True)
    kind: str  # core.jobs.afterwards.PutOff
    given: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    at: float = Field(default_factory=clock.now)
    enqueued_at: float = Field(default_factory=clock.now)


class ChannelRow(SQLModel, table=True):
    """Who made a channel: that person may decide for it, and it never changes."""

    __tablename__ = "channel"
    team: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)
    creator: str
