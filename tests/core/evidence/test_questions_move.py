"""The search goes by a question that has been moved, and says how like it is as it was."""

from __future__ import annotations

import pytest
from wiki import page, piece, put, searching

from core.embeddings.bundled import Bundled
from core.evidence import EvidenceStore, Query
from core.evidence.dense.collections import embedded_text
from core.manner import Mode

ASKED = "until when is there something to eat"
MEALS = "Hot meals are served from 11:30 to 14:00."
FRUIT = "There is something to eat on each floor: apples and bananas."


@pytest.fixture
def pages(store: EvidenceStore) -> EvidenceStore:
    for number, (title, text) in enumerate((("Canteen", MEALS), ("Fruit", FRUIT)), 1):
        put(store, page(str(number), title), piece(text, str(number)))
    return store


def test_by_meaning_what_answers_stands_first(pages: EvidenceStore, embedder: Bundled) -> None:
    found = searching(pages).search(Query(ASKED, mode=Mode.MEANING), 2)
    assert [hit.page.title for hit in found.hits] == ["Canteen", "Fruit"]
    texts = embedder.embed([embedded_text(hit.page, hit.evidence) for hit in found.hits])
    as_it_was = texts @ embedder.embed([ASKED])[0]
    assert as_it_was[0] < as_it_was[1]


def test_how_like_a_hit_is_goes_by_the_question_as_it_was(
    pages: EvidenceStore, embedder: Bundled
) -> None:
    found = searching(pages).search(Query(ASKED), 2)
    texts = embedder.embed([embedded_text(hit.page, hit.evidence) for hit in found.hits])
    expected = texts @ embedder.embed([ASKED])[0]
    assert [hit.dense for hit in found.hits] == pytest.approx(expected.tolist(), abs=1e-4)
