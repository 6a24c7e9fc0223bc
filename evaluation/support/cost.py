"""Cost of the support check: processor time for an answer, by its sentences and pieces."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from statistics import median

from core.embeddings.bundled import Bundled
from core.models import Hit
from evaluation.support.case import given
from evaluation.support.cases import right_sentences
from evaluation.support.evidence import Pages
from worker.support.check import SupportCheck

SIZES = ((3, 5), (3, 10), (10, 10))  # sentences of an answer, pieces that it is made from
ROUNDS = 5


def cost(pages: Mapping[str, Pages]) -> dict[str, float]:
    """Milliseconds of processor time for each size; the check keeps nothing between answers."""
    check = SupportCheck(Bundled())
    said = [(sentence, given(pages[corpus][title])) for corpus, title, sentence in _known()]
    check.check(said[0][0], said[0][1])  # what is made once in a process
    return {
        f"{sentences} sentences, {pieces} pieces": _median(check, said[:sentences], pieces)
        for sentences, pieces in SIZES
    }


def _known() -> list[tuple[str, str, str]]:
    return [each for each in right_sentences("before") if each[0] == "sample"]


def _median(check: SupportCheck, said: Sequence[tuple[str, tuple[Hit, ...]]], pieces: int) -> float:
    """Of answers that cite nothing, each sentence of which is compared with all pieces."""
    answer = " ".join(sentence for sentence, _ in said)
    hits = dict.fromkeys(hit.evidence.id for _, those in said for hit in those)
    known = {hit.evidence.id: hit for _, those in said for hit in those}
    some = [known[each] for each in hits][:pieces]
    found: list[float] = []
    for _ in range(ROUNDS):
        started = time.process_time()
        check.check(answer, some)
        found.append(1000 * (time.process_time() - started))
    return round(median(found), 1)
