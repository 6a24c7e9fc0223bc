"""Macros by name: `MACROS` says what happens to each, `SIGNS` to those without a body.

One that is listed in neither keeps its body under a marker `[its-name]`.
"""

from __future__ import annotations

from indexer.parse.document.addresses import page_at
from indexer.parse.document.blocks import ChildPages, Code, Edge, PageName, Passage
from indexer.parse.document.flow import WITHHELD, Flow, Rule, then_content
from indexer.parse.elements.code import code, preformatted_body
from indexer.parse.elements.inline import page_named, person, transparent
from indexer.parse.markup.xml import (
    Element,
    attribute,
    child,
    name,
    parameter,
    parameter_element,
    words,
)


def macro(element: Element, flow: Flow) -> None:
    """`ac:structured-macro`, by its name."""
    MACROS.get(attribute(element, "ac:name"), unknown_macro)(element, flow)


def unknown_macro(element: Element, flow: Flow) -> None:
    """Its body and a marker; a body of plain text is code, since its line breaks may mean something."""
    kind = attribute(element, "ac:name")
    flow.say(f" [{kind or 'macro'}] ")
    if child(element, "ac:plain-text-body") is None:
        flow.walk(element)
    else:
        flow.emit(Code(preformatted_body(element, flow), language=kind))


def panel(kind: str) -> Rule:
    """A box: its kind and title label everything inside it."""

    def rule(element: Element, flow: Flow) -> None:
        title = parameter(element, "title")
        before = len(flow.blocks)
        with flow.scope(label=": ".join(filter(None, (kind, title)))):
            flow.walk(element)
        if title and len(flow.blocks) == before:
            flow.emit(Passage(title))

    return rule


def expand(element: Element, flow: Flow) -> None:
    """Its title is a pseudo-heading over its body."""
    with flow.scope(title=parameter(element, "title")):
        if flow.nested and parameter(element, "title"):
            flow.emit(Passage(parameter(element, "title")))
        flow.walk(element)


def child_pages(element: Element, flow: Flow) -> None:
    """The titles of the pages under this one; those for fewer people are kept apart, and not at all in cells and items."""
    flow.page.shows_children = True
    children = flow.page.site.children
    for acl_id in dict.fromkeys(
        each.acl_id for each in children if each.acl_id and not flow.nested
    ):
        flow.emit_aside(ChildPages(tuple(each for each in children if each.acl_id == acl_id)))
    if shown := tuple(each for each in children if not each.acl_id):
        flow.emit(ChildPages(shown))


def include(element: Element, flow: Flow) -> None:
    """An edge and a pointer: the other page may be restricted more, so its text stays there."""
    written = parameter_element(element, "")
    page = None if written is None else page_named(written) or _page_written(words(written))
    if page is not None and page.title:
        flow.page.edges.append(Edge("include", page.title, page.space))
        flow.say(f" [included from: {flow.page.title_of(page)}] ")


def _page_written(text: str) -> PageName:
    """A title as old pages write it: alone, or behind the key of its space and a colon."""
    space, colon, title = text.partition(":")
    is_key = bool(colon) and not title.startswith(" ") and space.lstrip("~").isalnum()
    return PageName(title, space) if is_key else PageName(text)


def status(element: Element, flow: Flow) -> None:
    """`[TITLE]`; Confluence shows the colour's name when there is no title."""
    shown = parameter(element, "title") or parameter(element, "colour").upper()
    flow.say(f"[{shown}]" if shown else "")


def jira(element: Element, flow: Flow) -> None:
    """The issue's key, or the query in its own words."""
    query = parameter(element, "jqlQuery") or parameter(element, "jql")
    flow.say(parameter(element, "key") or (f"[jira: {query}]" if query else "[jira]"))


def named(kind: str, *keys: str) -> Rule:
    """A file, video or diagram: its name."""

    def rule(element: Element, flow: Flow) -> None:
        found = next((value for key in keys if (value := parameter(element, key))), "")
        if (
            found
            and (owner := _kept_on(element, found)) is not None
            and not flow.page.may_name(owner)
        ):
            found = WITHHELD
        flow.say(f" [{kind}: {found}] " if found else f" [{kind}] ")

    return rule


def _kept_on(element: Element, found: str) -> PageName | None:
    """The other page that a file or diagram is kept on, whose readers alone may know its name."""
    page = page_named(element) or page_at(found)
    page_id = parameter(element, "pageId") if attribute(element, "ac:name") == "inc-drawio" else ""
    return page or (PageName("", id=page_id) if page_id else None)


def profile(element: Element, flow: Flow) -> None:
    """A person's card: the name."""
    card = parameter_element(element, "User")
    card = parameter_element(element, "user") if card is None else card
    found = (
        None
        if card is None
        else next((each for each in card.iter() if name(each) == "ri:user"), None)
    )
    if found is not None:
        flow.say(f"@{person(found, flow)}")


def anchor(element: Element, flow: Flow) -> None:
    """An id for deep links to what follows."""
    if identifier := parameter(element, "") or parameter(element, "name"):
        flow.headings.anchor = identifier


def markdown(element: Element, flow: Flow) -> None:
    """Its text, paragraph by paragraph."""
    for paragraph in preformatted_body(element, flow).split("\n\n"):
        flow.say(paragraph)
        flow.close()


# What they show is on other pages; nothing of this page is lost.
_LISTINGS = (
    "toc toc-zone pagetreesearch recently-updated recently-updated-dashboard contributors contributors-summary attachments blog-posts "
    "change-history content-report-table contentbylabel create-from-template create-space-button detailssummary excerpt-report "
    "favpages gallery global-reports index labels-list listlabels livesearch macro-index navmap network popular-labels "
    "recently-used-labels related-labels search space-attachments space-details spaces space-list tasks-report-macro tasks-report "
    "userlister viewtracker"
)

# Macros that are all parameters: something is said in their place.
SIGNS: dict[str, Rule] = {
    "children": child_pages,
    "pagetree": child_pages,
    "include": include,
    "excerpt-include": include,
    "status": status,
    "jira": jira,
    "jiraissues": jira,
    "anchor": anchor,
    "profile": profile,
    "profile-picture": profile,
    **dict.fromkeys(
        ("view-file", "viewpdf", "viewdoc", "viewxls", "viewppt"), named("file", "name")
    ),
    **dict.fromkeys(("multimedia", "viewvideo"), named("media", "name", "url")),
    "widget": named("widget", "url"),
    "iframe": named("widget", "src"),
    **dict.fromkeys(
        ("drawio", "inc-drawio", "drawio-sketch", "gliffy"),
        named("diagram", "diagramDisplayName", "diagramName", "name"),
    ),
}

MACROS: dict[str, Rule] = {
    **dict.fromkeys(_LISTINGS.split(), transparent),
    "info": panel("Info"),
    "tip": panel("Tip"),
    "note": panel("Note"),
    "warning": panel("Warning"),
    "success": panel("Success"),
    "panel": panel("Panel"),
    "excerpt": panel("Summary"),
    "details": panel("Page properties"),
    "chart": panel("Chart"),
    "expand": expand,
    "ui-expand": expand,
    "code": code,
    "noformat": code,
    "markdown": markdown,
    **dict.fromkeys(
        ("section", "column", "bgcolor", "align", "div", "span", "center", "color", "highlight"),
        transparent,
    ),
    **{name: then_content(rule) for name, rule in SIGNS.items()},
}
