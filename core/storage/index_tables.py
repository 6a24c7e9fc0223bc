"""SQL tables of the index: pages, attachments, evidence and its embeddings, ACLs, runs of syncs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    and_,
    false,
    or_,
)
from sqlalchemy.orm import Mapped
from sqlmodel import Field, SQLModel, col

from core.pages import CONFLUENCE, PageKey
from core.storage import clock
from core.storage.tables import new_id


class PageRow(SQLModel, table=True):
    """A page as it is indexed, or as it is known and hidden."""

    __tablename__ = "page"
    source: str = Field(default=CONFLUENCE, primary_key=True)
    id: str = Field(primary_key=True)
    space: str = Field(index=True)
    title: str = Field(default="", index=True)  # links name pages by space and title
    record: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))  # core.models.Page
    body_hash: str = ""  # of the body and everything else its evidence was made from
    made_by: str = ""  # the parser that made the evidence; another one makes it anew
    revision: int = Field(default=0, index=True)  # of the index, when this page last changed there
    language: str = ""  # what it is written in, ISO 639-1; empty: that does not show
    visible: bool = True  # False: gone, unknown, or not for us; it has no evidence then
    # Of core.policy.acl; what its evidence carries, unless a piece names other pages.
    acl_id: str = Field(default="", index=True)
    # Its own restriction; None: unknown.
    readers: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    # Titles of other pages that it mentions; see indexer.state.mentions.
    names: list[dict[str, str]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False)
    )
    # Digest of the ids and versions of its comments and attachments, where they are indexed.
    extras: str = ""
    # When labels, restrictions and whatever no listing shows were last read.
    scanned_at: float = 0.0
    # Hidden for want of a clear answer; a second complete miss removes it.
    missing_since: float | None = None
    error: str = ""
    failures: int = 0
    next_try: float = 0.0

    @property
    def key(self) -> PageKey:
        return PageKey(self.source, self.id)


class EvidenceRow(SQLModel, table=True):
    """A piece of evidence of a visible page."""

    __tablename__ = "evidence"
    __table_args__ = (
        ForeignKeyConstraint(["source", "page_id"], ["page.source", "page.id"]),
        Index("ix_evidence_page", "source", "page_id"),
    )
    id: str = Field(primary_key=True)
    source: str = CONFLUENCE
    page_id: str
    acl_id: str = ""
    record: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))  # core.models.Evidence
    text_hash: str = Field(index=True)  # of the text that was embedded

    @property
    def page(self) -> PageKey:
        return PageKey(self.source, self.page_id)


class AttachmentRow(SQLModel, table=True):
    """A file on a page: waiting to be read, or what became of it."""

    __tablename__ = "attachment"
    source: str = Field(default=CONFLUENCE, primary_key=True)
    id: str = Field(primary_key=True)
    page_id: str = Field(index=True)
    name: str
    version: int
    size: int  # bytes, as the source says
    download: str  # as the source wants it back
    state: str = "waiting"  # indexer.attachments.outcomes.State
    reason: str = ""  # why there is no text
    data_hash: str = ""  # of the content as it was read; empty before
    converter: str = ""  # that read it, with its version
    since: float = Field(default_factory=clock.now)  # when it began to wait
    tried_at: float = 0.0
    failures: int = 0  # downloads
    next_try: float = 0.0


class ConversionRow(SQLModel, table=True):
    """The text of a file by the hash of its content, or why it has none: made once."""

    __tablename__ = "conversion"
    data_hash: str = Field(primary_key=True)
    converter: str = Field(primary_key=True)
    text: str = ""  # storage format
    reason: str = ""  # why there is none


class EmbeddingRow(SQLModel, table=True):
    """A vector by the hash of its text: what was embedded once is never embedded again."""

    __tablename__ = "embedding"
    text_hash: str = Field(primary_key=True)
    embedder: str = Field(primary_key=True)
    vector: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # float32, little-endian


class IndexRow(SQLModel, table=True):
    """One row: which index is live. Its row lock serializes concurrent writers."""

    __tablename__ = "index_state"
    id: int = Field(default=1, primary_key=True)
    # Its epoch: what was made of another one is not used; see core.storage.index_epoch.
    identity: str = Field(default_factory=new_id)
    revision: int = 0
    mark: str = ""  # of this revision
    generation: int = 0  # counts rebuilds
    embedder: str = ""  # the setting that the live vectors were made with
    collection: str = ""  # of vectors; empty before the first build
    engine: str = "host"  # core.settings.values.EvidenceEngine: the one that finds evidence
    words_format: int = 0  # in which that of Postgres has the words of the pages


class RevisionRow(SQLModel, table=True):
    """The mark of a revision of the index; another history has another one."""

    __tablename__ = "index_revision"
    revision: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    mark: str


class TunedRow(SQLModel, table=True):
    """One row: the weights that `python -m indexer tune` chose for this installation's pages."""

    __tablename__ = "tuned_ranking"
    id: int = Field(default=1, primary_key=True)
    # Fields of core.evidence.ranking.weights.Ranking that differ from the product's.
    weights: dict[str, float] = Field(sa_column=Column(JSON, nullable=False))
    figures: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))  # what was measured
    made_at: float = Field(default_factory=clock.now)


class AclRow(SQLModel, table=True):
    """An access control list by the hash of its clauses."""

    __tablename__ = "acl"
    id: str = Field(primary_key=True)
    clauses: list[list[str]] = Field(sa_column=Column(JSON, nullable=False))


class SpaceRow(SQLModel, table=True):
    """A space of a source, and who may see it."""

    __tablename__ = "space"
    source: str = Field(default=CONFLUENCE, primary_key=True)
    key: str = Field(primary_key=True)
    name: str = ""
    # Empty: everybody; None: unknown.
    readers: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class AccountRow(SQLModel, table=True):
    """Somebody that an ACL names, or a member of a group that one names."""

    __tablename__ = "account"
    id: str = Field(primary_key=True)  # the principal, user:ID
    name: str = ""
    email: str = Field(default="", index=True)  # empty when Confluence does not show it


class MemberRow(SQLModel, table=True):
    """Somebody in a group."""

    __tablename__ = "member"
    group: str = Field(primary_key=True)
    account: str = Field(primary_key=True, index=True)


class SyncRow(SQLModel, table=True):
    """One run of the indexer over one space."""

    __tablename__ = "sync"
    id: str = Field(default_factory=new_id, primary_key=True)
    source: str = CONFLUENCE
    space: str = Field(index=True)
    started_at: float = Field(default_factory=clock.now)
    finished_at: float | None = None
    complete: bool = False  # the listing was read to its end
    counts: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    error: str = ""


def is_page(keys: Iterable[PageKey]) -> ColumnElement[bool]:
    """Whether the page of a row is one of these."""
    return is_one_of(keys, col(PageRow.source), col(PageRow.id))


def is_on_page(keys: Iterable[PageKey]) -> ColumnElement[bool]:
    """Whether a piece stands on one of these pages."""
    return is_one_of(keys, col(EvidenceRow.source), col(EvidenceRow.page_id))


def is_one_of(
    keys: Iterable[PageKey],
    source: Mapped[str] | ColumnElement[str],
    page_id: Mapped[str] | ColumnElement[str],
) -> ColumnElement[bool]:
    """Source by source: SQLite looks up no pairs in an index, `(a, b) IN (…)` reads all rows."""
    ids: dict[str, list[str]] = {}
    for key in keys:
        ids.setdefault(key.source, []).append(key.id)
    return or_(false(), *(and_(source == name, page_id.in_(of)) for name, of in ids.items()))
