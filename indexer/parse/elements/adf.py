"""ADF: parts that the new editor stores in its own format (`ac:adf-extension`), with a fallback."""

from __future__ import annotations

from indexer.parse.document.blocks import Passage
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import Flow
from indexer.parse.elements.macros import panel
from indexer.parse.markup.xml import Element, attribute, name, words

FALLBACK = "ac:adf-fallback"
_PANELS = {
    "info": "Info",
    "note": "Note",
    "tip": "Tip",
    "success": "Success",
    "warning": "Warning",
    "error": "Error",
    "custom": "Panel",
}


def extension(element: Element, flow: Flow) -> None:
    """Its content or its fallback, never both."""
    has_content = any(_has_content(each) for each in element if name(each) != FALLBACK)
    flow.add_text(element.text)
    for each in element:
        if name(each) != FALLBACK or not has_content:
            flow.visit(each)
        flow.add_text(each.tail)


def _has_content(node: Element) -> bool:
    """Whether a node has content, beyond its attributes."""
    for each in node.iter():
        if name(each) == "ac:adf-content" and (words(each) or len(each)):
            return True
    return False


def node(element: Element, flow: Flow) -> None:
    """`ac:adf-node`: a decision, a panel, or only a frame around its content."""
    kind = attribute(element, "type")
    if kind == "decision-item":
        _decision(element, flow)
    elif kind == "panel":
        panel(_PANELS.get(_attribute(element, "panel-type"), "Panel"))(element, flow)
    else:
        flow.close()
        flow.walk(element)
        flow.close()


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
