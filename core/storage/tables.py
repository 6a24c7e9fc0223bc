"""SQL tables of conversations: threads, turns, posts, explanations, votes, leases.

Works on SQLite (WAL) and Postgres alike: no type and no statement here belongs to one of them.
Times are seconds since 1970 as floats, because SQLite keeps no time zone. Vectors, the lexical
index and Redis hold nothing that cannot be rebuilt from here and from core.storage.index_tables.
"""

from __future__ import annotations

import uuid
from typing import Any

from cryptography.fernet import Fernet
from sqlalchemy import JSON, Column, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.states import DetailKind, DetailState, ExplanationState, TurnState, VoteBy
from core.storage import clock


def new_id() -> str:
    """A random id that gives nothing away and needs no counter."""
    return uuid.uuid4().hex


def new_words_key() -> str:
    """For core.jobs.progress_events."""
    return Fernet.generate_key().decode()


class ThreadRow(SQLModel, table=True):
    """A Slack thread that the bot has joined."""

    __tablename__ = "thread"
    __table_args__ = (UniqueConstraint("team", "channel", "thread_ts"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    team: str
    channel: str
    thread_ts: str


class TurnRow(SQLModel, table=True):
    """A question, and what became of it; (team, channel, ts) is the idempotency key of its event.

    A forgotten one stays for some days as a tombstone without a word in it, so that neither a
    repeated event nor a worker brings it back; see core.turns.erasure. `delivered_at` then says
    when our messages were gone from Slack.
    """

    __tablename__ = "turn"
    __table_args__ = (
        UniqueConstraint("team", "channel", "ts"),
        Index("ix_turn_of_person", "team", "user", "asked_at"),
        Index("ix_turn_of_channel", "team", "channel", "asked_at"),
        # All that the daily limit looks at: no row has to be read.
        Index("ix_turn_of_day", "team", "asked_at", "reason"),
        Index("ix_turn_asked_at", "asked_at"),
    )
    id: str = Field(default_factory=new_id, primary_key=True)
    thread_id: str = Field(foreign_key="thread.id", index=True)
    team: str
    channel: str
    ts: str
    user: str
    private: bool = False  # a direct message: nobody else reads the answer
    question: str
    # False: Slack has not said yet whether this person may ask, so no worker answers.
    vetted: bool = True
    filtered: bool = True  # False: without the filters that the question asks for
    by_button: bool = False  # no message says the question: the answer shows it
    # What the question of a button gives away: core.access.disclosure.Disclosure, as JSON.
    question_shows: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON))
    has_files: bool = False  # the message came with files, which nobody here reads
    beside: str = ""  # the channel of the asker's that was open beside the direct messages
    late_s: float = 0.0  # from when it was written until somebody heard it
    asked_at: float = Field(default_factory=clock.now)
    # Later than asked_at when nobody could work on it at first.
    patience_from: float = Field(default_factory=clock.now)
    attempts: int = 0
    state: str = Field(default=TurnState.WAITING, index=True)
    reason: str = ""  # core.states.NoAnswer, when failed
    # Of a rate limit: from then on this person is answered again.
    refused_until: float | None = None
    hidden: bool = False  # whoever asked does not want to see it among the conversations
    # Counts how often the shown answer has changed since: by erasure, or by stale sources.
    edition: int = 0
    changed_at: float | None = None  # when that was, the last time
    # core.models.Record
    record: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON))
    finished_at: float | None = None
    # core.turns.upkeep.sweeper enqueues again what has waited too long.
    work_enqueued_at: float = Field(default_factory=clock.now)
    delivery_enqueued_at: float = Field(default_factory=clock.now)
    # When the final text stood in Slack.
    delivered_at: float | None = Field(default=None, index=True)
    # Slack's time of the edit that it is answered for; empty: as it was first written.
    edited_ts: str = ""
    replaced_by: str = Field(default="", index=True)  # the turn of the edited question
    # Until when it is taken up again by itself, as it ended without what it should have had.
    take_up_until: float | None = Field(default=None, index=True)
    taken_up: int = 0  # how often that was begun
    words_key: str = Field(
        default_factory=new_words_key
    )  # seals its words on their way through Redis


