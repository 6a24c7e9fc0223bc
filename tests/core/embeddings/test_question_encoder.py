"""Questions come nearer to what answers them; the vectors of pages stay as they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.embeddings import Vectors, embed_questions
from core.embeddings.bundled import Bundled
from core.embeddings.once import EmbeddedOnce
from core.embeddings.question_encoder import LONGEST, load, row_of
from core.encoder.bundled import encoder

# A question in words that its answer lacks, that answer, and what has more of its words.
ASKED = (
    (
        "how much can I put on the card without asking",
        "Expenses\nPurchases below 200 EUR need no approval.",
        "Cards\nAsking for a card: put in a request, and the card comes by post.",
    ),
    (
        "who covers for me if I get ill before the weekend",
        "Rota\nSwaps: the duty manager finds a replacement for anybody who is off sick.",
        "Weekend trips\nThe weekend before last some people got ill on the boat.",
    ),
    (
        "wie fest muss ich die muttern anziehen",
        "Montage\nDrehmoment der Schraubverbindungen: 45 Nm.",
        "Arbeitskleidung\nFeste Schuhe muss jeder anziehen, auch Gäste.",
    ),
)


def lead(question: Vectors, texts: Vectors) -> float:
    """How much nearer the first text is than the second."""
    near, far = texts @ question
    return float(near - far)


def test_a_question_comes_nearer_to_what_answers_it(embedder: Bundled) -> None:
    for question, *texts in ASKED:
        vectors = embedder.embed(texts)
        (before,), (after,) = embedder.embed([question]), embed_questions(embedder, [question])
        assert lead(after, vectors) > lead(before, vectors)
        assert np.linalg.norm(after) == pytest.approx(1.0, abs=1e-5)


def test_a_question_has_the_same_vector_alone_and_among_many(embedder: Bundled) -> None:
    questions = [question for question, *_ in ASKED]
    together = embedder.embed_questions(questions)
    alone = np.vstack([embedder.embed_questions([each]) for each in questions])
    assert together == pytest.approx(alone, abs=1e-5)
    assert embedder.embed_questions([]).shape == (0, 512)


def test_of_a_long_question_the_beginning_is_read() -> None:
    _, pieces = encoder()
    assert len(row_of("tug " * 200, pieces).tokens) == LONGEST + 2
    moves = load().moves(["tug " * 200, "tug " * 300])
    assert moves[0] == pytest.approx(moves[1], abs=1e-5)


class Counting:
    """An embedder that knows nothing of questions, and counts what it embeds."""

    name = "counting"

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return np.ones((len(texts), 2), np.float32)


def test_another_embedder_takes_questions_for_texts() -> None:
    embedder = Counting()
    assert embed_questions(embedder, ["one"]).shape == (1, 2)
    assert embedder.embedded == ["one"]


def test_who_embeds_once_embeds_a_question_once_and_beside_the_text(embedder: Bundled) -> None:
    once = EmbeddedOnce(embedder)
    (question, *_), *_ = ASKED
    (asked,), (text,) = once.embed_questions([question]), once.embed([question])
    assert not np.allclose(asked, text)
    assert (once.embed_questions([question])[0] == asked).all()
    counting = Counting()
    plain = EmbeddedOnce(counting)
    plain.embed_questions(["one"])
    plain.embed_questions(["one", "two"])
    assert counting.embedded == ["one", "two"]
