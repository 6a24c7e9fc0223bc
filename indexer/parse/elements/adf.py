"""ADF: parts that the new editor stores in its own format (`ac:adf-extension`), with a fallback."""

from __future__ import annotations

from indexer.parse.document.blocks import Passage
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import Flow
from indexer.parse.elements.macros import panel
from indexer.parse.elements.tabs import titled
from indexer.parse.markup.xml import Element, attribute, has_words, name, words

_PANELS = {
    "info": "Info",
    "note": "Note",
    "tip": "Tip",
    "success": "Success",
    "warning": "Warning",
    "error": "Error",
    "custom": "Panel",
}


def fallback(element: Element, flow: Flow) -> None:
    """`ac:adf-fallback`: what stands there for whoever cannot read the content beside it."""
    if not is_spare(element):
        flow.walk(element)


def is_spare(element: Element) -> bool:
    """Whether this is a fallback of which the content is there too."""
    if name(element) != "ac:adf-fallback":
        return False
    beside = element.itersiblings(preceding=True)
    return any(_has_content(each) for each in beside)


def _has_content(node: Element) -> bool:
    """Whether a node has content, beyond its attributes."""
    return any(len(each) or has_words(each) for each in node.iter("{*}adf-content"))


def node(element: Element, flow: Flow) -> None:
    """`ac:adf-node`: a decision, a panel, something with a title, or only a frame."""
    kind = attribute(element, "type")
    if kind == "decision-item":
        _decision(element, flow)
    elif kind == "panel":
        panel(_PANELS.get(_attribute(element, "panel-type"), "Panel"))(element, flow)
    else:
        titled(_attribute(element, "title"), element, flow)


def frame(element: Element, flow: Flow) -> None:
    """`ac:adf-extension-frame`: one body of several, such as a tab; their titles are in settings.

    https://developer.atlassian.com/cloud/confluence/working-with-a-multi-bodied-macro/
    """
    titles, place = _titles_of_frames(element), _place(element)
    titled(titles[place] if place < len(titles) else "", element, flow)


def _place(frame: Element) -> int:
    return sum(1 for _ in frame.itersiblings(frame.tag, preceding=True))


def _titles_of_frames(frame: Element) -> list[str]:
    """Of a list of settings, one for each body: what they call `title` or `label`."""
    holder = next(frame.iterancestors("{*}adf-node"), None)
    titles: list[str] = []
    for each in () if holder is None else holder.iterfind("{*}adf-attribute//{*}adf-parameter"):
        above = each.getparent()
        of_one = above is not None and name(above) == "ac:adf-parameter-value"
        if of_one and attribute(each, "key") in ("title", "label", "name"):
            titles.append(words(each))
    return titles


def _decision(element: Element, flow: Flow) -> None:
    blocks = flow.blocks_inside(element)
    text = " ".join(lines(blocks))
    if text:
        state = _attribute(element, "state") or "UNDECIDED"
        flow.emit(Passage(f"Decision ({state}): {text}"))
    for block in nested_tables(blocks):
        flow.emit(block)


def _attribute(element: Element, key: str) -> str:
    for each in element:
        if name(each) == "ac:adf-attribute" and attribute(each, "key") == key:
            return words(each)
    return ""
