"""Parses storage format: XHTML with the ac and ri namespaces and HTML's named characters.

https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html
"""

from __future__ import annotations

from html.entities import name2codepoint

from lxml import etree

AC = "http://atlassian.com/content"
RI = "http://atlassian.com/resource/identifier"
# XML knows these by itself, and & and < may not be redefined so simply.
XML_OWN = {"amp", "lt", "gt", "quot", "apos"}
_ENTITIES = "".join(
    f'<!ENTITY {name} "&#{code};">' for name, code in name2codepoint.items() if name not in XML_OWN
)


def parse(body: str, *, recover: bool = True) -> etree._Element:
    """The root over a page's body.

    Raises:
        lxml.etree.XMLSyntaxError: `recover` is off and the body is not well-formed.
    """
    content = f'<page xmlns:ac="{AC}" xmlns:ri="{RI}">{_without_controls(body)}</page>'
    document = f"<!DOCTYPE page [{_ENTITIES}]>{content}"
    parser = etree.XMLParser(
        recover=recover, no_network=True, load_dtd=False, huge_tree=True, remove_comments=True
    )
    return etree.fromstring(document, parser)


def tag_of(element: etree._Element) -> str:
    """`p`, `ac:link`, `ri:page`; empty for what is no element."""
    if not isinstance(element.tag, str):
        return ""
    name = etree.QName(element)
    prefix = {AC: "ac:", RI: "ri:"}.get(name.namespace or "", "")
    return f"{prefix}{name.localname}"


def child(element: etree._Element, tag: str) -> etree._Element | None:
    """The first child with this tag."""
    return next((c for c in element if tag_of(c) == tag), None)


def attribute(element: etree._Element, name: str) -> str:
    """An attribute, `ac:name` or `href`; empty when it is missing."""
    prefix, _, local = name.rpartition(":")
    namespace = {"ac": AC, "ri": RI}.get(prefix)
    return element.get(f"{{{namespace}}}{local}" if namespace else name) or ""


def parameter(macro: etree._Element, name: str) -> str:
    """A parameter of a macro; empty when it is missing."""
    for candidate in macro:
        if tag_of(candidate) == "ac:parameter" and attribute(candidate, "ac:name") == name:
            return "".join(str(piece) for piece in candidate.itertext())
    return ""


def _without_controls(body: str) -> str:
    return "".join(filter(_is_xml, body))


def _is_xml(character: str) -> bool:
    """Whether XML allows the character: no control, no half of a surrogate pair, no U+FFFE or F."""
    if character in "\t\n\r":
        return True
    is_surrogate = "\ud800" <= character <= "\udfff"
    return character >= " " and character not in "￾￿" and not is_surrogate
