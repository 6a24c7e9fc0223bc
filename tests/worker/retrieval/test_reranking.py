"""Reranking: off by default, and a real cross-encoder where one is configured."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece, put, searching

from core.errors import SettingsError
from core.evidence import EvidenceStore, Query
from core.question import Completed
from core.settings import Settings
from core.storage.database import Database
from worker.retrieval import reranking
from worker.retrieval.reranking import Reranker
from worker.retrieval.retriever import Retriever

HITS = [hit(LEAVE, page("1")), hit(HOTEL, page("2")), hit(BACKUP, page("3"))]


def load(name: str, database: Database) -> Reranker:
    found = reranking.load(Settings(reranker=name), database)
    assert found is not None
    return found


@pytest.fixture
def reranker(tiny: Any, tmp_path: Path, database: Database) -> Reranker:
    return load(str(tiny.cross_encoder(tmp_path / "cross-encoder")), database)


def test_there_is_no_reranker_by_default(database: Database) -> None:
    assert reranking.load(Settings(), database) is None


def test_a_reranker_that_cannot_be_had_is_a_wrong_setting_that_names_itself(
    database: Database,
) -> None:
    with pytest.raises(
        SettingsError, match=r"^RERANKER=some/model (needs the extra `models`|cannot be loaded)"
    ):
        load("some/model", database)


@pytest.mark.models
def test_hits_are_sorted_by_the_score_of_the_model_whatever_their_order_was(
    reranker: Reranker,
) -> None:
    sorted_hits = reranker.rerank("25 days of leave", HITS)
    scores = [hit.score for hit in sorted_hits]
    assert scores == sorted(scores, reverse=True)
    assert {hit.evidence for hit in sorted_hits} == {hit.evidence for hit in HITS}
    again = reranker.rerank("25 days of leave", HITS[::-1])
    assert [hit.evidence for hit in again] == [hit.evidence for hit in sorted_hits]


@pytest.mark.models
def test_one_hit_and_no_hit_are_reranked_too(reranker: Reranker) -> None:
    assert [hit.evidence for hit in reranker.rerank("leave", HITS[:1])] == [HITS[0].evidence]
    assert reranker.rerank("leave", []) == ()


@pytest.mark.models
def test_a_search_with_a_reranker_gives_its_best(reranker: Reranker, store: EvidenceStore) -> None:
    pieces = [piece(text) for text in (LEAVE, HOTEL, BACKUP)]
    put(store, page(), *pieces)
    question = Completed(question="25 days of leave", text="25 days of leave")
    best = reranker.rerank(question.text, searching(store).search(Query(question.text), 10).hits)[0]
    assert Retriever(searching(store), reranker).search(question, k=1).hits == (best,)


class Endpoint(BaseHTTPRequestHandler):
    """Puts what speaks of hotels first, in the words of one vendor or the other."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        scores = [0.9 if "hotel" in text else 0.1 for text in asked["documents"]]
        seen = (self.headers["Authorization"], asked["query"], asked["texts"] == asked["documents"])
        sent = [text.partition("\n")[2] for text in asked["documents"]]
        self.server.sent.append(sent)  # type: ignore[attr-defined]
        self.server.seen.append(seen)  # type: ignore[attr-defined]
        found = [{"index": n, self.server.says: score} for n, score in enumerate(scores)]  # type: ignore[attr-defined]
        said = json.dumps(found if self.server.says == "score" else {"results": found}).encode()  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Not on the terminal."""


@pytest.fixture
def endpoint() -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), Endpoint)
    server.says, server.status, server.seen = "relevance_score", 200, []
    server.sent = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def at(endpoint: Any, database: Database, **more: Any) -> Reranker:
    found = reranking.load(
        Settings(
            reranker=f"http://127.0.0.1:{endpoint.server_port}/rerank",
            reranker_key=SecretStr("sesame"),
            **more,
        ),
        database,
    )
    assert found is not None
    return found


@pytest.mark.parametrize("says", ["relevance_score", "score"])
def test_an_endpoint_sorts_the_hits_in_the_words_of_every_vendor(
    endpoint: Any, database: Database, says: str
) -> None:
    endpoint.says = says
    assert [
        each.evidence.text for each in at(endpoint, database).rerank("Where do I sleep?", HITS)
    ] == [
        HOTEL,
        LEAVE,
        BACKUP,
    ]
    assert endpoint.seen == [("Bearer sesame", "Where do I sleep?", True)]
    assert at(endpoint, database).rerank("Where do I sleep?", []) == ()


def test_an_endpoint_that_is_down_leaves_the_order_of_the_search(
    endpoint: Any, database: Database
) -> None:
    endpoint.status = 503
    assert at(endpoint, database).rerank("Where do I sleep?", HITS) == tuple(HITS)


def test_what_may_not_reach_an_endpoint_is_not_sent_and_keeps_its_place(
    endpoint: Any, store: EvidenceStore
) -> None:
    for number, (space, text) in enumerate((("HR", LEAVE), ("ENG", BACKUP), ("ENG", HOTEL)), 1):
        put(store, page(str(number), space=space), piece(text, str(number)))
    hits = [hit(text, page(str(number))) for number, text in enumerate((LEAVE, BACKUP, HOTEL), 1)]
    only_eng = at(endpoint, store.database, llm_spaces="ENG")
    reranked = only_eng.rerank("Where do I sleep?", hits)
    assert [each.evidence.text for each in reranked] == [LEAVE, HOTEL, BACKUP]
    assert endpoint.sent == [[BACKUP, HOTEL]]
    assert only_eng.rerank("Where?", hits, pages=[hits[0].page.key]) == tuple(hits)
    assert len(endpoint.sent) == 1
