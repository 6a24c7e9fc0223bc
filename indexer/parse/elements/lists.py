"""Lists and task lists."""

from __future__ import annotations

from dataclasses import replace

from indexer.parse.document.blocks import Block, Code, Item, ListBlock, TaskItem, TaskList
from indexer.parse.document.flat import hoisted, lines
from indexer.parse.document.flow import Flow
from indexer.parse.elements.inline import UNKNOWN_PERSON, person
from indexer.parse.markup.xml import Element, attribute, child, name, words

LISTS = ("ul", "ol")


def bullets(element: Element, flow: Flow) -> None:
    """`ul` and `ol`: one block with all levels; tables inside come after it."""
    flow.close()
    aside: list[Block] = []
    items = _items(element, flow, aside)
    if items:
        flow.emit(ListBlock(items, ordered=name(element) == "ol"))
    for block in aside:
        flow.emit(block)


def _items(element: Element, flow: Flow, aside: list[Block]) -> tuple[Item, ...]:
    items: list[Item] = []
    for each in element:
        if name(each) in LISTS:  # editors put a list straight into a list to indent it
            _indent(items, _item(flow.alone(each), aside))
        elif item := _item(flow.inside(each) if name(each) == "li" else flow.alone(each), aside):
            items.append(item)
        items.extend(_stray(each.tail))
    return (*_stray(element.text), *items)


def _indent(items: list[Item], below: Item | None) -> None:
    """Put what stands under no item of its own under the last one."""
    if below is None:
        return
    last = items.pop() if items else Item("")
    text = "\n".join(filter(None, (last.text, below.text)))
    items.append(
        replace(last, text=text, children=last.children + below.children, ordered=below.ordered)
    )


def _stray(text: str | None) -> list[Item]:
    return [Item(" ".join(text.split()))] if text and text.strip() else []


def _item(blocks: list[Block], aside: list[Block]) -> Item | None:
    aside.extend(hoisted(blocks))
    below = [block for block in blocks if isinstance(block, ListBlock)]
    text = "\n".join(lines([block for block in blocks if not isinstance(block, ListBlock)]))
    children = tuple(item for block in below for item in block.items)
    if not text and not children:
        return None
    holds_code = any(isinstance(block, Code) for block in blocks)
    return Item(
        text, children, ordered=any(block.ordered for block in below), holds_code=holds_code
    )


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


def _tasks(element: Element, flow: Flow, aside: list[Block]) -> list[TaskItem]:
    blocks = flow.inside(element) if name(element) == "ac:task" else flow.alone(element)
    below = [task for block in blocks if isinstance(block, TaskList) for task in block.tasks]
    aside.extend(hoisted(blocks))
    text = "\n".join(lines([block for block in blocks if not isinstance(block, TaskList)]))
    status = child(element, "ac:task-status")
    done = status is not None and words(status) == "complete"
    said = _own(element)
    own = [TaskItem(text, done, _assignee(said, flow), _due(said))] if text else []
    return own + below


def _stray_task(text: str | None) -> list[TaskItem]:
    return [TaskItem(item.text) for item in _stray(text)]


def _assignee(said: list[Element], flow: Flow) -> str:
    known = (person(each, flow) for each in said if name(each) == "ri:user")
    return next((each for each in known if each != UNKNOWN_PERSON), "")


def _due(said: list[Element]) -> str:
    return next((attribute(each, "datetime") for each in said if name(each) == "time"), "")


def _own(task: Element) -> list[Element]:
    """Everything in a task except its subtasks."""
    waiting, found = [*reversed(task)], []
    while waiting:
        each = waiting.pop()
        if name(each) != "ac:task-list":
            found.append(each)
            waiting.extend(reversed(each))
    return found
