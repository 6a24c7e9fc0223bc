"""SQL tables of what goes back to people: digests, gaps called fixed, welcomes, pairs, exams.

A digest and a fix hold no word of a question: those are read from its turn when they are shown. A
pair goes with its piece of evidence, in the transaction in which that goes (core.evidence.store),
and with the question of whoever asked it.
"""

from __future__ import annotations

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.pages import CONFLUENCE
from core.storage import clock
from core.storage.tables import new_id


class DigestRow(SQLModel, table=True):
    """What one channel or one page owner is told of a week."""

    __tablename__ = "digest"
    __table_args__ = (UniqueConstraint("team", "whom", "week", name="uq_digest"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    team: str
    whom: str  # the id of a channel, or the owner's account: a principal
    week: int  # when it was due, in seconds since 1970
    user: str = ""  # the owner in Slack, once known
    begun_at: float | None = None  # when it was about to be posted: never a second time
    channel: str = ""  # where it stands in Slack; empty: nowhere
    ts: str = ""
    edition: int = 1  # counts what has changed in it
    shown: int = 0  # the edition that stands in Slack
    said_at: float = 0.0  # when the pages that it names were last asked about


class DigestGapRow(SQLModel, table=True):
    """A gap of a digest."""

    __tablename__ = "digest_gap"
    digest_id: str = Field(foreign_key="digest.id", primary_key=True, ondelete="CASCADE")
    number: int = Field(primary_key=True)
    people: int = 0  # who asked; 0: too few to be told
    asked: int = 0  # how many questions were in it when it was made
    draft: str = ""  # a sentence that the page could say
    draft_of: str = ""  # the turn about which a helper said that; empty: it was made of pages alone


class DigestQuestionRow(SQLModel, table=True):
    """A question of such a gap."""

    __tablename__ = "digest_question"
    digest_id: str = Field(foreign_key="digest.id", primary_key=True, ondelete="CASCADE")
    turn_id: str = Field(foreign_key="turn.id", primary_key=True, index=True, ondelete="CASCADE")
    number: int  # of the gap


class DigestPageRow(SQLModel, table=True):
    """A page that a digest names: one that is nearest to a gap, or that its draft was made of."""

    __tablename__ = "digest_page"
    digest_id: str = Field(foreign_key="digest.id", primary_key=True, ondelete="CASCADE")
    number: int = Field(primary_key=True)  # of the gap
    source: str = Field(default=CONFLUENCE, primary_key=True)
    page_id: str = Field(primary_key=True)
    is_near: bool = True
    in_draft: bool = False  # the draft was made of it


class FixRow(SQLModel, table=True):
    """Somebody says that a gap is fixed: its questions are asked again after the next sync."""

    __tablename__ = "gap_fix"
    id: str = Field(default_factory=new_id, primary_key=True)
    team: str
    digest_id: str = ""  # empty: said in the console
    marked_by: str = ""  # in Slack; empty: in the console, or forgotten
    marked_at: float = Field(default_factory=clock.now)
    asked_at: float | None = Field(default=None, index=True)  # again
    told_at: float | None = None  # when whoever marked it was told, where that is somebody


class FixQuestionRow(SQLModel, table=True):
    """A question of such a gap, and what became of it."""

    __tablename__ = "gap_fix_question"
    fix_id: str = Field(foreign_key="gap_fix.id", primary_key=True, ondelete="CASCADE")
    turn_id: str = Field(foreign_key="turn.id", primary_key=True, index=True, ondelete="CASCADE")
    outcome: str = ""  # core.states.Cure; empty: not asked yet
    source: str = ""  # of the page that answers it now
    page_id: str = ""


class WelcomeRow(SQLModel, table=True):
    """A channel in which the bot has said what it is."""

    __tablename__ = "welcome"
    team: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)
    at: float = Field(default_factory=clock.now)


class PairRow(SQLModel, table=True):
    """A question, what answers it, and where that stands."""

    __tablename__ = "pair"
    id: str = Field(default_factory=new_id, primary_key=True)
    question: str
    answer: str
    source: str = CONFLUENCE
    page_id: str = Field(index=True)
    evidence_id: str = Field(index=True)
    # Whose question it was; None: of no person.
    turn_id: str | None = Field(default=None, foreign_key="turn.id", index=True, ondelete="CASCADE")
    origin: str  # core.states.PairOrigin
    state: str = Field(index=True)  # core.states.PairState
    made_at: float = Field(default_factory=clock.now)
    decided_at: float = 0.0


class ExamRow(SQLModel, table=True):
    """The exam of a model in reading claims, and whether it has passed."""

    __tablename__ = "exam"
    id: str = Field(primary_key=True)  # of what was asked, and of whom
    model: str
    passed: bool
    figures: dict[str, int] = Field(sa_type=JSON)
    at: float = Field(default_factory=clock.now)
