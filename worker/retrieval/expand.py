"""Context expansion: adds to each hit the block it was cut from, and whole tables where asked for.

Blocks are cut at about 80 words because that ranks better (`indexer.evidence.chunk`); a model
answers better from the whole. What is added is written to the hits, so that an ablation takes it
away together with its hit. `worker.prompting.context_window` decides how much of it fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from core import grammar
from core.evidence.blocks import Blocks
from core.evidence.cut_lists import announces_list, parts_of_list
from core.evidence.lexical.page_status import says_outdated
from core.models import Evidence, Hit, Kind
from core.pages import PageKey
from core.policy.acl import Reader
from core.question import Completed, QuestionKind
from core.structure import NO_NEIGHBOUR

CUT = {Kind.PASSAGE, Kind.LIST, Kind.TASK}  # code is never cut, and a table has its rows
BLOCK_PIECES = 12  # around one hit, the nearest ones: about 1,000 words
TOP = 5  # hits among which a table must be for its rows to be wanted
TABLES = 2
ROWS = 300  # of one table

Pages = dict[PageKey, list[Evidence]]  # the pieces of each page

_OVER_ALL_ROWS = re.compile(
    rf"\b{grammar.merged().answers.over_all_rows}\b",
    re.IGNORECASE,
)
_WORDS = grammar.merged().composing.tasks
_TASKS = re.compile(rf"\b(?:{_WORDS.words}|{_WORDS.open}|{_WORDS.done})(?!\w)", re.IGNORECASE)


class EvidenceExpander:
    """Adds their blocks to hits, and behind them the rows that complete a table."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def expand(
        self,
        completed: Completed,
        hits: Sequence[Hit],
        reader: Reader,
    ) -> tuple[Hit, ...]:
        pages = self._blocks.pieces({hit.page.key for hit in hits}, reader)
        tables = _wanted_tables(completed, hits)
        return (*_with_blocks(hits, pages, _block), *_missing_rows(hits, tables, pages))


