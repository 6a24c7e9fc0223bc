"""Pseudo-headings: many pages set their headings as bold paragraphs."""

from __future__ import annotations

from indexer.parse.markup.xml import Element, attribute, has_words, name, words

BOLD = {"strong", "b"}
# A bold paragraph that is longer, or ends like a sentence, is a warning rather than a heading.
LONGEST = 12
_NOT_TEXT = {
    "ac:structured-macro",
    "ac:image",
    "ac:emoticon",
    "ac:task-list",
    "ul",
    "ol",
    "table",
    "pre",
    "img",
    "time",
}


def heading_text(paragraph: Element) -> str:
    """The heading that a paragraph is meant to be; empty when it is an ordinary one."""
    if not only_bold(paragraph):
        return ""
    for each in paragraph.iter():
        if name(each) in _NOT_TEXT or name(each).startswith("ri:"):
            return ""
    text = words(paragraph)
    is_sentence = len(text.split()) > LONGEST or text[-1] in ".!,;"
    return "" if is_sentence else text


def only_bold(element: Element) -> bool:
    """Whether there is text and all of it is bold."""
    if _visible(element.text) or not len(element):
        return False
    waiting = list(element)
    found = False
    while waiting:
        each = waiting.pop()
        if _visible(each.tail):
            return False
        if name(each) in BOLD or "font-weight: bold" in attribute(each, "style"):
            found = found or has_words(each)
        elif name(each) and _visible(each.text):
            return False
        else:
            waiting.extend(each)
    return found


def _visible(text: str | None) -> bool:
    return bool(text and text.strip())
