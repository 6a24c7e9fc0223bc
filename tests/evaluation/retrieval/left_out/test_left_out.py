"""A slice of the railway through the product's search and through its peers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.embeddings import Vectors
from core.embeddings.once import EmbeddedOnce
from core.evidence.ranking.grid import moved
from core.evidence.ranking.weights import PRODUCT
from evaluation.access.vectors import MemoryVectors
from evaluation.corpus.command import SEED
from evaluation.corpus.write import PAGES, QUESTIONS, write
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.product import running
from evaluation.retrieval.left_out.bench import Bench, some
from evaluation.retrieval.left_out.corpora import Corpus
from evaluation.retrieval.left_out.folds import unfitted
from evaluation.retrieval.left_out.keywords import peers_outcomes
from evaluation.retrieval.left_out.opened import Opened, embedders
from evaluation.retrieval.left_out.outcomes import share
from evaluation.retrieval.left_out.tables import Compared, ablations, by_class, misses, quality
from evaluation.retrieval.left_out.vectors import ExactVectors
from evaluation.retrieval.measure import measure
from evaluation.retrieval.own import AWARE
from evaluation.sets.confquestions import conversations
from worker.bootstrap import build

FAMILIES = ("howtos", "policies", "regelungen")
LANGUAGES = ("en", "de")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("left-out")


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    pages = folder / "corpus"
    pages.mkdir()
    write(pages, SEED, families=FAMILIES)
    asked = {code: conversations(pages / QUESTIONS, code)[:8] for code in LANGUAGES}
    return Corpus("railway", pages / PAGES, asked, settings=AWARE)


@pytest.fixture(scope="module")
def opened(corpus: Corpus, folder: Path) -> Opened:
    return Opened(corpus, folder / "indexes", embedders())


@pytest.fixture(scope="module")
def bench(opened: Opened) -> Bench:
    return Bench({"railway": opened}, LANGUAGES)


@pytest.fixture(scope="module")
def compared(bench: Bench, opened: Opened) -> Compared:
    outcomes = bench.outcomes("railway", PRODUCT)
    peers = peers_outcomes(opened.database, "en", outcomes)
    return Compared("railway", outcomes, outcomes, outcomes, peers)


def test_an_index_is_made_once(corpus: Corpus, folder: Path, opened: Opened) -> None:
    def made() -> list[tuple[Path, float]]:
        logs = sorted((folder / "indexes").rglob("*.log"))
        return [(each, each.stat().st_mtime) for each in logs]

    before = made()
    Opened(corpus, folder / "indexes", embedders())
    assert made() == before != []


def test_pages_are_found_as_the_product_finds_them(
    corpus: Corpus, folder: Path, bench: Bench
) -> None:
    (where,) = (folder / "indexes" / "railway").iterdir()
    with running(corpus.pages, where, AWARE) as chosen:
        retriever = build(chosen, AsIndexed()).pipeline.retriever
        found = [
            measured.hits[0].page.title if measured.hits else ""
            for code in LANGUAGES
            for way in ("human", "history")
            for measured in measure(retriever, corpus.asked[code], way)
        ]
    assert [outcome.found for outcome in bench.outcomes("railway", PRODUCT)] == found


def test_each_ranking_is_searched_with_once(opened: Opened) -> None:
    bench = Bench({"railway": opened}, ("en",))
    ranking = moved(PRODUCT, "dense", 0.2)
    assert bench.outcomes("railway", ranking) is bench.outcomes("railway", ranking)
    measured = bench.measure("railway")
    assert measured(ranking) is measured(ranking)
    assert measured(PRODUCT) is not measured(ranking)


def test_fitting_asks_the_same_conversations_in_every_language(corpus: Corpus) -> None:
    chosen = some(corpus.asked, 12)
    names = {code: {turns[0].conversation for turns in chosen[code]} for code in LANGUAGES}
    assert names["en"] == names["de"] != set()
    assert all(sum(map(len, chosen[code])) <= 12 for code in LANGUAGES)


def test_peers_are_asked_the_same_questions_in_the_same_words(compared: Compared) -> None:
    assert compared.peers.keys() == {"bm25s", "FTS5"}
    for outcomes in compared.peers.values():
        asked = [(each.question, each.searched, each.wording) for each in outcomes]
        ours = [(each.question, each.searched, each.wording) for each in compared.shipped]
        assert asked == ours
        assert 0.2 < share(outcomes).value < 1


def test_the_tables_hold_every_wording_and_every_miss(compared: Compared, bench: Bench) -> None:
    rows = list(quality([compared]))
    assert [row["asked"] for row in rows] == [
        "complete, en",
        "by rules, en",
        "complete, de",
        "by rules, de",
    ]
    assert sum(row["n"] for row in rows) == len(compared.shipped)
    wrong = [outcome for outcome in compared.without_it if not outcome.is_right]
    assert len(list(misses([compared], {"railway": {}}))) == len(wrong)
    assert {"asked in de", "first turn", "alone"} <= {row["class"] for row in by_class([compared])}
    without = list(ablations(bench, unfitted(["railway"]), ["meaning"]))
    assert -1 < without[0]["railway"] < 1


def test_vectors_in_memory_are_compared_exactly() -> None:
    chance = np.random.default_rng(1)
    vectors = chance.standard_normal((50, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = {str(number): vector for number, vector in enumerate(vectors)}
    plain = MemoryVectors({name: ("", vector) for name, vector in rows.items()})
    found = ExactVectors(rows).search(vectors[:1], 7)
    assert found == pytest.approx(plain.search(vectors[:1], 7))
    assert next(iter(found)) == "0"


def test_a_text_is_embedded_once() -> None:
    class Counting:
        name = "counting"
        embedded = 0

        def embed(self, texts: Sequence[str]) -> Vectors:
            self.embedded += len(texts)
            return np.array([[len(text)] for text in texts], np.float32)

    counting = Counting()
    embedder = EmbeddedOnce(counting)
    assert embedder.embed(["a", "bb", "a"]).tolist() == [[1.0], [2.0], [1.0]]
    embedder.embed(["bb"])
    assert counting.embedded == 2
