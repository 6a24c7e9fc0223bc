"""How blocks read, and what structure evidence keeps of them."""

from __future__ import annotations

import pytest

from core.structure import ListItem, TableRow
from indexer.evidence.verbalize import code_text, item_groups, row_text, table_slice, task_item
from indexer.parse import Code, Item, Table, TaskItem

BOB = TableRow(number=1, cells=("Bob", "Crawler"))
ALICE = TableRow(number=2, cells=("Alice", "Similarity function"))
TASKS = Table(1, ("Member", "Task"), (BOB, ALICE))


def row(table: Table, of: TableRow) -> str:
    return row_text(table, table_slice(table, [of]))


def lines(group: tuple[ListItem, ...]) -> list[str]:
    return [item.line for item in group]


def test_a_row_reads_as_in_the_paper() -> None:
    assert row(TASKS, ALICE) == "Row 2 in Table 1: Member is Alice, and Task is Similarity function"


def test_an_empty_cell_is_not_said() -> None:
    empty = TableRow(number=3, cells=("", "Ranking"))
    assert row(TASKS, empty) == "Row 3 in Table 1: Task is Ranking"


def test_two_columns_without_names_are_names_and_values() -> None:
    flag = TableRow(number=1, cells=("port", "8080"))
    table = Table(1, ("", ""), (flag,))
    assert row(table, flag) == "Row 1 in Table 1: port: 8080"
    assert table_slice(table, [flag]).cells(flag) == (("port", "8080"),)


def test_a_table_reads_line_by_line() -> None:
    text = table_slice(TASKS, TASKS.rows).text
    assert text == "Member | Task\nBob | Crawler\nAlice | Similarity function"


def test_a_table_keeps_what_announces_it() -> None:
    table = Table(1, ("A",), (), caption="Flags", lead_in="All of them:", label="Note")
    assert table_slice(table, ()).above == "Note: All of them:\nFlags"


def test_a_group_stands_above_its_rows_once() -> None:
    rows = (
        TableRow(number=1, cells=("1", "2"), group="North"),
        TableRow(number=2, cells=("3", "4"), group="North"),
        TableRow(number=3, cells=("5", "6"), group="South"),
    )
    table = Table(1, ("A", "B"), rows)
    assert table_slice(table, rows).text == "A | B\nNorth\n1 | 2\n3 | 4\nSouth\n5 | 6"


def test_a_fence_is_longer_than_any_inside_it() -> None:
    code = code_text(Code("```\nx\n```", language="md"))
    assert code.fenced == "````md\n```\nx\n```\n````"


def test_code_is_announced_by_its_title_and_lead_in() -> None:
    code = code_text(Code("make", title="build.sh", lead_in="Run this:", language="sh"))
    assert (code.above, code.text, code.language) == ("Run this:\nbuild.sh", "make", "sh")


def test_a_task_names_who_and_when() -> None:
    task = task_item(TaskItem("pay", done=True, assignee="Ana", due="2024-05-01"))
    assert task.line == "[x] pay (assignee: Ana; due: 2024-05-01)"


@pytest.mark.parametrize(
    ("task", "line"),
    [
        (TaskItem("@Ana pay by 2024-05-01", assignee="Ana", due="2024-05-01"), ""),
        (TaskItem("@Ana pay", assignee="Ana", due="2024-05-01"), " (due: 2024-05-01)"),
        (TaskItem("write the Analysis", assignee="Ana"), " (assignee: Ana)"),
        (TaskItem("pay", assignee="@unknown user"), ""),
    ],
)
def test_a_task_does_not_say_again_who_and_when_nor_that_nobody_knows(
    task: TaskItem, line: str
) -> None:
    assert task_item(task).text == task.text + line


def test_list_items_are_marked_numbered_and_indented() -> None:
    items = (Item("mix", (Item("sand"), Item("lime"))), Item("pour\nslowly"))
    (group,) = item_groups(items, ordered=True, size=80)
    assert lines(group) == ["1. mix", "  - sand", "  - lime", "2. pour\n   slowly"]
    assert [item.depth for item in group] == [0, 1, 1, 0]


def test_a_long_list_repeats_the_parents_of_each_group() -> None:
    items = (
        Item("tools", tuple(Item(f"tool {n} with four words") for n in range(6))),
        Item("rest"),
    )
    groups = list(map(lines, item_groups(items, ordered=True, size=20)))
    assert [group[0] for group in groups] == ["1. tools", "1. tools", "2. rest"]
    assert [line for group in groups for line in group[1:]] == [
        f"  - tool {n} with four words" for n in range(6)
    ]


def test_a_long_parent_is_whole_once_and_shortened_where_it_is_repeated() -> None:
    parent = " ".join(f"w{n}" for n in range(40))
    first, second, third = item_groups((Item(parent, (Item("child"),)),), ordered=False, size=20)
    assert " ".join(item.text for item in (*first, *second)) == parent
    assert lines(third) == ["- " + " ".join(f"w{n}" for n in range(30)) + " …", "  - child"]


def test_an_item_with_code_is_never_cut() -> None:
    text = "\n".join(f"line {n}" for n in range(100))
    assert len(list(item_groups((Item(text, holds_code=True),), ordered=False, size=20))) == 1
    assert len(list(item_groups((Item(text),), ordered=False, size=20))) > 5
