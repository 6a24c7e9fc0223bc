"""How near questions come to what answers them, by set."""

from __future__ import annotations

import numpy as np

from core.embeddings.bundled import Bundled
from evaluation.employees.wikis import AskedSet
from evaluation.question_encoder.asked import Asked
from evaluation.question_encoder.command import measured


def test_a_question_is_found_where_one_of_its_answers_is_among_the_nearest(
    embedder: Bundled,
) -> None:
    texts = ["Leave\n25 days a year.", "Tugs\nThe tug is red.", "Food\nLunch is at noon."]
    pages = np.tile(embedder.embed(texts), (4, 1))  # each four times: ties stand behind nothing
    asked = [
        Asked("how much leave is there", AskedSet.QUESTIONS, pages, [0]),
        Asked("which colour is the tug", AskedSet.QUESTIONS, pages, [1, 4]),
        Asked("how much leave is there", AskedSet.THREADS, pages, [2]),
    ]
    found = {(each.asked, each.encoder): each for each in measured(asked)}
    usual = found[AskedSet.QUESTIONS, "with"]
    assert (usual.of, usual.shares) == (2, (1.0, 1.0, 1.0))
    assert found[AskedSet.THREADS, "without"].shares == (0.0, 0.0, 1.0)
