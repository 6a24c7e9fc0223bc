"""Parses storage format (XML) to an element tree; the lookups that rules make in an element.

Names are written as on the page (`ac:link`), not with namespace addresses. Nothing is loaded from
anywhere, and the only entities that exist are the single characters declared here, so that a page
cannot expand into more than it is.
"""

from __future__ import annotations

import re
from functools import cache
from html.entities import name2codepoint

from lxml import etree

from indexer.parse.markup.repair import UNSEEN, balanced

Element = etree._Element

NAMESPACES = {prefix: f"http://atlassian.com/{prefix}" for prefix in ("ac", "ri", "at")}
_PREFIXES = {address: prefix for prefix, address in NAMESPACES.items()}
_XML_OWN = {"amp", "lt", "gt", "quot", "apos"}
_ENTITIES = "".join(
    f'<!ENTITY {entity} "&#{code};">'
    for entity, code in name2codepoint.items()
    if entity not in _XML_OWN
)
_XMLNS = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in NAMESPACES.items())
_PROLOG = f"<!DOCTYPE page [{_ENTITIES}]><page {_XMLNS}>"
# What XML forbids, and what nobody sees: zero-width space, byte order mark, soft hyphen.
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\u200b\ufeff\xad]")

PAGES = ("ri:page", "ri:blog-post", "ri:content-entity")  # what a page is called in
BROKEN = "recovered from broken markup"


def read(storage: str) -> tuple[Element, tuple[str, ...]]:
    """The page's root element, with a note when its markup had to be repaired."""
    clean = _UNWANTED.sub("", storage)
    try:
        return _tree(clean, recover=False), ()
    except etree.XMLSyntaxError as error:
        reason = str(error.msg).partition(", line ")[0]  # the position would count our prolog
        return _tree(balanced(clean), recover=True), (f"{BROKEN}: {reason}",)


def _tree(storage: str, *, recover: bool) -> Element:
    # huge_tree lifts libxml2's limits on depth and text size; without entities that grow, a page is
    # as large as it was fetched.
    parser = etree.XMLParser(
        recover=recover,
        huge_tree=True,
        no_network=True,
        load_dtd=False,
        resolve_entities=True,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(f"{_PROLOG}{storage}</page>".encode(), parser)


@cache
def _written(tag: str) -> str:
    address, _, local = tag.rpartition("}")
    prefix = _PREFIXES.get(address[1:])
    return f"{prefix}:{local}" if prefix else local


@cache
def _clark(attribute: str) -> str:
    prefix, _, local = attribute.rpartition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}" if prefix else local


def name(element: Element) -> str:
    """The element's name as on the page; empty for comments and the like."""
    return _written(element.tag) if isinstance(element.tag, str) else ""


def attribute(element: Element, key: str) -> str:
    """An attribute by its name as on the page, such as `ac:name`."""
    return (element.get(_clark(key)) or "").strip()


def attributes(element: Element) -> dict[str, str]:
    """All attributes, to read several without a prefix: most elements have none at all."""
    return {str(key): str(text).strip() for key, text in element.items()}


def child(element: Element, *names: str) -> Element | None:
    """The first child with one of the names."""
    for each in element:
        if name(each) in names:
            return each
    return None


def parameter(macro: Element, key: str) -> str:
    """A macro's parameter: its text, else the name of the resource it refers to."""
    element = parameter_element(macro, key)
    if element is None:
        return ""
    text = words(element)
    return text or next(filter(None, map(resource, element)), "")


def parameter_element(macro: Element, key: str) -> Element | None:
    """A macro's parameter as an element; old pages have another element for the unnamed one."""
    for each in macro:
        if name(each) == "ac:parameter" and attribute(each, "ac:name") == key:
            return each
    return None if key else child(macro, "ac:default-parameter")


def resource(element: Element) -> str:
    """What an `ri:` element names: a title, a file, a space, an address."""
    keys = (
        "ri:content-title",
        "ri:filename",
        "ri:value",
        "ri:key",
        "ri:parameter",
        "ri:space-key",
        "ri:content-id",
    )
    values = (attribute(element, key) for key in keys)
    return next(filter(None, values), "")


def visible(element: Element, separator: str = " ") -> str:
    """The text under an element without any rule, but without what is no text of the page."""
    texts: list[str | None] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, each in walker:
        if event == "end":
            texts.append("" if each is element else each.tail)
        elif name(each) in UNSEEN:
            walker.skip_subtree()
        else:
            texts.append(each.text)
    return separator.join(filter(None, texts))


def words(element: Element) -> str:
    """All text under an element in one line, without any rule."""
    text = "".join(map(str, element.itertext()))
    return " ".join(text.split())


def has_words(element: Element) -> bool:
    """Whether there is any; read only as far as to the first."""
    return any(str(text).strip() for text in element.itertext())