class TableExpander:
    """Adds only rows, items and code: without a model nothing reads the rest of other blocks.

    An excerpt shows a small table as a whole where the question names none of its rows, steps from
    the first one, and with a sentence that says what to do the command that does it. Who asks for
    tasks is given those of the pages found, which seldom have the words of the question; nor has
    what says that a page is outdated.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def expand(
        self,
        completed: Completed,
        hits: Sequence[Hit],
        reader: Reader,
    ) -> tuple[Hit, ...]:
        tables = _found_tables(hits)
        best = hits[:TOP] if _TASKS.search(completed.question) else []
        pages = self._blocks.pieces({hit.page.key for hit in hits}, reader)
        missing = (*_missing_tasks(hits, best, pages), *_missing_notices(hits, pages))
        asks_how = completed.kind is QuestionKind.PROCEDURE
        own = [_in_its_section(hit, pages) for hit in hits]
        listed = _with_blocks(own, pages, partial(_list_or_code, asks_how=asks_how))
        return (*listed, *missing, *_missing_rows(hits, tables, pages))


def over_all_rows(completed: Completed) -> bool:
    """Whether one row cannot answer: the question counts, compares, or asks for all or the most.

    >>> over_all_rows(Completed(question="", text="Which crane failed most often?"))
    True
    """
    by_kind = completed.kind in (QuestionKind.LIST, QuestionKind.COMPARISON)
    return by_kind or bool(_OVER_ALL_ROWS.search(completed.text))


def _with_blocks(
    hits: Sequence[Hit],
    pages: Pages,
    block_of: Callable[[Hit, Pages], list[Evidence]],
) -> Iterator[Hit]:
    """Each hit with the pieces of its block that are nearer to it than to any other hit."""
    found = {hit.evidence.id for hit in hits}
    blocks = [block_of(hit, pages) for hit in hits]
    nearest: dict[str, tuple[int, int]] = {}  # distance and place of the nearest hit, by piece
    for place, hit in enumerate(hits):
        for piece in blocks[place]:
            distance = abs(piece.position - hit.evidence.position)
            known = nearest.get(piece.id, (distance, place))
            nearest[piece.id] = min(known, (distance, place))
    for place, hit in enumerate(hits):
        own: list[Evidence] = []
        for piece in blocks[place]:
            _, owner = nearest[piece.id]
            if owner == place and piece.id not in found:
                own.append(piece)
        own.sort(key=lambda piece: nearest[piece.id])
        yield _with_block(hit, own[:BLOCK_PIECES])


def _with_block(hit: Hit, pieces: Sequence[Evidence]) -> Hit:
    if not pieces:
        return hit
    in_order = sorted(pieces, key=lambda piece: piece.position)
    return hit.model_copy(update={"block": tuple(in_order)})


def _block(hit: Hit, pages: Pages) -> list[Evidence]:
    """The run of pieces of the same kind and heading around the hit.

    Empty for what is never cut, and when the page has changed.
    """
    if hit.evidence.kind not in CUT:
        return []
    run: list[Evidence] = []
    has_hit = False
    for piece in pages[hit.page.key]:
        is_alike = _alike(piece, hit.evidence)
        is_next = not run or piece.position == run[-1].position + 1
        if not is_alike or not is_next:
            if has_hit:
                break
            run = []
        if is_alike:
            run.append(piece)
            has_hit = has_hit or piece.id == hit.evidence.id
    return run if has_hit else []


def _list_or_code(hit: Hit, pages: Pages, *, asks_how: bool) -> list[Evidence]:
    """The parts of the list that the hit is one of, or announces, or the code that stands below it.

    Empty when the page has changed.
    """
    own = hit.evidence
    known = {piece.id: piece for piece in pages[hit.page.key]}
    if own.id not in known:
        return []
    following = known.get(own.after.id)
    if following and following.acl_id != own.acl_id:
        following = None
    if own.kind is Kind.PASSAGE and following and following.kind is Kind.CODE:
        is_wanted = asks_how or own.text.rstrip().endswith(":")
        return [own, following] if is_wanted else []
    first = following if announces_list(own) else own
    return parts_of_list(first, known.values()) if first else []


def _alike(one: Evidence, two: Evidence) -> bool:
    if one.kind is not two.kind or one.acl_id != two.acl_id:
        return False
    return one.heading_path == two.heading_path


def _missing_rows(hits: Sequence[Hit], tables: Sequence[Hit], pages: Pages) -> Iterator[Hit]:
    """The rows that complete these tables, in their order, as hits without a score."""
    found = {hit.evidence.id for hit in hits}
    for hit in tables:
        rows = list(_rows(hit, pages))
        total = len({piece.row for piece in rows})
        for piece in rows[:ROWS]:
            if piece.id not in found:
                yield Hit(evidence=piece, page=hit.page, language=hit.language, table_rows=total)


def _missing_notices(hits: Sequence[Hit], pages: Pages) -> Iterator[Hit]:
    """What says where a page, or a section that was found, begins that it is outdated."""
    found = {hit.evidence.id for hit in hits}
    sections = {(hit.page.key, hit.evidence.heading_path) for hit in hits}
    for key, hit in {hit.page.key: hit for hit in hits}.items():
        for before, piece in pairwise([None, *pages[key]]):
            assert piece is not None, "only the first has none before it"
            begins = before is None or before.heading_path != piece.heading_path
            is_asked = before is None or (key, piece.heading_path) in sections
            is_new = piece.id not in found and not piece.acl_id
            if begins and is_asked and is_new and says_outdated(piece.text):
                yield Hit(evidence=piece, page=hit.page, language=hit.language)


def _in_its_section(hit: Hit, pages: Pages) -> Hit:
    """Without what follows under another heading: that says nothing of this."""
    known = {piece.id: piece for piece in pages[hit.page.key]}
    after = known.get(hit.evidence.after.id)
    if after is None or after.heading_path == hit.evidence.heading_path:
        return hit
    evidence = hit.evidence.model_copy(update={"after": NO_NEIGHBOUR})
    return hit.model_copy(update={"evidence": evidence})


def _missing_tasks(hits: Sequence[Hit], best: Sequence[Hit], pages: Pages) -> Iterator[Hit]:
    """The tasks of these pages that were not found, as hits without a score."""
    found = {hit.evidence.id for hit in hits}
    for key, hit in {hit.page.key: hit for hit in best}.items():
        for piece in pages[key]:
            if piece.kind is Kind.TASK and piece.id not in found and not piece.acl_id:
                yield Hit(evidence=piece, page=hit.page, language=hit.language)


def _rows(hit: Hit, pages: Pages) -> Iterator[Evidence]:
    """The rows of the hit's table that have no restrictions of their own."""
    for piece in pages[hit.page.key]:
        is_row = piece.kind is Kind.ROW and piece.table_number == hit.evidence.table_number
        if is_row and not piece.acl_id:
            yield piece


def _wanted_tables(completed: Completed, hits: Sequence[Hit]) -> list[Hit]:
    """A hit of each table among the best hits, where all rows are asked for."""
    return _found_tables(hits) if over_all_rows(completed) else []


def _found_tables(hits: Sequence[Hit]) -> list[Hit]:
    """A hit of each table among the best hits."""
    best = [hit for hit in hits if hit.evidence.kind is not Kind.PLACE]
    tables: dict[tuple[PageKey, int], Hit] = {}
    for hit in best[:TOP]:
        table = hit.evidence.table_number
        if table is not None:
            tables.setdefault((hit.page.key, table), hit)
    return list(tables.values())[:TABLES]
