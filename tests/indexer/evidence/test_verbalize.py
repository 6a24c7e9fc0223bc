"""How blocks read as text, and as Markdown."""

from __future__ import annotations

from indexer.evidence.verbalize import (
    code_raw,
    code_text,
    item_groups,
    row_text,
    table_raw,
    table_text,
    task_text,
)
from indexer.parse import Code, Item, Table, TableRow, TaskItem

TASKS = Table(
    1,
    ("Member", "Task"),
    (TableRow(1, ("Bob", "Crawler")), TableRow(2, ("Alice", "Similarity function"))),
)


def test_a_row_reads_as_in_the_paper() -> None:
    assert (
        row_text(TASKS, TASKS.rows[1])
        == "Row 2 in Table 1: Member is Alice, and Task is Similarity function"
    )


def test_an_empty_cell_is_not_said() -> None:
    assert row_text(TASKS, TableRow(3, ("", "Ranking"))) == "Row 3 in Table 1: Task is Ranking"


def test_a_table_reads_line_by_line() -> None:
    assert (
        table_text(TASKS, TASKS.rows) == "Member | Task\nBob | Crawler\nAlice | Similarity function"
    )


def test_a_table_is_markdown_with_escaped_pipes() -> None:
    table = Table(
        1,
        ("Key", "Value"),
        (TableRow(1, ("a|b", "x\ny")),),
        caption="Flags",
        lead_in="All of them:",
    )
    assert (
        table_raw(table, table.rows)
        == "All of them:\nFlags\n\n| Key | Value |\n| --- | --- |\n| a\\|b | x<br>y |"
    )


def test_a_group_stands_above_its_rows_once() -> None:
    table = Table(
        1,
        ("A", "B"),
        (
            TableRow(1, ("1", "2"), "North"),
            TableRow(2, ("3", "4"), "North"),
            TableRow(3, ("5", "6"), "South"),
        ),
    )
    assert table_text(table, table.rows) == "A | B\nNorth\n1 | 2\n3 | 4\nSouth\n5 | 6"
    assert table_raw(table, table.rows[:1]).splitlines()[2:] == ["| North |  |", "| 1 | 2 |"]


def test_a_fence_is_longer_than_any_inside_it() -> None:
    assert code_raw(Code("```\nx\n```", language="md")) == "````md\n```\nx\n```\n````"


def test_code_is_announced_by_its_title_and_lead_in() -> None:
    assert (
        code_text(Code("make", title="build.sh", lead_in="Run this:"))
        == "Run this:\nbuild.sh\nmake"
    )


def test_a_task_names_who_and_when() -> None:
    assert (
        task_text(TaskItem("pay", done=True, assignee="Ana", due="2024-05-01"))
        == "[x] pay (assignee: Ana; due: 2024-05-01)"
    )


def test_list_items_are_marked_numbered_and_indented() -> None:
    items = (Item("mix", (Item("sand"), Item("lime"))), Item("pour\nslowly"))
    assert list(item_groups(items, ordered=True, size=80)) == [
        ["1. mix", "  - sand", "  - lime", "2. pour\n   slowly"]
    ]


def test_a_long_list_repeats_the_parents_of_each_group() -> None:
    items = (
        Item("tools", tuple(Item(f"tool {n} with four words") for n in range(6))),
        Item("rest"),
    )
    groups = list(item_groups(items, ordered=True, size=20))
    assert [group[0] for group in groups] == ["1. tools", "1. tools", "2. rest"]
    assert [line for group in groups for line in group[1:]] == [
        f"  - tool {n} with four words" for n in range(6)
    ]


def test_a_long_parent_is_whole_once_and_shortened_where_it_is_repeated() -> None:
    parent = " ".join(f"w{n}" for n in range(40))
    first, second, third = item_groups((Item(parent, (Item("child"),)),), ordered=False, size=20)
    assert " ".join(line.removeprefix("- ") for line in [*first, *second]) == parent
    assert third == ["- " + " ".join(f"w{n}" for n in range(30)) + " …", "  - child"]


def test_an_item_with_code_is_never_cut() -> None:
    text = "\n".join(f"line {n}" for n in range(100))
    assert len(list(item_groups((Item(text, holds_code=True),), ordered=False, size=20))) == 1
    assert len(list(item_groups((Item(text),), ordered=False, size=20))) > 5