class PostRow(SQLModel, table=True):
    """A message of ours in Slack: the answer of a turn, or its explanation."""

    __tablename__ = "post"
    __table_args__ = (UniqueConstraint("turn_id", "kind", "number", name="uq_post"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    turn_id: str = Field(foreign_key="turn.id", index=True)
    kind: str  # core.states.PostKind
    number: int = 1  # a long answer has several
    channel: str
    # None: about to be posted, or posted by a process that died right then.
    ts: str | None = Field(default=None, index=True)
    file: str = ""  # the id of a picture that it shows


class ExplanationRow(SQLModel, table=True):
    """The explanation of a turn, computed once however many people ask."""

    __tablename__ = "explanation"
    turn_id: str = Field(foreign_key="turn.id", primary_key=True)
    requested_by: str
    requested_at: float = Field(default_factory=clock.now, index=True)
    attempts: int = 0
    state: str = Field(default=ExplanationState.WAITING, index=True)
    reason: str = ""  # core.states.NoExplanation, when failed
    # core.attribution.Explanation
    result: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON))
    picture: bytes | None = Field(default=None, sa_column=Column(LargeBinary))  # PNG of the effects
    work_enqueued_at: float = Field(default_factory=clock.now)
    delivery_enqueued_at: float = Field(default_factory=clock.now)
    delivered_at: float | None = Field(default=None, index=True)


class CallRow(SQLModel, table=True):
    """A model call of an unfinished explanation: after a restart it is not paid for twice."""

    __tablename__ = "explanation_call"
    turn_id: str = Field(foreign_key="turn.id", primary_key=True)
    key: str = Field(primary_key=True)  # digest of model and evidence
    repeat: int = Field(primary_key=True)
    text: str
    usage: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))  # core.models.Usage


class DetailRequestRow(SQLModel, table=True):
    """A request for the details of an answer: shown once a worker has checked access to them."""

    __tablename__ = "peek"
    view_id: str = Field(primary_key=True)  # of the modal in Slack
    turn_id: str = Field(foreign_key="turn.id", index=True)
    user: str
    at: float = Field(default_factory=clock.now)
    state: str = DetailState.WAITING
    what: str = DetailKind.DETAILS
    # For whom the pages were confirmed: a principal such as user:ID; empty: everybody.
    audience: str = ""


class FeedbackRow(SQLModel, table=True):
    """The vote of one user on one answer; the last one wins."""

    __tablename__ = "feedback"
    turn_id: str = Field(foreign_key="turn.id", primary_key=True)
    user: str = Field(primary_key=True)
    vote: str
    by: str = VoteBy.UNKNOWN
    reason: str = ""  # in the words of whoever voted
    at: float = Field(default_factory=clock.now)


class FeedbackHistoryRow(SQLModel, table=True):
    """Every vote ever cast, and every one taken back (vote empty)."""

    __tablename__ = "feedback_history"
    id: str = Field(default_factory=new_id, primary_key=True)
    turn_id: str = Field(foreign_key="turn.id", index=True)
    user: str
    vote: str
    by: str  # core.states.VoteBy
    reason: str = ""
    at: float = Field(default_factory=clock.now)


class KeyRow(SQLModel, table=True):
    """A secret of this installation, made when it is first needed."""

    __tablename__ = "installation_key"
    name: str = Field(primary_key=True)
    value: str


class ReportRow(SQLModel, table=True):
    """Somebody says that sources of an answer are the wrong ones."""

    __tablename__ = "source_report"
    id: str = Field(default_factory=new_id, primary_key=True)
    turn_id: str = Field(foreign_key="turn.id", index=True)
    user: str
    # Of the sources, as the answer numbers them.
    numbers: list[int] = Field(sa_column=Column(JSON, nullable=False))
    # The pieces of these sources.
    evidence_ids: list[str] = Field(sa_column=Column(JSON, nullable=False))
    text: str = ""  # in the words of whoever reports
    at: float = Field(default_factory=clock.now)


class LeaseRow(SQLModel, table=True):
    """Who is working on what, until when; see core.jobs.leases."""

    __tablename__ = "lease"
    key: str = Field(primary_key=True)
    owner: str
    until: float
