"""What stands inside a line: links, people, images, dates, emoticons, struck-out words."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from indexer.parse.blocks import Edge
from indexer.parse.emoticons import BY_NAME, BY_SHORTNAME
from indexer.parse.flow import BREAK, Flow
from indexer.parse.xml import Element, attribute, child, name, resource, words

EDGE_KINDS = {"ri:page": "page", "ri:blog-post": "blogpost", "ri:attachment": "attachment", "ri:space": "space", "ri:url": "url"}
UNKNOWN_PERSON = "unknown user"


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
    """`a`: its text."""
    if address := attribute(element, "href"):
        flow.page.edges.append(Edge("url", address))
    flow.walk(element)


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
    shown = ", ".join(dict.fromkeys(filter(None, described))) or attribute(element, "ac:title") or _file(element)
    flow.say(f"[image: {shown}]" if shown else "[image]")


def _caption(element: Element) -> str:
    caption = child(element, "ac:caption")
    return "" if caption is None else words(caption)


def _file(element: Element) -> str:
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
