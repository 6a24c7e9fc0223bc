"""Pieces of whole pages, for the reader who asks."""

from __future__ import annotations

from wiki import BACKUP, HOTEL, LEAVE, page, piece, put

from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.policy.acl import EVERYBODY, Reader


def test_the_pieces_of_a_page_come_in_their_order(store: EvidenceStore) -> None:
    put(store, page("1"), piece(HOTEL, position=1), piece(LEAVE, position=0))
    put(store, page("2"), piece(BACKUP, "2"))
    found = Blocks(store.database).pieces({"1", "9"}, EVERYBODY)
    assert {page_id: [each.text for each in pieces] for page_id, pieces in found.items()} == {
        "1": [LEAVE, HOTEL],
        "9": [],
    }


def test_nobody_is_given_a_piece_that_is_not_for_them(store: EvidenceStore) -> None:
    put(store, page("1"), piece(LEAVE), piece(HOTEL, acl_id="some"))
    put(store, page("2"), piece(BACKUP, "2"), acl_id="some")
    blocks = Blocks(store.database)
    assert {key: len(value) for key, value in blocks.pieces({"1", "2"}, EVERYBODY).items()} == {
        "1": 1,
        "2": 0,
    }
    assert {
        key: len(value)
        for key, value in blocks.pieces({"1", "2"}, Reader(frozenset({"open", "some"}))).items()
    } == {"1": 2, "2": 1}


def test_a_hidden_page_has_no_pieces(store: EvidenceStore) -> None:
    put(store, page("1"), piece(LEAVE))
    store.hide(page("1"))
    assert Blocks(store.database).pieces({"1"}, EVERYBODY) == {"1": []}
