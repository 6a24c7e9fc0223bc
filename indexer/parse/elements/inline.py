"""Inline elements: links, people, images, dates, emoticons, struck-out words."""

from __future__ import annotations

from indexer.parse.document import marks
from indexer.parse.document.addresses import file_at, page_at
from indexer.parse.document.blocks import Edge, PageName
from indexer.parse.document.flat import lines, nested_tables
from indexer.parse.document.flow import WITHHELD, Flow, Rule
from indexer.parse.document.sentences import LINE_BREAK
from indexer.parse.elements.emoticons import BY_NAME, BY_SHORTNAME
from indexer.parse.markup.xml import (
    PAGES,
    Element,
    attribute,
    child,
    has_words,
    name,
    resource,
    words,
)

EDGE_KINDS = {
    "ri:page": "page",
    "ri:blog-post": "blogpost",
    "ri:attachment": "attachment",
    "ri:space": "space",
    "ri:url": "url",
}
UNKNOWN_PERSON = "unknown user"
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def transparent(element: Element, flow: Flow) -> None:
    """Only its content counts."""
    flow.walk(element)


def then_content(rule: Rule) -> Rule:
    """A rule for an element that is all attributes; words that broken markup put inside follow."""

    def both(element: Element, flow: Flow) -> None:
        rule(element, flow)
        flow.walk(element)

    return both


def line_break(element: Element, flow: Flow) -> None:
    """`br`."""
    flow.add_text(LINE_BREAK)


def span(element: Element, flow: Flow) -> None:
    """`span`: transparent, unless its style strikes it out."""
    if "line-through" in attribute(element, "style"):
        struck(element, flow)
    else:
        flow.walk(element)


def struck(element: Element, flow: Flow) -> None:
    """`s`, `del`, `strike`: marked with tildes, so that it is never read as a fact."""
    marks = "~~" if has_words(element) else ""
    flow.add_text(marks)
    flow.walk(element)
    flow.add_text(marks)


def raised(element: Element, flow: Flow) -> None:
    """`sup`: digits stay raised: the price of `0.19¹` is not 0.191, and `10⁶` is not 106."""
    said = words(element).strip()
    if said.isascii() and said.isdigit():
        flow.add_text(said.translate(_RAISED))
    else:
        flow.walk(element)


def web_link(element: Element, flow: Flow) -> None:
    """`a`: its text; what is only the address of a page was resolved before (`cards`)."""
    address = attribute(element, "href")
    if address:
        flow.page.edges.append(Edge("url", address))
    flow.walk(element)


def link(element: Element, flow: Flow) -> None:
    """`ac:link`: its text, else the name of what it leads to."""
    target = _resource_element(element)
    is_person = target is not None and name(target) == "ri:user"
    anchor = attribute(element, "ac:anchor")
    edge = None if is_person else _edge(target, anchor)
    if edge:
        flow.page.edges.append(edge)
    body = child(element, "ac:link-body", "ac:plain-text-link-body")
    if not has_words(element) and (body is None or not len(body)):
        flow.add_text(anchor if target is None else _shown(target, flow))
    elif is_person:
        flow.add_text("@" + words(element))
    else:
        flow.walk(element)


def _resource_element(element: Element) -> Element | None:
    for each in element:
        if name(each).startswith("ri:"):
            return each
    return None


def _edge(target: Element | None, anchor: str) -> Edge | None:
    if target is None:
        return Edge("anchor", anchor) if anchor else None
    kind = EDGE_KINDS.get(name(target), name(target))
    return Edge(kind, resource(target), attribute(target, "ri:space-key"))


def _shown(target: Element, flow: Flow) -> str:
    """What a link without words says."""
    if name(target) == "ri:user":
        return f"@{person(target, flow)}"
    if name(target) == "ri:attachment":
        return file_name(target, flow) or WITHHELD
    page = page_named(target) or page_at(resource(target))
    return resource(target) if page is None else flow.page.title_of(page)


def page_named(element: Element) -> PageName | None:
    """The page that an `ri:` element names, itself or inside."""
    for each in element.iter():
        if name(each) in PAGES:
            space = attribute(each, "ri:space-key")
            return PageName(resource(each), space, attribute(each, "ri:content-id"))
    return None


def file_name(element: Element, flow: Flow) -> str | None:
    """The name of the file that an `ri:` element or an `img` refers to.

    None when it is kept on a page that must not be named here.
    """
    written = resource(element) or attribute(element, "src")
    owner = page_named(element) or page_at(written)
    file = file_at(written) if "://" in written else written
    return file if owner is None else flow.page.belonging(file, owner)


def user(element: Element, flow: Flow) -> None:
    """`ri:user`: the display name."""
    flow.add_text(f"@{person(element, flow)}")


def person(element: Element, flow: Flow) -> str:
    """The display name of the account an `ri:user` refers to."""
    for key in ("ri:account-id", "ri:userkey", "ri:username"):
        known = flow.page.site.people.get(attribute(element, key))
        if known:
            return known
    return UNKNOWN_PERSON


def image(element: Element, flow: Flow) -> None:
    """`ac:image` and `img`: its words; an editor copies the file name where there are none."""
    source = _resource_element(element)
    if source is None:
        source = element
    file = file_name(source, flow)
    copied = "" if file is not None else file_at(resource(source))
    under = child(element, "ac:caption")
    blocks = [] if under is None else flow.blocks_inside(under)
    alternative = attribute(element, "ac:alt") or attribute(element, "alt")
    if file is not None and alternative == marks.without(file):
        alternative = file
    own = dict.fromkeys((alternative, " ".join(lines(blocks))))
    own.pop(copied, None)
    described = ", ".join(filter(None, own))
    name_shown = WITHHELD if file is None else file
    shown = described or attribute(element, "ac:title") or name_shown
    flow.add_text(f"[image: {shown}]" if shown else "[image]")
    for block in nested_tables(blocks):
        flow.emit(block)


def caption(element: Element, flow: Flow) -> None:
    """`ac:caption`: shown with its image; anywhere else broken markup has put it."""
    image = element.getparent()
    if image is None or name(image) != "ac:image" or child(image, "ac:caption") is not element:
        flow.walk(element)


def date(element: Element, flow: Flow) -> None:
    """`time`: its date."""
    flow.add_text(attribute(element, "datetime"))


def emoticon(element: Element, flow: Flow) -> None:
    """`ac:emoticon`: a character; new editors name all `blue-star` and mean the short name."""
    fallback = attribute(element, "ac:emoji-fallback")
    shortname = attribute(element, "ac:emoji-shortname") or fallback
    if fallback and not fallback.startswith(":"):
        flow.add_text(fallback)
    elif shortname:
        flow.add_text(BY_SHORTNAME.get(shortname.strip(":"), shortname))
    else:
        plain = attribute(element, "ac:name")
        flow.add_text(BY_NAME.get(plain, f"({plain})" if plain else ""))


def hipchat_emoticon(element: Element, flow: Flow) -> None:
    """`ac:hipchat-emoticon`: its short cut, as people typed it."""
    flow.add_text(f"({attribute(element, 'ac:shortcut')})")
