"""What stands inside a line: links, people, images, dates, emoticons, struck-out words."""

from __future__ import annotations

from indexer.parse.document.addresses import file_at, page_at
from indexer.parse.document.blocks import Edge, PageName
from indexer.parse.document.flat import hoisted, lines
from indexer.parse.document.flow import WITHHELD, Flow
from indexer.parse.document.sentences import BREAK
from indexer.parse.elements.emoticons import BY_NAME, BY_SHORTNAME
from indexer.parse.markup.xml import PAGES, Element, attribute, child, name, resource, words

EDGE_KINDS = {
    "ri:page": "page",
    "ri:blog-post": "blogpost",
    "ri:attachment": "attachment",
    "ri:space": "space",
    "ri:url": "url",
}
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
    """`a`: its text; what is only the address of a page was settled before (`cards`)."""
    if address := attribute(element, "href"):
        flow.page.edges.append(Edge("url", address))
    flow.walk(element)


def link(element: Element, flow: Flow) -> None:
    """`ac:link`: its text, else the name of what it leads to."""
    target = next((each for each in element if name(each).startswith("ri:")), None)
    is_person = target is not None and name(target) == "ri:user"
    if not is_person and (edge := _edge(target, attribute(element, "ac:anchor"))):
        flow.page.edges.append(edge)
    body = child(element, "ac:link-body", "ac:plain-text-link-body")
    if not words(element) and (body is None or not len(body)):
        flow.say(attribute(element, "ac:anchor") if target is None else _shown(target, flow))
    elif is_person:
        flow.say("@" + words(element))
    else:
        flow.walk(element)


def _edge(target: Element | None, anchor: str) -> Edge | None:
    if target is None:
        return Edge("anchor", anchor) if anchor else None
    return Edge(
        EDGE_KINDS.get(name(target), name(target)),
        resource(target),
        attribute(target, "ri:space-key"),
    )


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
    found = next((each for each in element.iter() if name(each) in PAGES), None)
    if found is None:
        return None
    return PageName(
        resource(found), attribute(found, "ri:space-key"), attribute(found, "ri:content-id")
    )


def file_name(element: Element, flow: Flow) -> str | None:
    """The name of the file that an `ri:` element or an `img` refers to; None when it is kept on a page that must not be named here."""
    written = resource(element) or attribute(element, "src")
    owner = page_named(element) or page_at(written)
    if owner is not None and not flow.page.may_name(owner):
        return None
    return file_at(written) if "://" in written else written


def user(element: Element, flow: Flow) -> None:
    """`ri:user`: the display name."""
    flow.say(f"@{person(element, flow)}")


def person(element: Element, flow: Flow) -> str:
    """The display name of the account an `ri:user` refers to."""
    keys = ("ri:account-id", "ri:userkey", "ri:username")
    known = (flow.page.site.people.get(attribute(element, key)) for key in keys)
    return next(filter(None, known), UNKNOWN_PERSON)


def image(element: Element, flow: Flow) -> None:
    """`ac:image` and `img`: what stands for the picture in words; editors write the file's name where the author wrote nothing."""
    source = next((each for each in element if name(each).startswith("ri:")), element)
    file = file_name(source, flow)
    copied = "" if file is not None else file_at(resource(source))
    under = child(element, "ac:caption")
    blocks = [] if under is None else flow.inside(under)
    described = (attribute(element, "ac:alt") or attribute(element, "alt"), " ".join(lines(blocks)))
    own = dict.fromkeys(each for each in described if each and each != copied)
    shown = ", ".join(own) or attribute(element, "ac:title") or (WITHHELD if file is None else file)
    flow.say(f"[image: {shown}]" if shown else "[image]")
    for block in hoisted(blocks):
        flow.emit(block)


def caption(element: Element, flow: Flow) -> None:
    """`ac:caption`: its image says it; elsewhere broken markup has put it."""
    image = element.getparent()
    if image is None or name(image) != "ac:image" or child(image, "ac:caption") is not element:
        flow.walk(element)


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
