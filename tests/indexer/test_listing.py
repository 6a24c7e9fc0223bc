"""Who may read what: a page is open when nothing on the way down to it is restricted, and closed on doubt."""

from __future__ import annotations

import pytest

from core.models import Page
from indexer.confluence import Space
from indexer.listing import Listing


def listing(restricted: dict[str, bool | None], **parents: str | None) -> Listing:
    """Pages by name, each with its parent's name."""
    pages = {name: Page(id=name, space="DOC", title=name.upper(), url="", parent_id=parent) for name, parent in parents.items()}
    return Listing(Space("7", "DOC"), pages, restricted)


def is_open(found: Listing, name: str) -> bool:
    return found.is_open(found.pages[name])


@pytest.mark.parametrize(("restricted", "expected"), [(False, True), (True, False), (None, False)])
@pytest.mark.parametrize("where", ["top", "middle", "leaf"])
def test_a_page_is_open_when_neither_it_nor_anything_above_it_is_restricted_or_unknown(
    where: str, restricted: bool | None, expected: bool
) -> None:
    known: dict[str, bool | None] = {"top": False, "middle": False, "leaf": False}
    known[where] = restricted
    assert is_open(listing(known, top=None, middle="top", leaf="middle"), "leaf") is expected


def test_a_page_that_nothing_is_known_of_is_closed() -> None:
    assert not is_open(listing({}, top=None), "top")


@pytest.mark.parametrize(
    ("folder", "expected"), [({"folder": False}, True), ({"folder": True}, False), ({"folder": None}, False), ({}, False)]
)
def test_a_page_under_a_folder_is_as_open_as_the_folder(folder: dict[str, bool | None], expected: bool) -> None:
    assert is_open(listing({"leaf": False, **folder}, leaf="folder"), "leaf") is expected


def test_parents_that_turn_in_a_circle_end() -> None:
    assert is_open(listing({"a": False, "b": False}, a="b", b="a"), "a")
    assert not is_open(listing({"a": False, "b": True}, a="b", b="a"), "a")


def test_a_page_names_only_the_children_that_everybody_may_read() -> None:
    found = listing({"top": False, "open": False, "shut": True, "odd": None}, top=None, open="top", shut="top", odd="top")
    assert found.child_titles(found.pages["top"]) == ["OPEN"]
