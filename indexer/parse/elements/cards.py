"""Smart links (cards), whose text is not the author's but a copy of another page's title or URL.

They are resolved in the tree, before any rule reads it: whatever then looks at text, a title that
must not be shown is not there.
"""

from __future__ import annotations

from urllib.parse import unquote

from indexer.parse.document.addresses import page_at
from indexer.parse.document.blocks import PageName
from indexer.parse.document.flow import PageContext
from indexer.parse.markup.xml import PAGES, Element, attribute, child, name, resource, words


def resolve_links(root: Element, page: PageContext) -> None:
    """Replace every page URL by the title, if it may be shown, and drop copied titles."""
    # The tree is searched by lxml itself, in C: very few elements of a page are links.
    for element in list(root.iter("{*}a", "{*}link")):
        if name(element) == "a":
            _resolve_url(element, page)
        elif name(element) == "ac:link":
            _drop_copied_title(element)


def _resolve_url(element: Element, page: PageContext) -> None:
    target = _page_of_url(element)
    if target is not None:
        del element[:]
        element.text = page.title_of(target)


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
