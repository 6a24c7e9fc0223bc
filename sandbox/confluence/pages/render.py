"""Turn a storage-format body into HTML that a person can read and that cannot run anything.

Only known tags and attributes pass; of everything else the content stays and the markup goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from lxml import etree

from sandbox.confluence.pages.markup import DROPPED, PLAIN, VOID, Anchors, attributes
from sandbox.confluence.pages.storage import attribute, child, parameter, parse, tag_of
from sandbox.confluence.site.content import Content, Entry

# Characters that plain fonts have; the fallback of an emoji is often one that they lack.
SYMBOLS = {
    "tick": "✓",
    "cross": "✗",
    "warning": "⚠",
    "information": "ℹ",
    "question": "?",
    "yellow-star": "★",
}


@dataclass
class Rendering:
    """One page being rendered: what it links to, and the heading anchors given out so far."""

    content: Content
    entry: Entry
    anchors: Anchors = field(default_factory=Anchors)


def render(content: Content, entry: Entry) -> str:
    """The body of an entry as HTML."""
    return inner(Rendering(content, entry), parse(entry.body))


def inner(page: Rendering, element: etree._Element) -> str:
    """The content of an element, without its own markup."""
    parts = [escape(element.text or "")]
    for each in element:
        parts += (outer(page, each), escape(each.tail or ""))
    return "".join(parts)


def outer(page: Rendering, element: etree._Element) -> str:
    """An element with its markup, where it is known."""
    tag = tag_of(element)
    if tag in DROPPED or not tag:
        return ""
    if tag in RULES:
        return RULES[tag](page, element)
    return _plain(page, element, tag) if tag in PLAIN else inner(page, element)


def _plain(page: Rendering, element: etree._Element, tag: str) -> str:
    opened = f"<{tag}{attributes(element)}{page.anchors.give(element, tag)}>"
    return opened if tag in VOID else f"{opened}{inner(page, element)}</{tag}>"


def link(page: Rendering, element: etree._Element) -> str:
    """`ac:link` to a page, blog post, person, attachment or anchor; by default with its title."""
    text = _link_text(page, element)
    if (user := child(element, "ri:user")) is not None:
        return f'<span class="user">@{escape(person_name(page.content, user))}</span>'
    target = child(element, "ri:page")
    target = child(element, "ri:blog-post") if target is None else target
    if target is not None:
        return _page_link(page, target, text, attribute(element, "ac:anchor"))
    if (file := child(element, "ri:attachment")) is not None:
        return text or escape(attribute(file, "ri:filename"))
    anchor = attribute(element, "ac:anchor")
    return f'<a href="#{escape(anchor)}">{text or escape(anchor)}</a>'


def _link_text(page: Rendering, element: etree._Element) -> str:
    for tag in ("ac:link-body", "ac:plain-text-link-body"):
        if (body := child(element, tag)) is not None:
            return inner(page, body)
    return ""


def _page_link(page: Rendering, target: etree._Element, text: str, anchor: str) -> str:
    title = attribute(target, "ri:content-title")
    found = page.content.find(title, attribute(target, "ri:space-key") or page.entry.space)
    shown = text or escape(title)
    if found is None:
        return f'<span class="missing" title="this page does not exist">{shown}</span>'
    fragment = f"#{escape(anchor)}" if anchor else ""
    return f'<a href="/wiki{escape(found.webui)}{fragment}">{shown}</a>'


def person_name(content: Content, user: etree._Element) -> str:
    account = attribute(user, "ri:account-id")
    person = content.people.get(account)
    return person.name if person else account


def image(_page: Rendering, element: etree._Element) -> str:
    """Files are not kept: an image is shown as its name."""
    file = child(element, "ri:attachment")
    file_name = "image" if file is None else attribute(file, "ri:filename")
    name = attribute(element, "ac:alt") or file_name
    return f'<span class="image">[{escape(name)}]</span>'


def emoticon(_page: Rendering, element: etree._Element) -> str:
    name = attribute(element, "ac:name")
    return escape(SYMBOLS.get(name) or attribute(element, "ac:emoji-fallback") or f"({name})")


def moment(_page: Rendering, element: etree._Element) -> str:
    return f"<time>{escape(element.get('datetime') or '')}</time>"


def task_list(page: Rendering, element: etree._Element) -> str:
    tasks = [task for task in element if tag_of(task) == "ac:task"]
    return f'<ul class="tasks">{"".join(_task(page, task) for task in tasks)}</ul>'


def _task(page: Rendering, task: etree._Element) -> str:
    status, body = child(task, "ac:task-status"), child(task, "ac:task-body")
    done = status is not None and status.text == "complete"
    return f"<li>{'☑' if done else '☐'} {inner(page, body) if body is not None else ''}</li>"


def macro(page: Rendering, element: etree._Element) -> str:
    """A macro by its own rule; an unknown one is its body."""
    rule = MACROS.get(attribute(element, "ac:name"), _body)
    return rule(page, element)


def _body(page: Rendering, element: etree._Element) -> str:
    rich = child(element, "ac:rich-text-body")
    rich = child(element, "ac:plain-text-body") if rich is None else rich
    return "" if rich is None else inner(page, rich)


def _panel(page: Rendering, element: etree._Element) -> str:
    kind, title = attribute(element, "ac:name"), parameter(element, "title")
    heading = f"<strong>{escape(title)}</strong>" if title else ""
    return f'<div class="panel {escape(kind)}">{heading}{_body(page, element)}</div>'


def _code(page: Rendering, element: etree._Element) -> str:
    title = parameter(element, "title")
    caption = f'<div class="caption">{escape(title)}</div>' if title else ""
    return f"{caption}<pre>{_body(page, element)}</pre>"


def _expand(page: Rendering, element: etree._Element) -> str:
    title = parameter(element, "title") or "More"
    return f"<details><summary>{escape(title)}</summary>{_body(page, element)}</details>"


def _status(_page: Rendering, element: etree._Element) -> str:
    colour = (parameter(element, "colour") or "grey").lower()
    title = parameter(element, "title") or colour
    return f'<span class="status {escape(colour)}">{escape(title)}</span>'


def _jira(_page: Rendering, element: etree._Element) -> str:
    query = parameter(element, "key") or parameter(element, "jqlQuery")
    return f'<code class="jira">{escape(query)}</code>'


def _children(page: Rendering, _element: etree._Element) -> str:
    items = ""
    for entry in page.content.children(page.entry.id):
        items += f'<li><a href="/wiki{escape(entry.webui)}">{escape(entry.title)}</a></li>'
    return f"<ul>{items}</ul>"


def _nothing(_page: Rendering, _element: etree._Element) -> str:
    return ""


Rule = Callable[[Rendering, etree._Element], str]
RULES: dict[str, Rule] = {
    "ac:link": link,
    "ac:image": image,
    "ac:emoticon": emoticon,
    "ac:task-list": task_list,
    "ac:structured-macro": macro,
    "ac:macro": macro,
    "time": moment,
}
MACROS: dict[str, Rule] = {
    **dict.fromkeys(("info", "tip", "note", "warning", "panel"), _panel),
    **dict.fromkeys(("code", "noformat"), _code),
    **dict.fromkeys(("toc", "anchor", "recently-updated", "contributors"), _nothing),
    "expand": _expand,
    "status": _status,
    "jira": _jira,
    "children": _children,
}
