"""Links that say the title of another page, which is not their author's to tell.

Smart links (cards) and addresses are a copy of that title, made by the editor; words of an author
that are nothing but the title are the same to a reader. They are resolved in the tree, before any
rule reads it: whatever then looks at text, a title that must not be shown is not there, and the
others are marked.
"""

from __future__ import annotations

from urllib.parse import unquote

from indexer.parse.document.addresses import page_at
from indexer.parse.document.blocks import PageName
from indexer.parse.document.flow import WITHHELD, PageContext
from indexer.parse.elements.inline import page_named
from indexer.parse.markup.xml import PAGES, Element, attribute, child, name, resource, words


def resolve_links(root: Element, page: PageContext) -> None:
    """Replace every page URL by the title, if it may be shown, and drop copied titles."""
    # The tree is searched by lxml itself, in C: very few elements of a page are links.
    for element in list(root.iter("{*}a", "{*}link")):
        if name(element) == "a":
            _resolve_url(element, page)
        elif name(element) == "ac:link":
            _drop_copied_title(element)
            _resolve_words(element, page)


def _resolve_url(element: Element, page: PageContext) -> None:
    target = _page_of_url(element)
    if target is not None:
        del element[:]
        element.text = page.title_of(target)
        return
    target = page_at(attribute(element, "href"))
    if target is not None:
        _mark_title(element, target, page)


def _page_of_url(element: Element) -> PageName | None:
    """The page of a smart link, or of a link that shows where it leads."""
    address, text = attribute(element, "href"), words(element)
    if attribute(element, "data-card-appearance") or unquote(text) == unquote(address):
        return page_at(address)
    shown = None if " " in text else page_at(text)
    return None if shown is None else page_at(address) or shown


def _drop_copied_title(link: Element) -> None:
    """Empty a link that the editor filled with the title, so that its rule shows today's title."""
    target = child(link, *PAGES)
    body = child(link, "ac:link-body", "ac:plain-text-link-body")
    if target is None or body is None:
        return
    if attribute(link, "ac:card-appearance") or words(body) == resource(target):
        del body[:]
        body.text = None


def _resolve_words(link: Element, page: PageContext) -> None:
    target = child(link, *PAGES)
    named = None if target is None else page_named(target)
    if named is not None:
        _mark_title(link, named, page)


def _mark_title(link: Element, target: PageName, page: PageContext) -> None:
    """Treat an author's words as the title, where they are nothing else."""
    if not page.is_title(words(link), target):
        return
    if page.title_of(target) == WITHHELD:
        del link[:]
        link.text = WITHHELD
        return
    for each in link.iter():
        each.text = page.marked(each.text or "", target)
        if each is not link:
            each.tail = page.marked(each.tail or "", target)
