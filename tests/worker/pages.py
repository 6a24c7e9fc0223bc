"""Pages in which no two places share a word, as evidence and hits: to see which words go."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

from hypothesis import strategies as st
from wiki import page

from core.evidence.blocks import Blocks
from core.models import Copy, Evidence, Hit
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from core.structure import TableRow
from indexer.evidence.build import evidence
from indexer.parse import Block, Code, Document, Item, ListBlock, Passage, Table
from worker.retrieval.expand import EvidenceExpander

LENGTHS = st.sampled_from([3, 3, 3, 12, 40])  # words; a piece has about 80, a part of a table 200


def on_page(*blocks: Block, identifier: str = "1") -> list[Evidence]:
    """These blocks as the pieces of a page."""
    return list(evidence(page(identifier), Document(blocks)))


class Pages(Blocks):
    """Pages that stand in no database."""

    def __init__(self, pages: dict[str, list[Evidence]]) -> None:
        self._pages = pages

    def pieces(self, pages: Collection[PageKey], _reader: Reader) -> dict[PageKey, list[Evidence]]:
        return {each: self._pages[each.id] for each in pages}


class _Writer:
    """Draws blocks; every word is new."""

    def __init__(self, draw: st.DrawFn, prefix: str) -> None:
        self._draw = draw
        self._words: Iterator[str] = (f"{prefix}{number}" for number in itertools.count(1))
        self._tables = itertools.count(1)

    def text(self, length: int | None = None) -> str:
        count = self._draw(LENGTHS) if length is None else length
        return " ".join(itertools.islice(self._words, count))

    def block(self) -> Block:
        path = (self._draw(st.sampled_from(["one", "two"])),)
        kind = self._draw(st.sampled_from(["passage", "list", "code", "table", "table"]))
        if kind == "passage":
            return Passage(
                heading_path=path,
                text=" ".join(
                    f"{self.text().capitalize()}." for _ in range(self._draw(st.integers(1, 5)))
                ),
            )
        if kind == "list":
            lead_in = f"{self.text(2)}:" if self._draw(st.booleans()) else ""
            return ListBlock(heading_path=path, items=self._items(), lead_in=lead_in)
        if kind == "code":
            return Code(
                heading_path=path,
                text="\n".join(self.text(3) for _ in range(self._draw(st.integers(1, 3)))),
            )
        return self._table(path)

    def _items(self, depth: int = 0) -> tuple[Item, ...]:
        count = self._draw(st.integers(1, 3))
        return tuple(
            Item(
                self.text(),
                self._items(depth + 1) if depth == 0 and self._draw(st.booleans()) else (),
            )
            for _ in range(count)
        )

    def _table(self, path: tuple[str, ...]) -> Table:
        width = self._draw(st.integers(2, 3))
        header = tuple(self.text(1) for _ in range(width))
        groups = [self.text(1) if self._draw(st.booleans()) else "" for _ in range(2)]
        rows: list[TableRow] = []
        for number in range(1, self._draw(st.integers(1, 6)) + 1):
            group = groups[number > 3]
            twin = rows and self._draw(st.integers(0, 5)) == 0
            cells = (
                rows[-1].cells
                if twin
                else tuple(self._cell(filled=column in (0, width - 1)) for column in range(width))
            )
            above = rows[-1].group if rows else ""
            rows.append(TableRow(number=number, cells=cells, group=group or above))
        caption = self.text(2) if self._draw(st.booleans()) else ""
        return Table(next(self._tables), header, tuple(rows), caption=caption, heading_path=path)

    def _cell(self, *, filled: bool) -> str:
        """Two cells of a row are filled: a row of one cell looks like the name of a group."""
        shape = self._draw(
            st.sampled_from(["word", "word", "long", "very long", "bar", "lines", "empty"])
        )
        if shape == "word" or (filled and shape == "empty"):
            return self.text(1)
        if shape == "empty":
            return ""
        if shape in ("bar", "lines"):
            return f"{self.text(1)}{' | ' if shape == 'bar' else chr(10)}{self.text(1)}"
        return self.text(12 if shape == "long" else 120)


@st.composite
def pages(draw: st.DrawFn) -> dict[str, list[Evidence]]:
    """Two pages, and a third that is a copy of the first."""
    found: dict[str, list[Evidence]] = {}
    for identifier in ("1", "2"):
        writer = _Writer(draw, "pq"[int(identifier) - 1])
        blocks = [writer.block() for _ in range(draw(st.integers(1, 4)))]
        found[identifier] = on_page(*blocks, identifier=identifier)
        if identifier == "1":
            found["3"] = on_page(*blocks, identifier="3")
    return found


@st.composite
def found_hits(
    draw: st.DrawFn, stored: dict[str, list[Evidence]]
) -> tuple[Completed, tuple[Hit, ...]]:
    """A question, and some pieces of these pages as the search finds them.

    Widened, and a copy only beside its original.
    """
    some = draw(
        st.lists(
            st.sampled_from([*stored["1"], *stored["2"]]),
            min_size=1,
            max_size=7,
            unique_by=lambda piece: piece.id,
        )
    )
    hits = [_hit(piece, stored, with_copy=draw(st.booleans())) for piece in some]
    hidden = {copy.evidence.position for hit in hits for copy in hit.copies}
    hidden |= {piece.position for piece in some if piece.page_id == "1"}
    copies = [
        piece
        for piece in stored["3"]
        if piece.position not in hidden and draw(st.integers(0, 4)) == 0
    ]
    hits += [_hit(piece, stored, with_copy=False) for piece in copies[:2]]
    text = draw(st.sampled_from(["Which one is it?", "How many are there?"]))
    completed = Completed(question=text, text=text)
    return completed, EvidenceExpander(Pages(stored)).expand(completed, hits, EVERYBODY)


def _hit(piece: Evidence, stored: dict[str, list[Evidence]], *, with_copy: bool) -> Hit:
    behind = stored["3"][piece.position] if with_copy and piece.page_id == "1" else None
    copies = (Copy(evidence=behind, page=page("3")),) if behind else ()
    return Hit(evidence=piece, page=page(piece.page_id), score=2.0, copies=copies)


def words(*texts: str) -> set[str]:
    """The words of these pages that stand in the texts."""
    return {word for text in texts for word in _only(text)}


def _only(text: str) -> Sequence[str]:
    return [
        word
        for word in "".join(c if c.isalnum() else " " for c in text.lower()).split()
        if word[:1] in "pq" and word[1:].isdigit()
    ]
