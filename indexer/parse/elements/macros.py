"""Macros by name: `MACROS` says what happens to each, `PARAMETER_MACROS` to those without a body.

One that is listed in neither keeps its body under a marker `[its-name]`.
"""

from __future__ import annotations

from indexer.parse.document.addresses import page_at
from indexer.parse.document.blocks import ChildPage, ChildPages, Code, Edge, PageName, Passage
from indexer.parse.document.flow import WITHHELD, Flow, Rule
from indexer.parse.elements.code import code, preformatted_body
from indexer.parse.elements.formulas import FORMULAS, INLINE_FORMULAS, formula, inline_formula
from indexer.parse.elements.inline import page_named, person, then_content, transparent
from indexer.parse.elements.tabs import TABS, TITLED, column, tab_group, titled_by
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
    """Its body and a marker; a plain-text body is code, since its line breaks may matter."""
    kind = attribute(element, "ac:name")
    flow.add_text(f" [{kind or 'macro'}] ")
    if child(element, "ac:plain-text-body") is None:
        flow.walk(element)
    else:
        flow.emit(Code(preformatted_body(element, flow), language=kind))


def panel(kind: str) -> Rule:
    """A box: its kind and title label everything inside it."""

    def rule(element: Element, flow: Flow) -> None:
        title = parameter(element, "title")
        before = len(flow.blocks)
        label = f"{kind}: {title}" if title else kind
        with flow.scope(label=label):
            flow.walk(element)
        if title and len(flow.blocks) == before:
            flow.emit(Passage(title))

    return rule


def child_pages(element: Element, flow: Flow) -> None:
    """The titles of the pages under this one; those for fewer people apart, and never in cells."""
    flow.page.shows_children = True
    by_acl: dict[str, list[ChildPage]] = {}
    for child_page in flow.page.site.children:
        by_acl.setdefault(child_page.acl_id, []).append(child_page)
    shown = by_acl.pop("", [])
    if not flow.nested:
        for pages in by_acl.values():
            flow.emit_restricted(ChildPages(tuple(pages)))
    if shown:
        flow.emit(ChildPages(tuple(shown)))


def include(element: Element, flow: Flow) -> None:
    """An edge and a pointer: the other page may be restricted more, so its text stays there."""
    written = parameter_element(element, "")
    if written is None:
        return
    page = page_named(written) or _page_written(words(written))
    if page.title:
        flow.page.edges.append(Edge("include", page.title, page.space))
        flow.add_text(f" [included from: {flow.page.title_of(page)}] ")


def _page_written(text: str) -> PageName:
    """A title as old pages write it: alone, or after the key of its space and a colon."""
    space, colon, title = text.partition(":")
    if not colon or title.startswith(" ") or not space.lstrip("~").isalnum():
        return PageName(text)
    return PageName(title, space)


def status(element: Element, flow: Flow) -> None:
    """`[TITLE]`; Confluence shows the colour's name when there is no title."""
    shown = parameter(element, "title") or parameter(element, "colour").upper()
    flow.add_text(f"[{shown}]" if shown else "")


def jira(element: Element, flow: Flow) -> None:
    """The issue's key, or the query in its own words."""
    key = parameter(element, "key")
    query = parameter(element, "jqlQuery") or parameter(element, "jql")
    placeholder = f"[jira: {query}]" if query else "[jira]"
    flow.add_text(key or placeholder)


def named(kind: str, *keys: str) -> Rule:
    """A file, video or diagram: its name."""

    def rule(element: Element, flow: Flow) -> None:
        values = (parameter(element, key) for key in keys)
        found = next(filter(None, values), "")
        owner = _owner(element, found) if found else None
        if owner is not None:
            found = flow.page.belonging(found, owner) or WITHHELD
        flow.add_text(f" [{kind}: {found}] " if found else f" [{kind}] ")

    return rule


def _owner(element: Element, found: str) -> PageName | None:
    """The other page that a file or diagram is kept on, whose readers alone may know its name."""
    page = page_named(element) or page_at(found)
    if page or attribute(element, "ac:name") != "inc-drawio":
        return page
    page_id = parameter(element, "pageId")
    return PageName("", id=page_id) if page_id else None


def profile(element: Element, flow: Flow) -> None:
    """A person's card: the name."""
    card = parameter_element(element, "User")
    if card is None:
        card = parameter_element(element, "user")
    if card is None:
        return
    for each in card.iter():
        if name(each) == "ri:user":
            flow.add_text(f"@{person(each, flow)}")
            return


def anchor(element: Element, flow: Flow) -> None:
    """An id for deep links to what follows."""
    identifier = parameter(element, "") or parameter(element, "name")
    if identifier:
        flow.headings.set_here(identifier)


def markdown(element: Element, flow: Flow) -> None:
    """Its text, paragraph by paragraph."""
    for paragraph in preformatted_body(element, flow).split("\n\n"):
        flow.add_text(paragraph)
        flow.close()


# What they show is on other pages; nothing of this page is lost.
_LISTINGS = (
    "toc toc-zone pagetreesearch recently-updated recently-updated-dashboard contributors "
    "contributors-summary attachments blog-posts change-history content-report-table "
    "contentbylabel create-from-template create-space-button detailssummary excerpt-report "
    "favpages gallery global-reports index labels-list listlabels livesearch macro-index navmap "
    "network popular-labels recently-used-labels related-labels search space-attachments "
    "space-details spaces space-list tasks-report-macro tasks-report userlister viewtracker"
)
_CONTAINERS = "section bgcolor align div span center color highlight"
_FILES = "view-file viewpdf viewdoc viewxls viewppt"
_DIAGRAMS = "drawio inc-drawio drawio-sketch gliffy"

# Macros that are all parameters: some text takes their place.
PARAMETER_MACROS: dict[str, Rule] = {
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
    **dict.fromkeys(_FILES.split(), named("file", "name")),
    **dict.fromkeys(("multimedia", "viewvideo"), named("media", "name", "url")),
    "widget": named("widget", "url"),
    "iframe": named("widget", "src"),
    **dict.fromkeys(
        _DIAGRAMS.split(), named("diagram", "diagramDisplayName", "diagramName", "name")
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
    **{kind: titled_by(*keys) for kind, keys in TITLED.items()},
    **dict.fromkeys(TABS, tab_group),
    "column": column,
    "code": code,
    "noformat": code,
    **dict.fromkeys(INLINE_FORMULAS, inline_formula),
    **dict.fromkeys(FORMULAS, formula),
    "markdown": markdown,
    **dict.fromkeys(_CONTAINERS.split(), transparent),
    **{name: then_content(rule) for name, rule in PARAMETER_MACROS.items()},
}
