"""Lists and task lists."""

from __future__ import annotations

import re
from dataclasses import replace

from indexer.parse.document.blocks import Block, Code, Item, ListBlock, TaskItem, TaskList
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import Flow
from indexer.parse.elements.inline import UNKNOWN_PERSON, person
from indexer.parse.markup.xml import Element, attribute, child, name, words

LISTS = ("ul", "ol")
_NUMBER = re.compile(r"[1-9][0-9]{0,4}")


def bullets(element: Element, flow: Flow) -> None:
    """`ul` and `ol`: one block with all levels; tables inside come after it."""
    flow.close()
    aside: list[Block] = []
    items = _items(element, flow, aside)
    if items:
        is_ordered = name(element) == "ol"
        flow.emit(ListBlock(items, ordered=is_ordered, start=_start(element) if is_ordered else 1))
    for block in aside:
        flow.emit(block)


def _start(element: Element) -> int:
    """The number that an `ol` begins with; 1 where it says nothing that can be counted on from."""
    said = attribute(element, "start")
    return int(said) if _NUMBER.fullmatch(said) else 1


def _items(
    element: Element,
    flow: Flow,
    aside: list[Block],
) -> tuple[Item, ...]:
    items: list[Item] = []
    for each in element:
        blocks = _blocks(each, "li", flow)
        item = _item(blocks, aside)
        if name(each) in LISTS:  # editors put a list straight into a list to indent it
            _indent(items, item)
        elif item:
            items.append(item)
        items += _stray(each.tail)
    return (*_stray(element.text), *items)


def _blocks(
    element: Element,
    tag: str,
    flow: Flow,
) -> list[Block]:
    """The blocks inside an item, or of anything else that is in its place."""
    return flow.blocks_inside(element) if name(element) == tag else flow.blocks_of(element)


def _indent(items: list[Item], below: Item | None) -> None:
    """Put what is under no item of its own under the last one."""
    if below is None:
        return
    last = items.pop() if items else Item("")
    text = "\n".join(filter(None, (last.text, below.text)))
    children = last.children + below.children
    joined = replace(last, text=text, children=children, ordered=below.ordered)
    items.append(joined)


def _stray(text: str | None) -> list[Item]:
    line = " ".join(text.split()) if text else ""
    return [Item(line)] if line else []


def _item(
    blocks: list[Block],
    aside: list[Block],
) -> Item | None:
    aside.extend(nested_tables(blocks))
    own: list[Block] = []
    children: list[Item] = []
    ordered = holds_code = False
    for block in blocks:
        if isinstance(block, ListBlock):
            children += block.items
            ordered = ordered or block.ordered
        else:
            own.append(block)
            holds_code = holds_code or isinstance(block, Code)
    text = "\n".join(lines(own))
    if not text and not children:
        return None
    return Item(text, tuple(children), ordered=ordered, holds_code=holds_code)


def task_list(element: Element, flow: Flow) -> None:
    """`ac:task-list`: done or not, body, who and until when."""
    flow.close()
    aside: list[Block] = []
    tasks = _stray_task(element.text)
    for each in element:
        tasks += _tasks(each, flow, aside) + _stray_task(each.tail)
    if tasks:
        flow.emit(TaskList(tuple(tasks)))
    for block in aside:
        flow.emit(block)


def _tasks(
    element: Element,
    flow: Flow,
    aside: list[Block],
) -> list[TaskItem]:
    """A task and those below it."""
    blocks = _blocks(element, "ac:task", flow)
    aside.extend(nested_tables(blocks))
    own: list[Block] = []
    tasks: list[TaskItem] = []
    for block in blocks:
        if isinstance(block, TaskList):
            tasks += block.tasks
        else:
            own.append(block)
    text = "\n".join(lines(own))
    if text:
        tasks.insert(0, _task(element, text, flow))
    return tasks


def _task(element: Element, text: str, flow: Flow) -> TaskItem:
    status = child(element, "ac:task-status")
    done = status is not None and words(status) == "complete"
    parts = _without_subtasks(element)
    return TaskItem(text, done, _assignee(parts, flow), _due(parts))


def _stray_task(text: str | None) -> list[TaskItem]:
    return [TaskItem(item.text) for item in _stray(text)]


def _assignee(parts: list[Element], flow: Flow) -> str:
    for each in parts:
        assignee = person(each, flow) if name(each) == "ri:user" else UNKNOWN_PERSON
        if assignee != UNKNOWN_PERSON:
            return assignee
    return ""


def _due(parts: list[Element]) -> str:
    for each in parts:
        if name(each) == "time":
            return attribute(each, "datetime")
    return ""


def _without_subtasks(task: Element) -> list[Element]:
    """Everything in a task except its subtasks."""
    waiting, found = [*reversed(task)], []
    while waiting:
        each = waiting.pop()
        if name(each) != "ac:task-list":
            found.append(each)
            waiting.extend(reversed(each))
    return found
