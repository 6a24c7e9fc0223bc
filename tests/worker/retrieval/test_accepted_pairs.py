"""Accepted pairs: who asks the same again finds the same piece first, and nobody finds more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from wiki import page, piece, put, searching

from core.embeddings import Vectors
from core.evidence import EvidenceStore
from core.models import Hit
from core.pairs import pairs
from core.pairs.pairs import Pair
from core.question import Completed
from core.states import PairOrigin, PairState
from worker.retrieval.accepted_pairs import AcceptedPairs
from worker.retrieval.retriever import Retriever

GATE = piece("The gate of the depot opens at six.", "1")
PORT = piece("The gate of the port opens at seven.", "2")
ASKED = "When does the gate open?"


class ByTopic:
    """Texts that speak of a gate mean the same."""

    name = "by-topic"

    def embed(self, texts: Sequence[str]) -> Vectors:
        speaks = [["gate" in text.lower(), "gate" not in text.lower()] for text in texts]
        return np.array(speaks, np.float32)


@pytest.fixture
def wiki(store: EvidenceStore) -> EvidenceStore:
    put(store, page("1", "Depot"), GATE)
    put(store, page("2", "Port"), PORT)
    return store


def search(store: EvidenceStore, question: str = ASKED) -> tuple[Hit, ...]:
    known = AcceptedPairs(store.database, ByTopic())
    retriever = Retriever(searching(store), pairs=known)
    return retriever.search(Completed(question=question, text=question)).hits


def last(store: EvidenceStore, question: str = ASKED) -> Hit:
    return search(store, question)[-1]


def accept(store: EvidenceStore, hit: Hit, question: str = "Gate times?") -> None:
    pair = Pair(question, "!", hit.page.key, hit.evidence.id, PairOrigin.VOTE)
    decide(store, pair, PairState.ACCEPTED)


def decide(store: EvidenceStore, pair: Pair, state: PairState) -> None:
    pairs.propose(store.database, [pair])
    for each in pairs.of_state(store.database, PairState.PROPOSED):
        pairs.decide(store.database, each.id, state)


def test_who_asks_the_same_again_finds_its_piece_first(wiki: EvidenceStore) -> None:
    before = search(wiki)
    assert len(before) == 2
    accept(wiki, before[-1])
    after = search(wiki)
    assert after[0].evidence == before[-1].evidence
    assert {hit.evidence.id for hit in after} == {hit.evidence.id for hit in before}
    assert after[0].score >= after[1].score


def test_another_question_is_left_alone(wiki: EvidenceStore) -> None:
    asked = "depot port opens"
    before = search(wiki, asked)
    accept(wiki, before[-1])
    assert search(wiki, asked) == before


@pytest.mark.parametrize("state", [PairState.PROPOSED, PairState.REFUSED])
def test_what_nobody_has_accepted_changes_nothing(wiki: EvidenceStore, state: PairState) -> None:
    before = search(wiki)
    worst = before[-1]
    pair = Pair("Gate times?", "!", worst.page.key, worst.evidence.id, PairOrigin.VOTE)
    decide(wiki, pair, state)
    assert search(wiki) == before


def test_a_pair_brings_in_nothing_that_was_not_found(wiki: EvidenceStore) -> None:
    hits = search(wiki)
    accept(wiki, hits[-1])
    known, others = AcceptedPairs(wiki.database, ByTopic()), hits[:-1]
    assert known.first(ASKED, hits) != hits
    assert known.first(ASKED, others) == others


def test_running_programs_notice_what_is_accepted_and_taken_back(wiki: EvidenceStore) -> None:
    known = AcceptedPairs(wiki.database, ByTopic())
    hits = search(wiki)
    accept(wiki, hits[-1])
    assert known.first(ASKED, hits)[0] == hits[-1].model_copy(update={"score": hits[0].score})
    (pair,) = pairs.of_state(wiki.database, PairState.ACCEPTED)
    pairs.decide(wiki.database, pair.id, PairState.REFUSED)
    assert known.first(ASKED, hits) == hits
