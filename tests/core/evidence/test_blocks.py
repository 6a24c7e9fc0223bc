"""Pieces of whole pages, for the reader who asks."""

from __future__ import annotations

from wiki import BACKUP, HOTEL, LEAVE, key, page, piece, put

from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.policy.acl import EVERYBODY, Reader


def test_the_pieces_of_a_page_come_in_their_order(store: EvidenceStore) -> None:
    put(store, page("1"), piece(HOTEL, position=1), piece(LEAVE, position=0))
    put(store, page("2"), piece(BACKUP, "2"))
    found = Blocks(store.database).pieces({key("1"), key("9")}, EVERYBODY)
    assert {page.id: [each.text for each in pieces] for page, pieces in found.items()} == {
        "1": [LEAVE, HOTEL],
        "9": [],
    }


def test_nobody_is_given_a_piece_that_is_not_for_them(store: EvidenceStore) -> None:
    put(store, page("1"), piece(LEAVE), piece(HOTEL, acl_id="some"))
    put(store, page("2"), piece(BACKUP, "2"), acl_id="some")
    blocks = Blocks(store.database)
    both = {key("1"), key("2")}
    for reader, counts in ((EVERYBODY, (1, 0)), (Reader(frozenset({"open", "some"})), (2, 1))):
        found = blocks.pieces(both, reader)
        assert (len(found[key("1")]), len(found[key("2")])) == counts


def test_a_hidden_page_has_no_pieces(store: EvidenceStore) -> None:
    put(store, page("1"), piece(LEAVE))
    store.hide(page("1"))
    assert Blocks(store.database).pieces({key("1")}, EVERYBODY) == {key("1"): []}
