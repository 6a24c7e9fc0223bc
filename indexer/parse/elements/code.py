"""Code: all white space in it is kept, apart from empty lines at its ends."""

from __future__ import annotations

from indexer.parse.document.blocks import Code, Passage
from indexer.parse.document.flat import nested_tables
from indexer.parse.document.flow import Flow
from indexer.parse.document.marks import is_long
from indexer.parse.document.sentences import LINE_BREAK
from indexer.parse.markup.xml import Element, child, name, parameter, visible


def code(element: Element, flow: Flow) -> None:
    """The macros `code` and `noformat`."""
    text = preformatted_body(element, flow)
    title = parameter(element, "title")
    if text or title:
        language = parameter(element, "language")
        if is_long(title):
            flow.emit(Passage(title))
        flow.emit(Code(text, language=language, title=title))


def preformatted_body(macro: Element, flow: Flow) -> str:
    """The text of a macro's body; what broken markup left beside it goes to the open paragraph.

    `]]>` in code makes editors write several CDATA sections, which XML joins.
    """
    body = child(macro, "ac:plain-text-body", "ac:rich-text-body")
    if body is None:
        return _trimmed(visible(macro, ""))
    flow.walk(macro, without=body)
    return _trimmed(visible(body, ""))


def pre(element: Element, flow: Flow) -> None:
    """`pre`: lines that were set one by one belong together."""
    written, blocks = flow.verbatim(element)
    text = _trimmed(written)
    if text and _continues(element, flow):
        flow.continue_code(text)
    elif text:
        flow.emit(Code(text))
    for block in nested_tables(blocks):
        flow.emit(block)


def _continues(element: Element, flow: Flow) -> bool:
    above = element.getprevious()
    if above is None or name(above) != "pre" or (above.tail or "").strip():
        return False
    if not flow.is_blank() or not flow.blocks:
        return False
    return isinstance(flow.blocks[-1], Code)


def _trimmed(text: str) -> str:
    """Without empty lines at its ends."""
    lines = text.replace(LINE_BREAK, "\n").split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""
