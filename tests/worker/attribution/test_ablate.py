"""Ablation: what is taken away goes with its words; what else says them by itself stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pages import on_page
from wiki import hit, near, page, piece

from core.models import Answer, Copy, Evidence, Hit, Kind, Note, Record
from core.neighbours import beginning, ending
from core.question import Completed
from core.structure import NO_NEIGHBOUR, TableRow
from indexer.parse import Passage, Table
from worker.attribution.ablation.ablate import asked, frozen, without
from worker.generation.answer_prompt import answer_prompt
from worker.text.tokens import estimate

QUESTION = Completed(question="Which crane passed?", text="Which crane passed?")
CRANES = ("K4", "K5", "K6", "K7")


def table(
    *rows: tuple[str, ...],
    groups: Sequence[str] = (),
    header: tuple[str, ...] = ("Crane", "Result"),
    caption: str = "",
) -> Table:
    labelled = zip(rows, groups or [""] * len(rows), strict=True)
    return Table(
        1,
        header,
        tuple(
            TableRow(number=n, cells=cells, group=group)
            for n, (cells, group) in enumerate(labelled, 1)
        ),
        caption=caption,
    )


def cranes(*groups: str) -> list[Evidence]:
    """A table of four cranes: the table, then its rows."""
    return on_page(
        table(*((name, f"passed in {name}") for name in CRANES), groups=groups, caption="Tests")
    )


def record(*hits: Hit, **more: object) -> Record:
    prompt = answer_prompt(QUESTION, hits)
    return Record(
        completed=QUESTION,
        hits=prompt.hits,
        answer=Answer(text="K4.", model="small"),
        prompt=prompt.user,
    )


def shown(hits: Sequence[Hit], removed: Sequence[int] = ()) -> list[str]:
    """The lines of the prompt for what is left."""
    left = without(frozen(record(*hits), context_tokens=6000), removed)
    user = answer_prompt(QUESTION, left).user
    return [
        line.strip()
        for line in user.partition("<<<EVIDENCE")[2].partition("EVIDENCE>>>")[0].splitlines()
        if line.strip()
    ]


def tight(less: int, *hits: Hit) -> tuple[Record, int]:
    """A record of an answer from these hits, and a budget so many tokens below what all take."""
    whole = answer_prompt(QUESTION, hits, context_tokens=100_000)
    budget = estimate(whole.system) + estimate(whole.user) - less
    prompt = answer_prompt(QUESTION, hits, context_tokens=budget)
    return Record(
        completed=QUESTION,
        hits=prompt.hits,
        answer=Answer(text="K4.", model="small"),
        prompt=prompt.user,
    ), budget


def test_room_that_is_freed_shows_no_more_of_the_others() -> None:
    block = (piece("Near. " * 40, position=5), piece("Far. " * 80, position=8))
    wide = hit(
        piece("Own.", position=4, before=near("Before it."), after=near("After it.")), block=block
    )
    saved, budget = tight(20, wide, hit(piece("Other. " * 100, page_id="2"), page("2")))
    assert "Far." not in saved.prompt
    assert "Far." in answer_prompt(QUESTION, saved.hits[:1], context_tokens=budget).user
    left = without(frozen(saved, context_tokens=budget), [1])
    second = saved.prompt[saved.prompt.index("[2] ") : saved.prompt.index("EVIDENCE>>>")]
    assert answer_prompt(QUESTION, left, context_tokens=budget).user == saved.prompt.replace(
        second, ""
    )


def test_of_a_piece_that_was_cut_nothing_stays_around_a_copy_of_its_neighbour() -> None:
    whole = "The crane passed. The brake failed. " * 20
    beside = hit(piece("Beside.", page_id="2", after=beginning(piece(whole))), page("2"))
    saved, budget = tight(100, hit("The best one."), hit(piece(whole)))
    cut = frozen(saved, context_tokens=budget)[1]
    assert cut.evidence.text != whole
    (left,) = without([beside, cut], [1])
    assert left.evidence.after.text == ""


def test_hits_of_a_quoted_answer_are_as_they_were() -> None:
    quoted = record(hit("K4 passed.")).model_copy(update={"prompt": ""})
    assert frozen(quoted, context_tokens=6000) == quoted.hits


def test_the_question_is_as_the_answerer_was_asked() -> None:
    from_all = record(hit("K4 passed."))
    assert asked(from_all) == QUESTION
    dropped = Answer(text="", notes=(Note.CONDITIONS_DROPPED,))
    assert asked(from_all.model_copy(update={"answer": dropped})).conditions == ()


def test_a_row_goes_out_of_its_table() -> None:
    whole, _, k5, *_ = cranes()
    (left,) = without([hit(whole), hit(k5)], [1])
    assert (
        left.evidence.text
        == "Tests\nCrane | Result\nK4 | passed in K4\nK6 | passed in K6\nK7 | passed in K7"
    )
    assert left.evidence.table is not None
    assert [row.cells[0] for row in left.evidence.table.rows] == ["K4", "K6", "K7"]


def test_a_table_goes_without_the_rows_that_were_found_and_with_those_that_complete_it() -> None:
    whole, *rows = cranes()
    completing = [Hit(evidence=row, page=page(), table_rows=4) for row in rows[1:]]
    hits = [hit(whole), hit(rows[0]), *completing]
    assert shown(hits)[0].startswith("Table (all of its 4 rows)")
    assert [left.evidence.id for left in without(hits, [0])] == [rows[0].id]
    assert shown(hits, [0]) == [
        "Table (some of its rows), undated · Handbook",
        "Tests",
        "Crane | Result",
        "[1] K4 | passed in K4",
    ]


def test_a_table_of_which_a_row_went_counts_the_others() -> None:
    whole, *rows = cranes()
    hits = [hit(whole), *(Hit(evidence=row, page=page(), table_rows=4) for row in rows)]
    assert shown(hits, [2]) == [
        "Table (all of its 3 rows), undated · Handbook",
        "Tests",
        "Crane | Result",
        "[2] K4 | passed in K4",
        "[3] K6 | passed in K6",
        "[4] K7 | passed in K7",
    ]


def test_a_row_that_is_left_alone_still_stands_as_a_line_of_its_table_and_in_its_place() -> None:
    _, k4, k5, *_ = cranes()
    between = hit("K9 was sold.", page("2"))
    before = shown([hit(k4), between, hit(k5)])
    after = shown([hit(k4), between, hit(k5)], [0])
    assert before[:4] == [
        "Table (some of its rows), undated · Handbook",
        "Tests",
        "Crane | Result",
        "[1] K4 | passed in K4",
    ]
    assert after[:4] == [*before[:3], "[1] K5 | passed in K5"]


def test_the_name_of_a_group_goes_with_its_last_row_only() -> None:
    whole, k4, k5, *_ = cranes("North", "North", "South", "South")
    (one,) = without([hit(whole), hit(k4)], [1])
    assert "North" in one.evidence.text
    (none,) = without([hit(whole), hit(k4), hit(k5)], [1, 2])
    assert (
        none.evidence.text == "Tests\nCrane | Result\nSouth\nK6 | passed in K6\nK7 | passed in K7"
    )


def test_a_row_of_one_cell_goes_and_the_name_of_its_group_stays_with_the_others() -> None:
    whole, _, alone, _ = on_page(
        table(("K4", "passed"), ("K5", ""), ("K6", "failed"), groups=("North",) * 3)
    )
    (left,) = without([hit(whole), hit(alone)], [1])
    assert left.evidence.text == "Crane | Result\nNorth\nK4 | passed\nK6 | failed"


def test_a_row_goes_out_of_the_part_of_a_long_table_that_says_it() -> None:
    pieces = on_page(
        table(*((f"K{n}", " ".join(f"word{n}x{m}" for m in range(60))) for n in range(8)))
    )
    parts = [each for each in pieces if each.kind is Kind.TABLE]
    (row,) = (each for each in pieces if each.row == 6)
    assert len(parts) > 1
    left = without([*map(hit, parts), hit(row)], [len(parts)])
    assert not any("word5x0" in each.evidence.model_dump_json() for each in left)
    changed = [each.evidence.table != part.table for each, part in zip(left, parts, strict=True)]
    assert sum(changed) == 1


def test_of_two_equal_rows_the_one_that_stays_keeps_its_line() -> None:
    whole, first, second = on_page(table(("K4", "passed"), ("K4", "passed")))
    left, _ = without([hit(whole), hit(first), hit(second)], [1])
    assert left.evidence.text == "Crane | Result\nK4 | passed"
    (left,) = without([hit(whole), hit(first), hit(second)], [1, 2])
    assert left.evidence.text == "Crane | Result"


def test_a_row_goes_out_of_its_own_group_where_another_group_has_the_same() -> None:
    whole, first, _ = on_page(table(("K4", "passed"), ("K4", "passed"), groups=("North", "South")))
    (left,) = without([hit(whole), hit(first)], [1])
    assert left.evidence.text == "Crane | Result\nSouth\nK4 | passed"


def test_with_a_part_of_a_table_go_the_completing_rows_that_it_says() -> None:
    pieces = on_page(
        table(*((f"K{n}", " ".join(f"word{n}x{m}" for m in range(60))) for n in range(8)))
    )
    parts = [hit(each) for each in pieces if each.kind is Kind.TABLE]
    rows = [
        Hit(evidence=each, page=page(), table_rows=8) for each in pieces if each.kind is Kind.ROW
    ]
    left = without([*parts, *rows], [0])
    said = "".join(each.evidence.text for each in left)
    assert "word0x0" in parts[0].evidence.text and "word0x0" not in said
    assert "word7x0" in said
    assert {each.table_rows for each in left} == {0, len(left) - len(parts) + 1}


def test_cells_with_bars_and_line_breaks_go_too() -> None:
    whole, _, odd, _ = on_page(table(("K4", "passed"), ("K5", "a | b\nc"), ("K6", "failed")))
    (left,) = without([hit(whole), hit(odd)], [1])
    assert left.evidence.text == "Crane | Result\nK4 | passed\nK6 | failed"


def test_a_long_row_loses_the_cells_of_the_piece_that_goes() -> None:
    long, longer = (" ".join(f"{name}{n}" for n in range(150)) for name in ("calm", "storm"))
    whole, one, two = on_page(table(("K4", long, longer), header=("Crane", "Calm", "Storm")))
    assert (one.row, two.row) == (1, 1)
    table_left, row_left = without([hit(whole), hit(one), hit(two)], [1])
    assert row_left.evidence == two.model_copy(update={"before": NO_NEIGHBOUR})
    assert table_left.evidence.text == f"Crane | Calm | Storm\nK4 |  | {longer}"
    assert [line for line in shown([hit(whole), hit(one), hit(two)], [1]) if "K4" in line] == [
        f"[2] K4 |  | {longer}"
    ]


def test_a_table_that_the_prompt_has_cut_loses_the_row_and_stays_cut() -> None:
    pieces = on_page(table(*((f"K{n}", f"passed in spring number {n}") for n in range(20))))
    saved, budget = tight(20, hit(pieces[0]), hit(pieces[3]), hit("Other. " * 10))
    hits = frozen(saved, context_tokens=budget)
    assert hits[0].evidence.text.endswith("… (cut)") and "K2 |" in hits[0].evidence.text
    left = without(hits, [1])
    assert left[0].evidence.text == hits[0].evidence.text.replace(
        "K2 | passed in spring number 2\n", ""
    )


def test_a_row_in_the_middle_of_which_the_prompt_has_cut_goes_too() -> None:
    pieces = on_page(table(("K4", "failed " * 150), ("K5", "passed"), header=("", "")))
    saved, budget = tight(200, hit(pieces[0]))
    cut = frozen(saved, context_tokens=budget)[0]
    assert cut.evidence.text.startswith("K4 | failed") and cut.evidence.text.endswith(
        "failed … (cut)"
    )
    assert without([cut, hit(pieces[1])], [1])[0].evidence.text.strip() == "… (cut)"


def test_a_row_goes_out_of_a_cut_table_also_where_the_prompt_had_to_make_it_safe() -> None:
    pieces = on_page(
        table(("K4", "passed [1]"), *((f"K{n}", "failed in spring") for n in range(5, 30)))
    )
    saved, budget = tight(100, hit(pieces[0]))
    cut = frozen(saved, context_tokens=budget)[0]
    assert "K4 | passed (1)" in cut.evidence.text and cut.evidence.text.endswith("… (cut)")
    assert without([cut, hit(pieces[1])], [1])[0].evidence.text == cut.evidence.text.replace(
        "K4 | passed (1)\n", ""
    )


def test_with_a_cut_table_goes_its_end_before_what_follows() -> None:
    pieces = on_page(
        table(*((f"K{n}", "failed in spring") for n in range(5, 30))), Passage("Elsewhere.")
    )
    saved, budget = tight(100, hit(pieces[0]), hit(pieces[-1]))
    hits = frozen(saved, context_tokens=budget)
    assert hits[0].evidence.text.endswith("… (cut)")
    behind = hits[1].model_copy(update={"evidence": pieces[-1]})
    assert without([hits[0], behind], [0])[0].evidence.before.text == ""


@pytest.mark.parametrize("times", [1, 60])
def test_the_texts_around_neighbours_go_with_the_piece_they_are_from(times: int) -> None:
    """Also where they are shortened."""
    first, second, third = on_page(
        *(Passage(f"{text}. " * times, heading_path=(text,)) for text in ("One", "Two", "Three"))
    )
    left = without([hit(first), hit(second), hit(third)], [1])
    assert [(each.evidence.before.text, each.evidence.after.text) for each in left] == [
        ("", ""),
        ("", ""),
    ]
    assert without([hit(first), hit(third)], [0])[0].evidence.before == third.before


def test_a_text_that_is_the_end_of_a_table_goes_without_the_row() -> None:
    pieces = on_page(table(("K4", "passed"), ("K5", "failed")), Passage("Elsewhere."))
    (left,) = without([hit(pieces[-1]), hit(pieces[1])], [1])
    assert (pieces[-1].before.text, left.evidence.before.text) == (
        "Crane | Result K4 | passed K5 | failed",
        "Crane | Result K5 | failed",
    )


def test_a_shortened_text_goes_without_what_is_left_of_the_row() -> None:
    rows = [
        (f"K{n}", f"passed in the spring of the year after the great flood, number {n}")
        for n in range(4)
    ]
    pieces = on_page(table(*rows), Passage("Elsewhere."))
    (first,) = (row for row in pieces if row.row == 2)
    before = pieces[-1].before.text
    assert before.startswith("…") and "number 1 K2" in before
    (left,) = without([hit(pieces[-1]), hit(first)], [1])
    assert "number 1" not in left.evidence.before.text
    assert left.evidence.before.text.endswith(
        "number 2 K3 | passed in the spring of the year after the great flood, number 3"
    )


def test_so_does_one_that_is_shortened_at_its_end() -> None:
    rows = [
        (f"K{n}", f"passed in the spring of the year after the great flood, number {n}")
        for n in range(4)
    ]
    pieces = on_page(Passage("Elsewhere."), table(*rows))
    (third,) = (row for row in pieces if row.row == 3)
    assert "K2 | passed in" in pieces[0].after.text and pieces[0].after.text.endswith("…")
    (left,) = without([hit(pieces[0]), hit(third)], [1])
    assert (
        "number 1" in left.evidence.after.text
        and "K2" not in left.evidence.after.text
        and "spring of the year …" not in left.evidence.after.text
    )


def test_copies_go_with_their_hit_and_out_of_the_blocks_of_their_page() -> None:
    text, copy = piece("K4 passed.", position=1), piece("K4 passed.", "2", position=1)
    beside = hit(
        piece("K5 failed.", "2", position=2, before=ending(copy)), page("2"), block=(copy,)
    )
    first = hit(text, copies=(Copy(evidence=copy, page=page("2")),))
    (left,) = without([first, beside], [0])
    assert (left.block, left.evidence.before.text) == ((), "")


def test_what_another_piece_says_by_itself_stays() -> None:
    lists = [
        piece(f"Steps:\n- Gateway\n  - {step} it", kind=Kind.LIST, position=n)
        for n, step in enumerate(("Stop", "Start"))
    ]
    assert without([hit(each) for each in lists], [0]) == (hit(lists[1]),)


def test_without_everything_nothing_is_left() -> None:
    hits = [hit(each) for each in cranes()]
    assert without(hits, range(len(hits))) == ()
