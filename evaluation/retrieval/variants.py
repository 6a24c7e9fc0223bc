"""Ablations of the index: other context, fewer kinds of evidence, other linearizations of tables.

The product's parser has made the pieces and the product's store and search index and find them;
only what a piece says is changed in between. Each variant is an index of its own beside the
product's, kept between runs.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from sqlmodel import col, select

from core.evidence import Dense, EvidenceStore
from core.evidence.lexical.index import LexicalIndex
from core.models import Evidence, Kind, Page
from core.storage.database import Database, open_database
from core.storage.index_tables import EvidenceRow, PageRow, is_on_page
from core.structure import TableSlice
from worker.prompting.table_lines import markdown

CONTEXTS: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    **{name: frozenset({name}) for name in ("title", "heading", "path", "before", "after")},
    "title+path": frozenset({"title", "path"}),
    "all": frozenset({"title", "heading", "before", "after"}),
}
EVIDENCE: Mapping[str, frozenset[Kind]] = {
    "passages": frozenset({Kind.PASSAGE, Kind.CODE}),
    "lists": frozenset({Kind.LIST, Kind.TASK, Kind.CHILD_PAGES}),
    "tables": frozenset({Kind.TABLE, Kind.ROW}),
    "all": frozenset(Kind),
}
# The kinds that are left out.
TABLES: Mapping[str, frozenset[Kind]] = {
    "rows": frozenset({Kind.TABLE}),
    "tables": frozenset({Kind.ROW}),
    "both": frozenset(),
}
LINEARIZE = ("verbalized", "piped", "markdown", "html", "text")


@dataclass(frozen=True)
class Variant:
    """What is indexed; the defaults are the product's."""

    context: str = "title+path"
    evidence: str = "all"
    tables: str = "both"  # rows | tables | both
    linearize: str = "verbalized"

    def of(self, page: Page, pieces: Iterable[Evidence]) -> tuple[Page, list[Evidence]]:
        """The page and its pieces as this variant indexes them."""
        context = CONTEXTS[self.context]
        kinds = EVIDENCE[self.evidence] - TABLES[self.tables]
        shown = page.model_copy(update={"title": page.title if "title" in context else ""})
        return shown, [self._of(piece, context) for piece in pieces if piece.kind in kinds]

    def _of(self, piece: Evidence, context: frozenset[str]) -> Evidence:
        path: tuple[str, ...] = ()
        if "path" in context:
            path = piece.heading_path
        elif "heading" in context:
            path = piece.heading_path[-1:]
        before = piece.before.text if "before" in context else ""
        after = piece.after.text if "after" in context else ""
        parts = filter(None, (before, _linearized(piece, self.linearize), after))
        return piece.model_copy(update={"heading_path": path, "text": "\n".join(parts)})


AS_IS = Variant()


def chosen_variant(context: str, evidence: str, tables: str, linearize: str) -> Variant:
    """The variant with these names.

    Raises:
        ValueError: one of them is none that we know.
    """
    known: dict[str, tuple[str, Collection[str]]] = {
        "context": (context, CONTEXTS),
        "evidence": (evidence, EVIDENCE),
        "tables": (tables, TABLES),
        "linearize": (linearize, LINEARIZE),
    }
    for option, (value, values) in known.items():
        if value not in values:
            raise ValueError(f"--{option} {value}: use one of {', '.join(values)}")
    return Variant(context, evidence, tables, linearize)


def index(
    variant: Variant, source: Database, dense: Dense, folder: Path
) -> Iterator[EvidenceStore]:
    """Index the source's pages as the variant has them; gives the store after each page."""
    identity = f"{variant}{dense.wanted}{_fingerprint(source)}"
    name = blake2b(identity.encode(), digest_size=8).hexdigest()
    (folder / name).mkdir(parents=True, exist_ok=True)
    database = open_database(f"sqlite:///{folder / name / 'groundwire.db'}")
    made = EvidenceStore(database, LexicalIndex(folder / name), dense)
    there = made.visible_pages()
    for row, pieces in _pages(source):
        if row.key not in there:
            page, shown = variant.of(Page.model_validate(row.record), pieces)
            made.replace(
                page, shown, acl_id=row.acl_id, body_hash=row.body_hash, made_by=row.made_by
            )
        yield made


def _pages(source: Database) -> Iterator[tuple[PageRow, Sequence[Evidence]]]:
    with source.reading() as session:
        for row in session.exec(select(PageRow).where(col(PageRow.visible))).all():
            found = session.exec(select(EvidenceRow).where(is_on_page([row.key]))).all()
            pieces = [Evidence.model_validate(each.record) for each in found]
            yield row, sorted(pieces, key=lambda piece: piece.position)


def _fingerprint(source: Database) -> str:
    with source.reading() as session:
        return " ".join(sorted(session.exec(select(EvidenceRow.text_hash)).all()))


def _linearized(piece: Evidence, way: str) -> str:
    """A table or a row in one of the paper's ways; other pieces as they are."""
    if way == "verbalized" or piece.table is None:
        return piece.text
    rows = list(_table_rows(piece.table))
    if way == "markdown":
        return "\n".join([piece.table.above, *(f"| {markdown(cells)} |" for cells in rows)])
    if way == "html":
        return f"<table>{''.join(map(_html_row, rows))}</table>"
    separator = " | " if way == "piped" else " "
    return "\n".join(map(separator.join, rows))


def _table_rows(table: TableSlice) -> Iterator[Sequence[str]]:
    """The cells of the header and of each row, groups as rows of one cell."""
    if any(table.header):
        yield table.header
    group = ""
    for row in table.rows:
        if row.group and row.group != group:
            yield (row.group,)
        group = row.group
        if row.cells:
            yield row.cells


def _html_row(row: Sequence[str]) -> str:
    cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in row)
    return f"<tr>{cells}</tr>"
