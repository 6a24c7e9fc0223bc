"""A wiki of three pages, and what gate and badge see of it."""

from __future__ import annotations

from wiki import BACKUP, HOTEL, page, piece, put, searching

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceSearch, EvidenceStore, Query, WordNeighbours
from worker.answerability.covering import Covering
from worker.answerability.signs import Signs
from worker.answerability.vectors import RememberedVectors
from worker.reading.reader import bundled
from worker.reading.readings import Readings


def small_wiki(store: EvidenceStore) -> EvidenceSearch:
    put(store, page("1", "Travel costs"), piece(HOTEL, "1"))
    put(store, page("2", "Backups"), piece(BACKUP, "2"))
    put(store, page("3", "Lifts"), piece("The lift is out of order today.", "3"))
    found = searching(store)
    found.search(Query("anything"), 1)  # brings the index up to date
    return found


def signs_of(evidence: EvidenceSearch, embedder: Bundled) -> Signs:
    neighbours = WordNeighbours(evidence.database, lambda: embedder)
    vectors = RememberedVectors(lambda: embedder)
    covering = Covering(evidence.lexical, neighbours, vectors)
    return Signs(covering, vectors, Readings(bundled))
