"""Questions about the tasks of a page are answered by the tasks, or not at all."""

from __future__ import annotations

import pytest
from composed import line, typed
from wiki import hit, near, page, piece

from core.models import Hit, Kind, Page
from core.structure import ListItem
from worker.typed.compose import lead


def task_list(on: Page, *lines: str, heading: str = "", **more: object) -> Hit:
    """Tasks as the indexer keeps them, each with its mark of four letters."""
    items = tuple(ListItem(text=said[4:], mark=said[:4]) for said in lines)
    path = (heading,) if heading else ()
    text = "\n".join(lines)
    return hit(piece(text, on.id, kind=Kind.TASK, items=items, heading_path=path, **more), on)


ORDER = "[ ] @Tomasz Wolny order the disks"
CALL = "[x] @Tomasz Wolny call the supplier"
CLEAN = "[ ] Clean the yard (assignee: Jana Holm; due: 2026-12-01)"
WEEKLY = task_list(page("31", "Operations weekly"), CALL, ORDER, CLEAN)
INCIDENT = task_list(
    page("32", "INC-412: Gateway down"),
    "[ ] @Jana Holm write a runbook",
    "[x] Restart it",
    heading="Follow-up",
)
OLD_ROUND = task_list(page("33", "Betriebsrunde 2026-11-02"), "[ ] Zaun streichen")
ROUND = task_list(page("34", "Betriebsrunde 2026-11-16"), "[ ] Tor prüfen", "[x] Licht prüfen")
ALL = (hit("The weekly is on Monday."), WEEKLY, INCIDENT, OLD_ROUND, ROUND)

OPEN_WEEKLY = ("Open tasks in “Operations weekly”: 2", f"- {ORDER}", f"- {CLEAN}")
OPEN_OF_TOMASZ = ("Open tasks in “Operations weekly” (Tomasz Wolny): 1", f"- {ORDER}")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does tomasz still have to do from the weekly", OPEN_OF_TOMASZ),
        ("Tomasz's open tasks from the weekly", OPEN_OF_TOMASZ),
        ("Which tasks from the weekly are still open?", OPEN_WEEKLY),
        ("which tasks of the weekly are not done yet?", OPEN_WEEKLY),
        ("what is left to do from the weekly", OPEN_WEEKLY),
        ("what is left from the weekly", OPEN_WEEKLY),
        ("what do we still have to do from the weekly?", OPEN_WEEKLY),
        ("is anything from the weekly still open?", OPEN_WEEKLY),
        ("list all open tasks of the weekly", OPEN_WEEKLY),
        ("how many open tasks are there in the weekly?", OPEN_WEEKLY),
        (
            "what has been done from the weekly?",
            ("Finished tasks in “Operations weekly”: 1", f"- {CALL}"),
        ),
        (
            "action items from the weekly",
            ("Tasks in “Operations weekly”: 3", f"- {ORDER}", f"- {CLEAN}", f"- {CALL}"),
        ),
        (
            "What's still open from the INC-412 postmortem?",
            (
                "Open tasks in “INC-412: Gateway down › Follow-up”: 1",
                "- [ ] @Jana Holm write a runbook",
            ),
        ),
    ],
)
def test_the_tasks_of_the_page_that_is_named_are_listed_by_state_and_person(
    question: str, said: tuple[str, ...]
) -> None:
    assert line(question, *ALL).splitlines() == list(said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "was ist aus der letzten betriebsrunde noch offen",
            ("Offene Aufgaben in „Betriebsrunde 2026-11-16“: 1", "- [ ] Tor prüfen"),
        ),
        (
            "was wurde in der letzten Betriebsrunde erledigt?",
            ("Erledigte Aufgaben in „Betriebsrunde 2026-11-16“: 1", "- [x] Licht prüfen"),
        ),
        (
            "Welche Punkte aus der Betriebsrunde vom 2.11. sind noch offen?",
            ("Offene Aufgaben in „Betriebsrunde 2026-11-02“: 1", "- [ ] Zaun streichen"),
        ),
        (
            "was muss tomasz aus dem weekly noch erledigen",
            ("Offene Aufgaben in „Operations weekly“ (Tomasz Wolny): 1", f"- {ORDER}"),
        ),
    ],
)
def test_tasks_are_asked_for_in_german_and_of_the_last_of_several_days(
    question: str, said: tuple[str, ...]
) -> None:
    assert line(question, *ALL).splitlines() == list(said)


