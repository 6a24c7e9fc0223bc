"""Splits evidence into spans that can be quoted: sentences, list items, code blocks, table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain, takewhile

from core.evidence.lexical.analyzer import words
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.models import Evidence, Hit, Kind, Page
from core.structure import Cells, ListItem, TableSlice

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Span:
    """Something that can be quoted, with the evidence it stands in."""

    number: int  # the evidence's place in the prompt
    hit: Hit
    text: str
    cells: Cells = ()  # (column name, value) where it is a row of a table
    place: int = 0  # of a row: its number in the table
    # Of an item: the line that announces its list, and the items above it; of a sentence: the last.
    above: Lines = ()
    # Of an item: the items under it; of a sentence: the next one, or the list that follows.
    below: Lines = ()
    mark: str = ""  # of an item, with which `text` begins
    lists_below: bool = False  # `below` is the list that a sentence announces

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @property
    def is_list(self) -> bool:
        """A list, or an item of one."""
        return self.hit.evidence.kind is Kind.LIST

    @property
    def announces(self) -> bool:
        """It ends where what it announces begins."""
        return self.text.rstrip().endswith(":")

    def is_foreign_to(self, language: str | None) -> bool:
        """Whether its page is known to be in another language than this one."""
        return bool(language and self.hit.language) and self.hit.language != language

    @cached_property
    def own_terms(self) -> frozenset[str]:
        return frozenset(words(self.text))

    @cached_property
    def near_terms(self) -> frozenset[str]:
        """Words that stand beside it: of an item or a sentence, those of the whole piece."""
        return frozenset() if self.is_row else _terms_of(self.hit.evidence.text)

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """Words of title and headings: they say what the span is about without standing in it."""
        path = self.hit.evidence.heading_path
        return frozenset(words(" ".join([self.hit.page.title, *path])))


@lru_cache(maxsize=1024)  # pieces: each is asked for by every span of it
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(words(text))


def spans_of(
    hits: Sequence[Hit],
    *,
    whole_lists: bool = False,
) -> Iterator[Span]:
    """All that can be quoted from these hits, in their order; lists by their items, or whole.

    Of a page that is read as a whole, what stands elsewhere on it comes behind its best piece.
    """
    for number, hit in enumerate(hits, start=1):
        for read in _read(hit):
            yield from _of_piece(number, read, whole_lists=whole_lists)


def texts_of(page: Page, pieces: Sequence[Evidence]) -> set[str]:
    """The text of every span that an answer may quote from these pieces of a page."""
    hits = [Hit(evidence=piece, page=page) for piece in pieces]
    spans = chain(spans_of(hits), spans_of(hits, whole_lists=True))
    return {span.text for span in spans}


def _read(hit: Hit) -> Iterator[Hit]:
    yield hit
    if hit.whole_page:
        for piece in hit.block:
            yield hit.model_copy(update={"evidence": piece, "block": ()})


def _of_piece(number: int, hit: Hit, *, whole_lists: bool) -> Iterator[Span]:
    piece = hit.evidence
    if piece.code is not None:
        yield Span(number, hit, piece.code.fenced)
    elif piece.table is not None:
        yield from _rows(number, hit, piece.table)
    elif piece.items and not (whole_lists and piece.kind is Kind.LIST):
        yield from _items(number, hit)
    elif piece.items or piece.kind is Kind.CHILD_PAGES:
        yield Span(number, hit, piece.text)
    else:
        yield from _sentences(number, hit)


def _rows(
    number: int,
    hit: Hit,
    table: TableSlice,
) -> Iterator[Span]:
    """A row as it is indexed; the rows of a part of a table, or its lines where it is a list."""
    piece = hit.evidence
    if piece.kind is Kind.ROW:
        yield Span(number, hit, piece.text, piece.cells, place=piece.row or 0)
        return
    several = [row for row in table.rows if len(list(filter(None, row.cells))) > 1]
    for row in several:
        cells = tuple((name, value.replace("\n", "; ")) for name, value in table.cells(row))
        yield Span(number, hit, _as_text(cells), cells, place=row.number)
    if not several:
        lines = (line for _, line in table.lines if line)
        yield from (Span(number, hit, line) for line in lines)


def _items(number: int, hit: Hit) -> Iterator[Span]:
    """The items of a list, each with those it stands under and those that stand under it."""
    items = hit.evidence.items
    above: list[ListItem] = []
    for place, item in enumerate(items):
        while above and above[-1].depth >= item.depth:
            above.pop()
        below = takewhile(partial(_is_under, item), items[place + 1 :])
        yield Span(
            number,
            hit,
            item.line.strip(),
            above=tuple(each.line for each in above),
            below=tuple(each.line for each in below),
            mark=item.mark,
        )
        above.append(item)


def _is_under(item: ListItem, other: ListItem) -> bool:
    return other.depth > item.depth


def _sentences(number: int, hit: Hit) -> Iterator[Span]:
    parts = map(str.strip, SENTENCE_END.split(hit.evidence.text))
    sentences = list(filter(None, parts))
    listed = _list_after(hit.evidence)
    above: Lines = ()
    for place, sentence in enumerate(sentences, 1):
        following = tuple(sentences[place : place + 1])
        is_last = not following
        yield Span(
            number,
            hit,
            sentence,
            above=above,
            below=following or listed,
            lists_below=is_last and bool(listed),
        )
        above = (sentence,)


def _as_text(row: Cells) -> str:
    return "; ".join(f"{name} is {value}" for name, value in row)


def _list_after(piece: Evidence) -> Lines:
    """The list that follows the piece, which has its beginning beside it."""
    return tuple(line.text for line in piece.after.lines) if piece.after.is_list else ()
