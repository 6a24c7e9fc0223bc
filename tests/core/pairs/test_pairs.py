"""Pairs are proposed once, and go with their piece of evidence and with their author's question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wiki import page, piece, put

from core.evidence import EvidenceStore
from core.models import Answer, Evidence, Record
from core.pages import CONFLUENCE, PageKey
from core.pairs import pairs
from core.pairs.pairs import Pair
from core.question import Completed
from core.states import PairOrigin, PairState
from core.storage.database import Database
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion, Turn

KEY = PageKey(CONFLUENCE, "1")
ROOM, KEYS = piece("Room for 31 bicycles.", "1"), piece("Rui has the key.", "1", position=1)


def about(evidence: Evidence, question: str, turn_id: str = "") -> Pair:
    return Pair(question, "31.", KEY, evidence.id, PairOrigin.VOTE, turn_id=turn_id)


def answered(database: Database, ts: str, completed: str = "How many?", user: str = "U1") -> Turn:
    """A question, here as the conversation completed it, whose answer is that of the pairs."""
    where = Address("T", "C", ts, "1.0")
    turn = turn_store.ask(database, NewQuestion(where, user, "How many?"))
    assert turn
    done = Completed(question="How many?", text=completed)
    turn_store.answer(database, turn.id, Record(completed=done, answer=Answer(text="31.")))
    return turn


def left(database: Database) -> set[str]:
    found = pairs.of_state(database, PairState.PROPOSED)
    return {each.question for each in found}


@pytest.fixture
def indexed(store: EvidenceStore) -> Database:
    put(store, page("1", "Cellar"), ROOM, KEYS)
    return store.database


@pytest.fixture
def cellar(store: EvidenceStore, indexed: Database) -> EvidenceStore:
    pairs.propose(indexed, [about(ROOM, "How many?"), about(KEYS, "Who has the key?")])
    return store


def test_a_question_is_proposed_once_whatever_was_said_of_it(indexed: Database) -> None:
    database = indexed
    assert pairs.propose(database, [about(ROOM, "How many?"), about(KEYS, "how MANY?")]) == 1
    (pair,) = pairs.of_state(database, PairState.PROPOSED)
    assert pairs.decide(database, pair.id, PairState.REFUSED)
    assert pairs.propose(database, [about(ROOM, "How many?")]) == 0
    assert not pairs.decide(database, "made-up", PairState.ACCEPTED)


def test_the_version_changes_with_what_is_accepted(indexed: Database) -> None:
    database = indexed
    pairs.propose(database, [about(ROOM, "How many?")])
    (pair,) = pairs.of_state(database, PairState.PROPOSED)
    before = pairs.version(database)
    pairs.decide(database, pair.id, PairState.ACCEPTED)
    accepted = pairs.version(database)
    pairs.decide(database, pair.id, PairState.REFUSED)
    assert len({before, accepted}) == 2
    assert pairs.version(database) != accepted


def test_a_pair_stays_when_other_pieces_of_its_page_change(cellar: EvidenceStore) -> None:
    put(cellar, page("1", "Cellar"), ROOM, piece("Ines has the key.", "1", position=1))
    assert left(cellar.database) == {"How many?"}


def test_pairs_go_with_their_page(cellar: EvidenceStore) -> None:
    cellar.hide(page("1", "Cellar"))
    assert left(cellar.database) == set()


def test_a_pair_goes_when_its_piece_is_withheld(cellar: EvidenceStore) -> None:
    cellar.withhold(KEY, ["31 bicycles"])
    assert left(cellar.database) == {"Who has the key?"}


def test_a_pair_of_a_piece_that_names_others_goes_when_the_page_gets_other_readers(
    store: EvidenceStore,
) -> None:
    naming = piece("See the safe.", "1", position=2, acl_id="few")
    put(store, page("1", "Cellar"), ROOM, naming)
    pairs.propose(store.database, [about(ROOM, "How many?"), about(naming, "Which safe?")])
    before = store.visible_pages()[KEY]
    store.set_acl([KEY], before=before, now="others")
    assert left(store.database) == {"How many?"}


def test_a_forgotten_question_is_no_pair_any_more(indexed: Database) -> None:
    turn = answered(indexed, "1.0")
    pairs.propose(indexed, [about(ROOM, "How many?", turn.id), about(KEYS, "Who?")])
    erasure.forget_turn(indexed, turn.id, "U1")
    assert left(indexed) == {"Who?"}


def test_a_pair_goes_with_an_earlier_question_that_completed_its_own(indexed: Database) -> None:
    earlier = answered(indexed, "1.0")
    later = answered(indexed, "2.0", "How many? (Bicycles of Rui)", user="U2")
    pairs.propose(indexed, [about(ROOM, "How many? (Bicycles of Rui)", later.id)])
    assert left(indexed)
    erasure.forget_turn(indexed, earlier.id, "U1")
    assert left(indexed) == set()


def test_a_question_that_was_forgotten_meanwhile_is_not_proposed(indexed: Database) -> None:
    turn = answered(indexed, "1.0")
    erasure.forget_turn(indexed, turn.id, "U1")
    assert pairs.propose(indexed, [about(ROOM, "How many?", turn.id)]) == 0


def test_a_question_that_was_mended_meanwhile_is_not_proposed(indexed: Database) -> None:
    earlier = answered(indexed, "1.0")
    later = answered(indexed, "2.0", "How many? (Bicycles of Rui)", user="U2")
    pair = about(ROOM, "How many? (Bicycles of Rui)", later.id)
    erasure.forget_turn(indexed, earlier.id, "U1")
    assert pairs.propose(indexed, [pair]) == 0
    assert pairs.propose(indexed, [about(ROOM, "How many?", later.id)]) == 1


def test_a_question_that_is_answered_otherwise_meanwhile_is_not_proposed(
    indexed: Database,
) -> None:
    turn = answered(indexed, "1.0")
    pair = replace(about(ROOM, "How many?", turn.id), answer="30.")
    assert pairs.propose(indexed, [pair]) == 0


def test_a_pair_whose_piece_has_gone_meanwhile_is_not_proposed(
    store: EvidenceStore, indexed: Database
) -> None:
    store.hide(page("1", "Cellar"))
    assert pairs.propose(indexed, [about(ROOM, "How many?")]) == 0
    assert left(indexed) == set()
