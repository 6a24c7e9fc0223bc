"""What stands inside a line: links, people, images, dates, emoticons, struck-out words."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from indexer.parse.blocks import Edge, PageName
from indexer.parse.emoticons import BY_NAME, BY_SHORTNAME
from indexer.parse.flow import BREAK, WITHHELD, Flow
from indexer.parse.xml import Element, attribute, child, name, resource, words

EDGE_KINDS = {"ri:page": "page", "ri:blog-post": "blogpost", "ri:attachment": "attachment", "ri:space": "space", "ri:url": "url"}
UNKNOWN_PERSON = "unknown user"
# How a page's address can look: Cloud, old and new addresses of Data Center, short links, which name nothing but are still a page.
_PAGE_ADDRESSES = (
    re.compile(r"/spaces/(?P<space>[^/]+)/pages/(?P<id>\d+)"),
    re.compile(r"/pages/viewpage\.action\?(?:.*&)?pageId=(?P<id>\d+)"),
    re.compile(r"/display/(?P<space>[^/?#]+)/(?P<title>[^/?#]+)$"),
    re.compile(r"/pages/(?P<id>\d+)"),
    re.compile(r"/x/[\w-]+$"),
)


def transparent(element: Element, flow: Flow) -> None:
    """Only its content counts."""
    flow.walk(element)


def line_break(element: Element, flow: Flow) -> None:
    """`br`."""
    flow.say(BREAK)


def span(element: Element, flow: Flow) -> None:
    """`span`: transparent, unless its style strikes it out."""
    if "line-through" in attribute(element, "style"):
        struck(element, flow)
    else:
        flow.walk(element)


def struck(element: Element, flow: Flow) -> None:
    """`s`, `del`, `strike`: marked with tildes, so that what was taken back is never read as a fact."""
    marks = "~~" if words(element) else ""
    flow.say(marks)
    flow.walk(element)
    flow.say(marks)


def web_link(element: Element, flow: Flow) -> None:
    """`a`: its text; where that is only the address of a page, which contains the title, the title as far as it may be shown."""
    address = attribute(element, "href")
    if address:
        flow.page.edges.append(Edge("url", address))
    page = page_at(address) if _is_only_an_address(element, address) else None
    if page is None:
        flow.walk(element)
    else:
        flow.say(flow.page.title_of(page))


def _is_only_an_address(element: Element, address: str) -> bool:
    """A smart link: the editor keeps the address as its text, and readers see the title of what is there."""
    return bool(attribute(element, "data-card-appearance")) or unquote(words(element)) == unquote(address)


def page_at(address: str) -> PageName | None:
    """The page of a wiki at this address; None when it is something else.

    >>> page_at("https://example.com/wiki/spaces/DOC/pages/123/On+call")
    PageName(title='https://example.com/wiki/spaces/DOC/pages/123/On+call', space='DOC', id='123')
    """
    for pattern in _PAGE_ADDRESSES:
        if found := pattern.search(address):
            parts = found.groupdict()
            title = unquote(parts.get("title") or "").replace("+", " ")
            return PageName(title or address, parts.get("space") or "", parts.get("id") or "")
    return None


def link(element: Element, flow: Flow) -> None:
    """`ac:link`: its text, else the name of what it leads to."""
    target = next((each for each in element if name(each).startswith("ri:")), None)
    is_person = target is not None and name(target) == "ri:user"
    edge = None if is_person else _edge(target, attribute(element, "ac:anchor"))
    if edge:
        flow.page.edges.append(edge)
    body = child(element, "ac:link-body", "ac:plain-text-link-body")
    if not words(element) and (body is None or not len(body)):
        flow.say(_shown(target, edge, flow))
    elif is_person:
        flow.say("@" + words(element))
    else:
        flow.walk(element)


def _edge(target: Element | None, anchor: str) -> Edge | None:
    if target is None:
        return Edge("anchor", anchor) if anchor else None
    return Edge(EDGE_KINDS.get(name(target), name(target)), resource(target), attribute(target, "ri:space-key"))


def _shown(target: Element | None, edge: Edge | None, flow: Flow) -> str:
    if edge and edge.kind in ("page", "blogpost"):
        return flow.page.title_of(PageName(edge.target, edge.space))
    if edge or target is None:
        return edge.target if edge else ""
    return f"@{person(target, flow)}"


def user(element: Element, flow: Flow) -> None:
    """`ri:user`: the display name."""
    flow.say(f"@{person(element, flow)}")


def person(element: Element, flow: Flow) -> str:
    """The display name of the account an `ri:user` refers to."""
    keys = ("ri:account-id", "ri:userkey", "ri:username")
    known = (flow.page.site.people.get(attribute(element, key)) for key in keys)
    return next(filter(None, known), UNKNOWN_PERSON)


def image(element: Element, flow: Flow) -> None:
    """`ac:image` and `img`: what stands for the picture in words."""
    described = (attribute(element, "ac:alt") or attribute(element, "alt"), _caption(element))
    shown = ", ".join(dict.fromkeys(filter(None, described))) or attribute(element, "ac:title") or _file(element, flow)
    flow.say(f"[image: {shown}]" if shown else "[image]")


def _caption(element: Element) -> str:
    caption = child(element, "ac:caption")
    return "" if caption is None else words(caption)


def _file(element: Element, flow: Flow) -> str:
    """The file's name, unless it is kept on a page that must not be named here."""
    owner = next((each for each in element.iter() if name(each) in ("ri:page", "ri:blog-post")), None)
    if owner is not None and flow.page.title_of(PageName(resource(owner), attribute(owner, "ri:space-key"))) == WITHHELD:
        return WITHHELD
    named = next((resource(each) for each in element if name(each).startswith("ri:") and resource(each)), attribute(element, "src"))
    return PurePosixPath(unquote(urlsplit(named).path)).name if "://" in named else named


def date(element: Element, flow: Flow) -> None:
    """`time`: its date."""
    flow.say(attribute(element, "datetime"))


def emoticon(element: Element, flow: Flow) -> None:
    """`ac:emoticon`: a character. New editors write `blue-star` as the name of everything and mean the short name."""
    fallback = attribute(element, "ac:emoji-fallback")
    shortname = attribute(element, "ac:emoji-shortname") or fallback
    if fallback and not fallback.startswith(":"):
        flow.say(fallback)
    elif shortname:
        flow.say(BY_SHORTNAME.get(shortname.strip(":"), shortname))
    else:
        plain = attribute(element, "ac:name")
        flow.say(BY_NAME.get(plain, f"({plain})" if plain else ""))


def hipchat_emoticon(element: Element, flow: Flow) -> None:
    """`ac:hipchat-emoticon`: its short cut, as people typed it."""
    flow.say(f"({attribute(element, 'ac:shortcut')})")
