"""Whatever is removed: the words that go from the prompt are those of what was removed, and nothing else about it changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from pages import found_hits, words

from core.models import Answer, Hit, Kind, Record
from core.question import Completed
from worker.attribution.ablation.ablate import frozen, without
from worker.generation.generator import answer_prompt
from worker.prompting.context_window import CUT
from worker.text.table_merge import grid

EXAMPLES = 60
BUDGETS = st.sampled_from([700, 900, 1500, 6000])
_MARK = re.compile(r"^(\[\d+\])+ ")
_COUNT = re.compile(r" \((?:(?:all|\d+) of its \d+|some of its) rows\)")
_AROUND = re.compile(r"\((before|after): .*\)")


@st.composite
def records(draw: st.DrawFn) -> tuple[Record, int]:
    completed, hits = draw(found_hits())
    budget = draw(BUDGETS)
    prompt = answer_prompt(completed, hits, context_tokens=budget)
    return Record(
        completed=completed,
        hits=prompt.hits,
        answer=Answer(text="It is.", model="small"),
        prompt=prompt.user,
    ), budget


def prompt_of(completed: Completed, hits: Sequence[Hit]) -> str:
    return answer_prompt(completed, hits, context_tokens=100_000).user


def lines(prompt: str) -> list[str]:
    """Without numbers, and without the texts around pieces, from which words may go."""
    found = [
        _COUNT.sub("", _MARK.sub("", line)).strip().removesuffix(CUT).rstrip()
        for line in prompt.splitlines()
    ]
    return [line for line in found if not _AROUND.fullmatch(line) and line not in ("", "(none)")]


def own_words(hit: Hit, gone: Sequence[Hit]) -> Iterator[str]:
    """What a hit that stays says by itself, as far as the prompt may show it."""
    piece = hit.evidence
    yield from (block.text for block in hit.block if block.id not in ids(gone))
    lost = [
        copy.evidence
        for each in gone
        for copy in each.everywhere
        if copy.page.id == hit.page.id and copy.evidence.kind is Kind.ROW
    ]
    if piece.kind is Kind.ROW:
        yield piece.text
        head, row = piece.raw.rpartition("\n")[::2]
        yield head
        same = [each for each in lost if (each.table, each.row) == (piece.table, piece.row)]
        only_there = words(*(each.text for each in same)) - words(piece.text)
        yield " ".join(words(row) - only_there)
    elif piece.kind is Kind.TABLE:
        lines_lost = {grid(each).rows[-1] for each in lost if each.table == piece.table}
        group = ""
        yield f"{grid(piece).above} {grid(piece).header}"
        for line in grid(piece).rows:
            group = line if not line.partition("|")[2].strip(" |") else group
            if line not in lines_lost and line != group:
                yield f"{group} {line}"
    else:
        yield piece.text


def all_of(gone: Sequence[Hit]) -> Iterator[str]:
    for hit in gone:
        yield from (hit.evidence.before, hit.evidence.after, *(block.text for block in hit.block))
        yield from (
            text for copy in hit.everywhere for text in (copy.evidence.text, copy.evidence.raw)
        )


def removed_words(gone: Sequence[Hit]) -> Iterator[str]:
    """What is said by these alone: of a row, its cells."""
    for copy in (copy for hit in gone for copy in hit.everywhere):
        yield from (
            (value for _, value in copy.evidence.cells)
            if copy.evidence.cells
            else (copy.evidence.text,)
        )


def around(left: Sequence[Hit]) -> Iterator[str]:
    """The texts before and after; those of rows are other rows, which say their table in other words."""
    yield from (
        text
        for hit in left
        if hit.evidence.kind is not Kind.ROW
        for text in (hit.evidence.before, hit.evidence.after)
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
@given(records(), st.data())
def test_what_goes_is_what_was_removed(drawn: tuple[Record, int], data: st.DataObject) -> None:
    record, budget = drawn
    hits = frozen(record, context_tokens=budget)
    left = without(hits, data.draw(st.sets(st.integers(0, len(hits) - 1))))
    full, less = record.prompt, prompt_of(record.completed, left)
    kept = [hit for hit in hits if hit.evidence.id in ids(left)]
    gone = [hit for hit in hits if hit.evidence.id not in ids(left)]
    said = words(*(text for hit in kept for text in own_words(hit, gone)))
    assert not Counter(lines(less)) - Counter(lines(full)), "something else is there"
    assert not words(full) - words(less) - words(*all_of(gone)), "something else went"
    assert not words(*lines(less)) - said, "something was left"
    assert not words(*around(left)) & words(*removed_words(gone)) - said, (
        "something was left around another piece"
    )


@settings(max_examples=EXAMPLES, deadline=None)
@given(records(), st.data())
def test_nothing_that_is_left_moves(drawn: tuple[Record, int], data: st.DataObject) -> None:
    record, budget = drawn
    hits = frozen(record, context_tokens=budget)
    left = without(hits, data.draw(st.sets(st.integers(0, len(hits) - 1))))
    rest = iter(lines(record.prompt))
    assert all(line in rest for line in lines(prompt_of(record.completed, left)))
