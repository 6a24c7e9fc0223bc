"""Links whose words the editor wrote, not the author: the title or the address of another page, copied into the markup.

They are settled in the tree, before any rule reads it: whatever then looks at text, a title that must not be shown is not there.
"""

from __future__ import annotations

from urllib.parse import unquote

from indexer.parse.document.addresses import page_at
from indexer.parse.document.blocks import PageName
from indexer.parse.document.flow import Reading
from indexer.parse.markup.xml import PAGES, Element, attribute, child, name, resource, words


def settle(root: Element, page: Reading) -> None:
    """Put the title, as far as it may be shown, in place of every address of a page, and leave no copy of a linked page's title."""
    # The tree is searched by lxml itself, in C: very few elements of a page are links.
    for element in list(root.iter("{*}a", "{*}link")):
        if name(element) == "a":
            _settle_address(element, page)
        elif name(element) == "ac:link":
            _forget_title(element)


def _settle_address(element: Element, page: Reading) -> None:
    target = _only_an_address(element)
    if target is not None:
        del element[:]
        element.text = page.title_of(target)


def _only_an_address(element: Element) -> PageName | None:
    """The page of a smart link, or of a link that shows where it leads."""
    address, text = attribute(element, "href"), words(element)
    if attribute(element, "data-card-appearance") or unquote(text) == unquote(address):
        return page_at(address)
    return None if " " in text or page_at(text) is None else page_at(address) or page_at(text)


def _forget_title(link: Element) -> None:
    """Empty the body of a link that the editor filled with the title; the rule for links then asks for the title of today."""
    target = next((each for each in link if name(each) in PAGES), None)
    body = child(link, "ac:link-body", "ac:plain-text-link-body")
    if (
        target is not None
        and body is not None
        and (attribute(link, "ac:card-appearance") or words(body) == resource(target))
    ):
        del body[:]
        body.text = None
