"""SQL tables of the engine in Postgres: pages, pieces and words as its searches need them.

They are filled only while that engine is wanted or in force: core.evidence.postings writes them,
core.evidence.postgres reads them. Nothing maps their rows to objects: there are millions of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    text,
)
from sqlmodel import SQLModel


class Sign(StrEnum):
    """What a page is recognized by."""

    TERM = "term"  # an index term of its title
    WORD = "word"  # a plain word of its title, as it is written
    EDGE = "edge"  # the key of a sentence at its beginning or its end


def _whole(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, autoincrement=False)


def _text(name: str) -> Column[str]:
    return Column(name, String, nullable=False)


def _lengths() -> list[Column[int]]:
    """Of the fields, in terms."""
    return [_whole("title_length"), _whole("path_length"), _whole("body_length")]


def _where(condition: str) -> dict[str, Any]:
    """Of an index: the rows that it has."""
    return {"postgresql_where": text(condition), "sqlite_where": text(condition)}


# A page with evidence; it gets a new number whenever that changes.
PAGES = Table(
    "indexed_page",
    SQLModel.metadata,
    Column("number", Integer, primary_key=True),
    _text("source"),
    _text("page_id"),
    _text("title"),
    _text("belongs_to"),  # its space and its owner, by their names
    _whole("terms"),  # different ones in its title
    Column("unsettled", Boolean, nullable=False),  # a draft, a copy, archived
    # What it is an edition of, and which; both are empty where its title names none. The second is
    # of digits alone, which are in the same order wherever they are sorted.
    _text("family"),
    _text("edition"),
    *_lengths(),
    UniqueConstraint("source", "page_id"),
    Index("ix_indexed_page_family", "family", **_where("family != ''")),
)

# The pieces of a page that the same readers may see: words are kept section by section.
SECTIONS = Table(
    "section",
    SQLModel.metadata,
    Column("number", Integer, primary_key=True),
    _whole("page"),  # its number
    _text("acl_id"),
    _whole("pieces"),
    *_lengths(),  # of all its pieces together
    Index("ix_section_page", "page"),
)

# Where a piece of evidence stands: on which page, and as which of its pieces.
PIECES = Table(
    "indexed_piece",
    SQLModel.metadata,
    Column("id", String, primary_key=True),
    _whole("page"),
    _whole("place"),
    _whole("section"),
    UniqueConstraint("page", "place"),
)

# The pieces of a section that hold a term: see core.evidence.postings.packed.
PIECE_POSTINGS = Table(
    "piece_posting",
    SQLModel.metadata,
    _text("term"),
    _whole("section"),
    Column("postings", LargeBinary, nullable=False),
    PrimaryKeyConstraint("term", "section"),
    Index("ix_piece_posting_section", "section"),
)

# A page that holds a term, counted as one piece.
PAGE_POSTINGS = Table(
    "page_posting",
    SQLModel.metadata,
    _text("term"),
    _whole("page"),
    Column("postings", LargeBinary, nullable=False),
    PrimaryKeyConstraint("term", "page"),
    Index("ix_page_posting_page", "page"),
)

SIGNS = Table(
    "page_sign",
    SQLModel.metadata,
    _text("kind"),  # Sign
    _text("sign"),
    _whole("page"),
    PrimaryKeyConstraint("kind", "sign", "page"),
    Index("ix_page_sign_page", "page"),
)

# A plain word of the pages, as it is written; it stays when its pages go.
WORDS = Table(
    "plain_word",
    SQLModel.metadata,
    Column("word", String, primary_key=True),
    _whole("since"),  # revision of the index
    Index("ix_plain_word_since", "since"),
)

TABLES = (PAGES, SECTIONS, PIECES, PIECE_POSTINGS, PAGE_POSTINGS, SIGNS, WORDS)