def test_pages_that_are_named_alike_are_told_apart() -> None:
    first, second = line("offene aufgaben betriebsrunde", *ALL).split("\n\n")
    assert first.endswith("- [ ] Zaun streichen")
    assert second.endswith("- [ ] Tor prüfen")


def test_a_person_is_enough_where_only_one_page_has_tasks() -> None:
    question = "welche aufgaben hat jana?"
    assert line(question, WEEKLY).splitlines()[1:] == [f"- {CLEAN}"]
    assert line(question, WEEKLY, INCIDENT) == ""


@pytest.mark.parametrize(
    "question",
    [
        "which tasks are still open?",  # of no page
        "open tasks from the monthly",
        "open tasks of anna from the operations weekly",  # nobody there
        "what do I still have to do from the weekly",  # who that is no page knows
        "my open tasks from the weekly",
        "who has the most open tasks in the weekly",
        "Are all tasks from the weekly done?",
        "Why are the tasks from the weekly still open?",
        "tasks from the weekly except those of Jana",
        "tasks from the weekly that are overdue",
        "When is the operations weekly?",
    ],
)
def test_nothing_is_composed_where_a_word_is_not_understood_or_no_page_is_named(
    question: str,
) -> None:
    assert line(question, *ALL) == ""


@pytest.mark.parametrize("question", ["What is open in Porto?", "What is left of the budget?"])
def test_what_is_open_or_left_may_be_something_else_than_a_task(question: str) -> None:
    assert line(question, task_list(page("35", "Porto budget"), "[ ] Pay")) == ""


def test_two_people_of_one_name_are_not_mixed_up() -> None:
    both = task_list(page("31", "Weekly"), "[ ] @Jana Holm pay", "[ ] @Jana Feld sign")
    assert line("open tasks of jana from the weekly", both) == ""
    said = line("open tasks of Jana Feld from the weekly", both)
    assert said.splitlines()[1:] == ["- [ ] @Jana Feld sign"]


def test_a_list_of_which_a_part_was_not_found_is_not_counted() -> None:
    cut = task_list(page("31", "Weekly"), "[ ] Pay", after=near("[ ] Sign", id="other"))
    assert line("open tasks from the weekly", cut).splitlines() == [
        "Open tasks in “Weekly”",
        "- [ ] Pay",
        "…",
    ]


def test_the_parts_of_a_list_are_counted_together_in_the_order_of_the_page() -> None:
    weekly = page("31", "Weekly")
    first = task_list(weekly, "[ ] Pay", position=1)
    second = task_list(weekly, "[ ] Sign", position=2)
    said = lead(typed("open tasks from the weekly"), [second, first])
    assert said.text == "Open tasks in “Weekly”: **2** [1][2]\n- [ ] Pay\n- [ ] Sign"
    assert said.is_all


def test_a_conversation_names_no_page_for_sure_but_the_question_itself_does() -> None:
    assert line("which tasks are still open?", WEEKLY, context=("Operations weekly",)) == ""
    said = line("and what is still open from the weekly?", WEEKLY, context=("Cranes",))
    assert said.splitlines() == list(OPEN_WEEKLY)


def test_a_draft_has_no_tasks() -> None:
    draft = task_list(page("31", "Weekly (draft)"), "[ ] Pay")
    assert line("open tasks from the weekly", draft) == ""
