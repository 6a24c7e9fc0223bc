"""The badge: how often an answer like this one is right, in three steps.

Right means that the answer says what was asked and stands on a page that says so. It was measured
on answers without a model. Those that are composed from the structure of tables, lists and pages
are right; of those that are quoted, a regression over the signs of question, evidence and answer
says how often they are. Of a model's answers it was measured where a model that has passed the exam
has read them again and the pages say every claim (worker.generation.second_reader). Of others, and
of searches that the gate cannot judge, nobody has: they are at most as sure as their pages
(worker.generation.confidence), and never green.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.models import Answer, Confidence, Hit, Note
from core.question import Completed
from worker.answerability.fitted import Regression, fitted
from worker.answerability.gate import Judgement
from worker.answerability.signs import Signs, is_found
from worker.reading.reader import says

# Of the evidence: near, as the gate sees it. Of the answer: first: whether it stands
# on the first page found; said: how far it covers the question's words; long: how long it is, in
# words (logarithm): what goes on and on covers words by its length; reads: what the reader makes of
# the piece that it quotes first, as log-odds; shown: how likely that is, if the answer shows the
# words that the reader would take for it.
SIGNS_OF_ANSWER = ("near", "first", "said", "long", "reads", "shown")
# From here on, being nearer tells no more: how near all pages lie depends on the wiki.
MOST_NEAR = 0.3
COMPARED = 600  # characters of an answer: what is read at once


class Badge:
    """Says how sure an answer is."""

    def __init__(self, signs: Signs) -> None:
        self._signs = signs

    def on(
        self,
        answer: Answer,
        completed: Completed,
        hits: Sequence[Hit],
        judged: Judgement,
        *,
        is_verified: bool = False,
    ) -> Answer:
        """The answer with its confidence; none where nothing was measured.

        `hits` as the gate has judged them, the first ones first. `is_verified`: the model that
        wrote it, and has passed the exam, has read it again, and the pages say every claim.
        """
        if Note.NOT_FOUND in answer.notes or not answer.sources:
            return answer
        if is_verified:
            return answer.model_copy(update={"confidence": Confidence.HIGH})
        if answer.model or not judged.signs:
            return answer.model_copy(update={"confidence": _unmeasured(answer)})
        level = self._level(answer, completed, hits, judged)
        return answer.model_copy(update={"confidence": level})

    def _level(
        self, answer: Answer, completed: Completed, hits: Sequence[Hit], judged: Judgement
    ) -> Confidence:
        if judged.is_composed:
            return Confidence.HIGH
        level = step(fitted("badge"), self.signs(answer, completed, hits, judged))
        # It may be about the wrong one; what the tree says of that is read.
        is_doubtful = judged.is_placed and level is Confidence.LOW
        return Confidence.MEDIUM if is_doubtful else level

    def signs(
        self,
        answer: Answer,
        completed: Completed,
        hits: Sequence[Hit],
        judged: Judgement,
    ) -> dict[str, float]:
        """What is known of an answer that quotes, by the names in SIGNS_OF_ANSWER."""
        found = [hit for hit in hits if is_found(hit)]
        cited = next((hit for hit in found if _cites(answer, hit)), found[0])
        titles = " ".join((cited.page.title, *cited.evidence.heading_path))
        covering = self._signs.covering
        text = answer.text[:COMPARED]
        (reading,) = self._signs.readings.of(completed, [cited])
        return {
            "near": min(judged.signs["near"], MOST_NEAR),
            "first": float(cited.page.key == found[0].page.key),
            "said": covering.share(covering.asked(completed), f"{titles} {text}"),
            "long": math.log1p(len(answer.text.split())),
            "reads": reading.answers,
            "shown": reading.likely * says(text, reading.said),
        }


def step(regression: Regression, signs: Mapping[str, float]) -> Confidence:
    """In words that people act on; from which probability, the fit says."""
    probability = regression.probability(signs)
    if probability >= regression.points[Confidence.HIGH]:
        return Confidence.HIGH
    is_medium = probability >= regression.points[Confidence.MEDIUM]
    return Confidence.MEDIUM if is_medium else Confidence.LOW


def _cites(answer: Answer, hit: Hit) -> bool:
    return hit.evidence.id in answer.sources[0].evidence_ids


def _unmeasured(answer: Answer) -> Confidence | None:
    """As sure as the least sure page that it stands on, but never green.

    Where every page is sure, nothing is said: what was made of them nobody has measured.
    """
    levels = {source.confidence for source in answer.sources}
    if answer.unsupported:
        levels.add(Confidence.MEDIUM)
    least = next((level for level in reversed(Confidence) if level in levels), None)
    return None if least is Confidence.HIGH else least
