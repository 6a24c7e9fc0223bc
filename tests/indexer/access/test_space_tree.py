"""Who may read a page: a reader must pass its space, all above it, and itself; unknown denies."""

from __future__ import annotations

import pytest

from core.access.policy import Policy
from core.models import Page
from core.page_source import Readers, Space
from core.pages import PageKind
from core.policy.acl import OPEN, Clauses
from indexer.access.space_tree import SpaceTree, implies
from indexer.state.plan import SpaceTreeNode

FREE, NOBODY_KNOWS = frozenset[str](), None
BOARD, STAFF = frozenset({"group:board"}), frozenset({"group:staff", "user:ben"})


def space_tree(
    readers: dict[str, Readers | None], policy: Policy | None = None, **parents: str | None
) -> SpaceTree:
    """Pages by name, each with its parent's name."""
    pages = {
        name: Page(id=name, space="DOC", title=name.upper(), url="", parent_id=parent)
        for name, parent in parents.items()
    }
    return SpaceTree(Space("7", "DOC"), pages, policy or Policy(aware=True), readers=dict(readers))


def tree(policy: Policy | None = None, **readers: Readers | None) -> SpaceTree:
    """top > middle > leaf, free unless something else is said."""
    known = {"top": FREE, "middle": FREE, "leaf": FREE}
    return space_tree({**known, **readers}, policy, top=None, middle="top", leaf="middle")


def test_nobody_is_kept_from_a_page_without_restrictions() -> None:
    assert tree().clauses("leaf") == OPEN


@pytest.mark.parametrize("where", ["top", "middle", "leaf"])
def test_a_restriction_anywhere_on_the_way_is_a_clause(where: str) -> None:
    assert tree(None, **{where: BOARD}).clauses("leaf") == frozenset({BOARD})


def test_every_restriction_on_the_way_has_to_be_passed_and_not_the_nearest_alone() -> None:
    assert tree(top=BOARD, leaf=STAFF).clauses("leaf") == frozenset({BOARD, STAFF})


def test_the_space_is_a_clause_too() -> None:
    found = tree(leaf=BOARD)
    found.space_clauses = frozenset({STAFF})
    assert (found.clauses("leaf"), found.clauses("top")) == (
        frozenset({BOARD, STAFF}),
        frozenset({STAFF}),
    )


@pytest.mark.parametrize("where", ["top", "middle", "leaf"])
def test_what_is_unknown_anywhere_on_the_way_denies_everybody(where: str) -> None:
    assert tree(None, **{where: NOBODY_KNOWS}).clauses("leaf") is None


def test_a_page_that_nothing_is_known_of_and_one_under_an_unknown_parent_are_denied() -> None:
    assert space_tree({}, top=None).clauses("top") is None
    assert space_tree({"leaf": FREE}, leaf="gone").clauses("leaf") is None


def test_parents_that_turn_in_a_circle_end_and_deny() -> None:
    assert space_tree({"a": FREE, "b": FREE}, a="b", b="a").clauses("a") is None


def test_a_group_of_everybody_keeps_nobody_out() -> None:
    everybody = Policy(aware=True, everybody=frozenset({"group:staff"}))
    assert tree(everybody, leaf=STAFF).clauses("leaf") == OPEN


@pytest.mark.parametrize(("are_open", "expected"), [(True, OPEN), (False, None)])
def test_a_page_under_a_folder_is_denied_unless_the_operator_vouches_for_folders(
    are_open: bool, expected: Clauses | None
) -> None:
    found = space_tree(
        {"leaf": FREE, "folder": FREE}, Policy(aware=True, folders_are_open=are_open), leaf="folder"
    )
    found.nodes["folder"] = SpaceTreeNode("folder", PageKind.FOLDER, None)
    assert found.clauses("leaf") == expected


def test_in_the_default_mode_a_page_is_for_everybody_or_for_nobody() -> None:
    found = tree(Policy(), middle=BOARD)
    assert (found.acl(found.pages["top"]), found.acl(found.pages["leaf"])) == (OPEN, None)


def test_the_pages_above_come_outermost_first_without_what_is_in_no_listing() -> None:
    found = tree()
    assert [page.title for page in found.above(found.pages["leaf"])] == ["TOP", "MIDDLE"]
    found = space_tree({}, leaf="middle", middle="folder")
    assert [page.id for page in found.above(found.pages["leaf"])] == ["middle"]


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ({BOARD}, OPEN, True),
        (OPEN, {BOARD}, False),
        ({BOARD, STAFF}, {STAFF}, True),
        ({STAFF}, {BOARD, STAFF}, False),
        ({frozenset({"user:ben"})}, {STAFF}, True),
        ({STAFF}, {frozenset({"user:ben"})}, False),
    ],
)
def test_one_acl_implies_another_when_whoever_passes_it_passes_that(
    mine: Clauses, theirs: Clauses, expected: bool
) -> None:
    assert implies(frozenset(mine), frozenset(theirs)) is expected
