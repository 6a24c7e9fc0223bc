"""Parts of a page that the new editor stores in its own format (`ac:adf-extension`), with a fallback in the old one."""

from __future__ import annotations

from indexer.parse.document.blocks import Passage
from indexer.parse.document.flat import hoisted, lines
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
    has_content = any(_says(each) for each in element if name(each) != FALLBACK)
    flow.say(element.text)
    for each in element:
        if name(each) != FALLBACK or not has_content:
            flow.visit(each)
        flow.say(each.tail)


def _says(node: Element) -> bool:
    """Whether a node has content, beyond its attributes."""
    return any(
        name(each) == "ac:adf-content" and (words(each) or len(each)) for each in node.iter()
    )


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
    blocks = flow.inside(element)
    if text := " ".join(lines(blocks)):
        flow.emit(Passage(f"Decision ({_attribute(element, 'state') or 'UNDECIDED'}): {text}"))
    for block in hoisted(blocks):
        flow.emit(block)


def _attribute(element: Element, key: str) -> str:
    found = (
        words(each)
        for each in element
        if name(each) == "ac:adf-attribute" and attribute(each, "key") == key
    )
    return next(found, "")
