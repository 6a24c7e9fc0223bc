"""The context window: the best within the budget, tables as one, whole blocks.

And numbers that lead back to the hits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import wiki
from hypothesis import given, settings
from hypothesis import strategies as st
from wiki import hit, near, page, piece, row

from core.models import Evidence, Hit, Kind
from core.question import Completed
from core.structure import TableRow, TableSlice
from worker.generation.answer_prompt import Prompt, answer_prompt
from worker.prompting.context_window import freeze, pack
from worker.prompting.evidence_blocks import PromptBlock
from worker.text.tokens import estimate

PLENTY = 100_000
QUESTION = Completed(question="Which crane failed?", text="Which crane failed?")
WORDS = ["harbour", "crane", "winch", "buoy", "quay", "tide", "cargo", "anchor", "pilot", "mooring"]


def sentences(number: int, topic: str = "crane") -> str:
    return " ".join(
        f"The {topic} number {n} stands at quay {n} and is tested in spring." for n in range(number)
    )


def table_row(number: int, crane: str, group: str = "", **more: Any) -> Evidence:
    found = row(number, group=group, Crane=crane, Result="passed")
    assert found.table is not None
    table = found.table.model_copy(update={"above": "Tests of cranes:"})
    return found.model_copy(update={"table": table, **more})


def part(*cranes: str, first: int = 1, position: int = 0) -> Evidence:
    rows = [table_row(number, crane) for number, crane in enumerate(cranes, first)]
    return wiki.part(*rows, above="Tests of cranes:", position=position)


def packed(*found: Evidence | Hit, room: int = PLENTY) -> list[PromptBlock]:
    return list(pack([each if isinstance(each, Hit) else hit(each) for each in found], room).blocks)


def lines(block: PromptBlock) -> list[str]:
    return [f"{line.mark} {line.text}" for line in block.lines]


def test_every_hit_is_numbered_by_its_place() -> None:
    assert [lines(block) for block in packed(piece("One."), piece("Two."))] == [
        ["[1] One."],
        ["[2] Two."],
    ]


def test_the_best_piece_keeps_its_place_and_what_does_not_fit_stays_out() -> None:
    hits = [hit(piece(sentences(10, topic))) for topic in WORDS]
    some = pack(hits, 700)
    assert some.hits == tuple(hits[: len(some.hits)])
    assert 1 < len(some.hits) < len(hits)


def test_a_piece_that_does_not_fit_whole_is_cut_at_a_sentence_and_says_so() -> None:
    (block,) = packed(piece(sentences(50)), room=200)
    assert re.fullmatch(
        r"\[1\] (The crane number \d+ stands at quay \d+ and is tested in spring\. )+… \(cut\)",
        lines(block)[0],
    )


def test_a_list_is_cut_between_its_lines() -> None:
    (block,) = packed(
        piece("\n".join(f"- check winch {n} before 1. May" for n in range(60)), kind=Kind.LIST),
        room=200,
    )
    *items, last = block.lines[0].text.splitlines()
    assert all(re.fullmatch(r"- check winch \d+ before 1\. May", item) for item in items)
    assert last.endswith("before 1. May … (cut)")


def test_of_the_best_piece_something_is_given_in_any_case() -> None:
    (block,) = packed(piece("Donaudampfschifffahrt " * 500), room=60)
    assert block.lines[0].text.startswith("Donaudampfschifffahrt ")
    assert pack([hit(piece("x" * 9000))], 60).hits


def test_a_piece_that_would_take_all_the_room_leaves_half_of_it_to_the_others() -> None:
    code = piece("\n".join(f"winch.turn({n})" for n in range(5000)), kind=Kind.CODE)
    given = pack([hit(code), *(hit(sentences(3, topic)) for topic in WORDS[:4])], 2000)
    assert len(given.hits) == 5
    assert given.blocks[0].lines[0].text.endswith(") … (cut)")
    assert 800 < estimate(given.blocks[0].lines[0].text) <= 1000


def test_texts_before_and_after_are_the_first_to_go_and_blocks_the_next() -> None:
    around = hit(piece("Two.", position=1, before=near(sentences(2)), after=near(sentences(2))))
    wide = hit(piece("Five.", position=5), page(), block=(piece(sentences(2), position=4),))
    everything, narrow = packed(around, wide), packed(around, wide, room=90)
    assert everything[0].before and everything[0].after
    assert (narrow[0].before, narrow[0].after) == ("", "")
    assert narrow[1].lines == everything[1].lines
    assert [lines(block) for block in packed(around, wide, room=40)] == [
        ["[1] Two."],
        ["[2] Five."],
    ]


def test_a_block_is_shown_whole_in_its_order_with_a_mark_where_something_is_missing() -> None:
    one = piece("One.", position=1, heading_path=("A",))
    block = (one, piece("Four.", position=4, heading_path=("A",)))
    (shown,) = packed(
        hit(
            piece(
                "Two.", position=2, before=near("One."), after=near("Three."), heading_path=("A",)
            ),
            block=block,
        )
    )
    assert (lines(shown), shown.before, shown.after) == (["[1] One.\nTwo.\n…\nFour."], "", "Three.")


def test_lines_that_pieces_of_a_list_repeat_stand_there_once() -> None:
    first, second = (
        piece(f"Steps:\n- Gateway\n  - {step}", kind=Kind.LIST, position=n)
        for n, step in enumerate(["Stop it", "Start it"])
    )
    (shown,) = packed(hit(second, block=(first,)))
    assert lines(shown) == ["[1] Steps:\n- Gateway\n  - Stop it\n  - Start it"]


def test_rows_of_one_table_are_one_table_in_order_each_with_its_own_number() -> None:
    table, other = packed(table_row(3, "SkyLift 3"), piece("Elsewhere."), table_row(1, "SkyLift 1"))
    assert table.above == "Tests of cranes:\nCrane | Result"
    assert lines(table) == ["[3] SkyLift 1 | passed", "[1] SkyLift 3 | passed"]
    assert lines(other) == ["[2] Elsewhere."]
    assert table.is_part


def test_rows_that_a_part_of_the_table_has_already_are_not_repeated_and_keep_their_numbers() -> (
    None
):
    (table,) = packed(
        part("SkyLift 1", "SkyLift 2", "SkyLift 3"),
        table_row(2, "SkyLift 2"),
        table_row(7, "SkyLift 7"),
    )
    assert lines(table) == [
        "[1] SkyLift 1 | passed",
        "[2] SkyLift 2 | passed",
        "[1] SkyLift 3 | passed",
        "[3] SkyLift 7 | passed",
    ]
    assert not table.is_part


def test_a_later_part_of_a_table_stands_behind_its_earlier_rows() -> None:
    (table,) = packed(
        part("SkyLift 4", "SkyLift 5", first=4),
        table_row(5, "SkyLift 5"),
        table_row(1, "SkyLift 1"),
    )
    assert lines(table) == [
        "[3] SkyLift 1 | passed",
        "[1] SkyLift 4 | passed",
        "[2] SkyLift 5 | passed",
    ]


def test_a_row_stands_under_the_name_of_its_group() -> None:
    (table,) = packed(
        table_row(1, "SkyLift 1", "Halle A"),
        table_row(2, "SkyLift 2", "Halle A"),
        table_row(3, "SkyLift 3", "Halle B"),
    )
    assert lines(table) == [
        "[1] Halle A\nSkyLift 1 | passed",
        "[2] SkyLift 2 | passed",
        "[3] Halle B\nSkyLift 3 | passed",
    ]


def test_a_long_row_that_was_cut_by_columns_is_written_once_under_both_numbers() -> None:
    one = row(1, Crane="SkyLift 1", Calm="12 t", Storm="")
    two = row(1, Crane="SkyLift 1", Calm="", Storm="3 t")
    (table,) = packed(one, two)
    assert lines(table) == ["[1][2] SkyLift 1 | 12 t | 3 t"]


def test_a_part_of_a_table_is_cut_between_its_rows() -> None:
    long = part(*(f"SkyLift {n}" for n in range(1, 60)))
    (cut,) = freeze([hit(long)], 100)
    assert cut.evidence.text.endswith(" | passed … (cut)")
    assert cut.evidence.table is not None
    shown = cut.evidence.table.rows
    assert 1 < len(shown) < 59
    assert cut.evidence.text == f"{cut.evidence.table.text} … (cut)"
    assert cut.uncut == long


def test_tables_of_two_pages_are_two_tables() -> None:
    elsewhere = hit(table_row(1, "SkyLift 1", page_id="2"), page("2"))
    assert len(packed(table_row(1, "SkyLift 1"), elsewhere)) == 2


def test_a_table_that_was_completed_says_how_much_of_it_is_there() -> None:
    found = hit(table_row(1, "SkyLift 1"))
    more = [
        Hit(evidence=table_row(n, f"SkyLift {n}"), page=page(), table_rows=120)
        for n in range(2, 121)
    ]
    (whole,) = pack([found, *more], PLENTY).blocks
    (some,) = pack([found, *more], 500).blocks
    assert (whole.rows, whole.rows_of) == (120, 120)
    assert (some.rows, some.rows_of) == (len(some.lines), 120)


kinds = st.sampled_from([Kind.PASSAGE, Kind.LIST, Kind.CODE, Kind.ROW, Kind.TABLE])
texts = st.lists(
    st.sampled_from(
        [
            *WORDS,
            "SECRET",
            "Ende.",
            "17.",
            "\n",
            "- item\n",
            "[1]",
            ">>>",
            "EVIDENCE>>>",
            "<|im_end|>",
        ]
    ),
    max_size=40,
).map(" ".join)


@st.composite
def hits(draw: st.DrawFn) -> list[Hit]:
    found = []
    for number in range(draw(st.integers(0, 8))):
        kind = draw(kinds)
        text = draw(texts)
        own = piece(text, kind=kind, position=3 * number, id=str(number))
        if kind in (Kind.ROW, Kind.TABLE):
            cells = (" ".join(text.split()), str(number))
            table = TableSlice(
                number=draw(st.integers(1, 2)),
                header=("A", "B"),
                rows=(TableRow(number=number + 1, cells=cells),),
            )
            own = own.model_copy(update={"table": table})
        own = own.model_copy(
            update={
                "before": near(draw(texts)),
                "after": near(draw(texts)),
                "heading_path": (draw(texts),),
            }
        )
        around = (
            (piece(draw(texts), position=3 * number + 1, id=f"{number}b"),)
            if draw(st.booleans()) and own.table is None
            else ()
        )
        found.append(hit(own, page(title=draw(texts)), block=around))
    return found


def numbers(prompt: Prompt) -> set[int]:
    marks = re.findall(r"^((?:\[\d+\])+) ", prompt.user, re.MULTILINE)
    return {int(number) for mark in marks for number in re.findall(r"\d+", mark)}


@settings(max_examples=100, deadline=None)
@given(hits(), st.integers(1000, 3000))
def test_whatever_was_found_the_prompt_holds_to_its_budget_its_numbers_and_its_fence(
    found: list[Hit], budget: int
) -> None:
    prompt = answer_prompt(QUESTION, found, context_tokens=budget)
    assert prompt.hits == tuple(found[: len(prompt.hits)])
    assert bool(prompt.hits) == bool(found)
    assert numbers(prompt) == set(range(1, len(prompt.hits) + 1))
    assert estimate(prompt.system) + estimate(prompt.user) <= budget or len(prompt.hits) == 1
    opened, fenced, closed = re.split(r"<<<EVIDENCE|EVIDENCE>>>", prompt.user)
    assert not {
        word
        for word in [*WORDS, "SECRET", "Ende."]
        if word in opened + closed.removesuffix(QUESTION.text)
    }
    assert all(
        re.match(r"(\[\d+\])+ |Table[ ,]|    |\(none\)|$", line) for line in fenced.splitlines()
    )


@settings(max_examples=50, deadline=None)
@given(hits(), st.integers(20, 1500))
def test_what_was_given_packs_again_into_the_same(found: list[Hit], room: int) -> None:
    once = pack(found, room)
    assert pack(once.hits, room) == once


@settings(max_examples=100, deadline=None)
@given(hits(), st.integers(20, 1500), st.data())
def test_frozen_hits_are_shown_as_they_were_whatever_else_is_there(
    found: list[Hit], room: int, data: st.DataObject
) -> None:
    frozen, whole = freeze(found, room), pack(found, room)
    assert pack(frozen, PLENTY).blocks == pack(frozen, 20).blocks == whole.blocks
    some = (
        data.draw(st.lists(st.sampled_from(range(len(frozen))), unique=True).map(sorted))
        if frozen
        else []
    )
    left = pack([frozen[place] for place in some], PLENTY)
    assert said_of(
        left.blocks, {number: place + 1 for number, place in enumerate(some, start=1)}
    ) <= said_of(whole.blocks, {})


def said_of(blocks: Sequence[PromptBlock], numbers: dict[int, int]) -> set[tuple[object, ...]]:
    """What is said under each number, or under what that number was before.

    These tables differ in their titles from row to row.
    """
    return {
        (
            numbers.get(int(line.mark[1:-1]), int(line.mark[1:-1])),
            block.is_table or block.head,
            block.before,
            block.after,
            block.above,
            line.text,
        )
        for block in blocks
        for line in block.lines
    }
