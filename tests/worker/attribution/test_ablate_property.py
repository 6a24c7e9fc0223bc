"""Whatever is removed: its words go from the prompt, and nothing else about the prompt changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st
from pages import found_hits, pages, words

from core.models import Answer, Evidence, Hit, Kind, Record
from core.question import Completed
from worker.attribution.ablation.ablate import frozen, without
from worker.generation.answer_prompt import answer_prompt
from worker.prompting.cut import CUT

EXAMPLES = 60
BUDGETS = st.sampled_from([700, 900, 1500, 6000])
# Positions, also some where no hit is: what is drawn must not hang on how much a prompt held.
REMOVED = st.sets(st.integers(0, 11))
_MARK = re.compile(r"^(\[\d+\])+ ")
_COUNT = re.compile(r" \((?:(?:all|\d+) of its \d+|some of its) rows\)")
SILENT = ("", "(none)", "…")
_BAR = re.compile(r"(?<!\\)\|")
_AROUND = re.compile(r"\((before|after): .*\)")


@st.composite
def records(draw: st.DrawFn) -> tuple[Record, int]:
    return draw(stored_records())[:2]


@st.composite
def stored_records(draw: st.DrawFn) -> tuple[Record, int, list[Evidence]]:
    """A record, the budget of its prompt, and all pieces that are stored."""
    stored = draw(pages())
    completed, hits = draw(found_hits(stored))
    budget = draw(BUDGETS)
    prompt = answer_prompt(completed, hits, context_tokens=budget)
    record = Record(
        completed=completed,
        hits=prompt.hits,
        answer=Answer(text="It is.", model="small"),
        prompt=prompt.user,
    )
    return record, budget, list(chain(*stored.values()))


def prompt_of(completed: Completed, hits: Sequence[Hit]) -> str:
    return answer_prompt(completed, hits, context_tokens=100_000).user


def lines(prompt: str) -> list[str]:
    """Without numbers, marks of a gap in a block, and the texts around, from which words may go."""
    found = [
        _COUNT.sub("", _MARK.sub("", line)).strip().removesuffix(CUT).rstrip()
        for line in prompt.splitlines()
    ]
    return [line for line in found if not _AROUND.fullmatch(line) and line not in SILENT]


def is_left_of(line: str, whole: str) -> bool:
    """Whether this is the line, or a long row in several pieces of which some cells went."""
    own, cells = _BAR.split(line), _BAR.split(whole)
    if len(own) != len(cells):
        return False
    return all(left.strip() in ("", cell.strip()) for left, cell in zip(own, cells, strict=True))


def own_words(hit: Hit, gone: Sequence[Hit]) -> Iterator[str]:
    """What a hit that stays says by itself, as far as the prompt may show it."""
    piece = hit.evidence
    yield from (block.text for block in hit.block if block.id not in ids(gone))
    if piece.table is not None:
        lost = [
            copy.evidence
            for each in gone
            for copy in each.everywhere
            if copy.page.id == hit.page.id and copy.evidence.table_number == piece.table_number
        ]
        yield piece.text if piece.kind is Kind.ROW else ""
        yield f"{piece.table.above} {' '.join(piece.table.header)}"
        for row in piece.table.rows:
            yield row.group
            for at, cell in enumerate(row.cells):
                if piece.kind is Kind.ROW or not any(says(each, row.number, at) for each in lost):
                    yield cell
    else:
        yield piece.text


def says(piece: Evidence, row: int, column: int) -> bool:
    """Whether a piece is this row, and says this column."""
    if piece.row != row or piece.table is None:
        return False
    return not piece.table.columns or column in piece.table.columns


def all_of(gone: Sequence[Hit]) -> Iterator[str]:
    for hit in gone:
        yield from (hit.evidence.before.text, hit.evidence.after.text)
        yield from (block.text for block in hit.block)
        yield from (copy.evidence.model_dump_json().replace("\\n", " ") for copy in hit.everywhere)


def removed_words(gone: Sequence[Evidence], stored: Sequence[Evidence]) -> set[str]:
    """What is said by these alone: of a row, its cells.

    Not what another piece of the kind says too, such as the header that each part of a table
    repeats: where a text around holds that other piece, it stays as it is.
    """
    texts = {piece.text for piece in gone}
    found: set[str] = set()
    for piece in gone:
        others = [each for each in stored if each.kind is piece.kind and each.text not in texts]
        own = [value for _, value in piece.cells] or [piece.text]
        found |= words(*own) - words(*(other.text for other in others))
    return found


def around(left: Sequence[Hit]) -> Iterator[str]:
    """The texts before and after; those of rows are other rows, which say it in other words."""
    yield from (
        text
        for hit in left
        if hit.evidence.kind is not Kind.ROW
        for text in (hit.evidence.before.text, hit.evidence.after.text)
    )


def ids(hits: Collection[Hit]) -> set[str]:
    return {copy.evidence.id for hit in hits for copy in hit.everywhere}


@settings(max_examples=EXAMPLES, deadline=None)
@given(records())
def test_with_nothing_removed_the_prompt_is_the_saved_one(drawn: tuple[Record, int]) -> None:
    record, budget = drawn
    hits = frozen(record, context_tokens=budget)
    assert prompt_of(record.completed, hits) == record.prompt
    assert without(hits, ()) == hits


@settings(max_examples=EXAMPLES, deadline=None)
@given(stored_records(), REMOVED)
def test_what_goes_is_what_was_removed(
    drawn: tuple[Record, int, list[Evidence]], removed: set[int]
) -> None:
    record, budget, stored = drawn
    hits = frozen(record, context_tokens=budget)
    left = without(hits, removed)
    full, less = record.prompt, prompt_of(record.completed, left)
    kept = [hit for hit in hits if hit.evidence.id in ids(left)]
    gone = [hit for hit in hits if hit.evidence.id not in ids(left)]
    said = words(*(text for hit in kept for text in own_words(hit, gone)))
    for line in Counter(lines(less)) - Counter(lines(full)):
        assert any(is_left_of(line, whole) for whole in lines(full)), "something else is there"
    assert not words(full) - words(less) - words(*all_of(gone)), "something else went"
    assert not words(*lines(less)) - said, "something was left"
    saved = [hit for hit in record.hits if hit.evidence.id in ids(gone)]
    pieces = [copy.evidence for hit in saved for copy in hit.everywhere]
    left_around = words(*around(left)) & removed_words(pieces, stored) - said
    assert not left_around, "something was left around another piece"


@settings(max_examples=EXAMPLES, deadline=None)
@given(records(), REMOVED)
def test_nothing_that_is_left_moves(drawn: tuple[Record, int], removed: set[int]) -> None:
    record, budget = drawn
    hits = frozen(record, context_tokens=budget)
    left = without(hits, removed)
    rest = iter(lines(record.prompt))
    for line in lines(prompt_of(record.completed, left)):
        assert any(is_left_of(line, whole) for whole in rest)
