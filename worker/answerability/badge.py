"""The badge: how often an answer like this one is right, in three steps.

Right means that the answer says what was asked and stands on a page that says so. It was measured
on answers without a model, which are quoted: there a regression over the signs of question,
evidence and answer says it. Of a model's answers nobody has measured that: they are as sure as
their pages are (worker.generation.confidence), and green only where every page they cite is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.models import Answer, Confidence, Hit, Note
from core.question import Completed, QuestionKind
from worker.answerability.fitted import Regression, fitted
from worker.answerability.gate import Judgement
from worker.answerability.signs import SIGNS, Signs, is_found
from worker.generation import confidence

# Beside the signs of the evidence: gap: how far the first page cited lies above its rivals, and
# first: whether it is the first one found; said, meaning: how far the answer covers the question's
# words, and how similar it is; long: how long it is, in words (logarithm); plain: whether one thing
# was asked for, or a yes or no.
SIGNS_OF_ANSWER = (*SIGNS, "gap", "first", "said", "meaning", "long", "plain")
PLAIN = {QuestionKind.FACTOID, QuestionKind.CONFIRMATION}
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
    ) -> Answer:
        """The answer with its confidence; none where nothing was measured.

        `hits` as the gate has judged them, the first ones first.
        """
        if Note.NOT_FOUND in answer.notes or not answer.sources:
            return answer
        if answer.model:
            level = _of_model(answer)
        elif judged.signs:
            found = self.signs(answer, completed, hits, judged)
            level = step(fitted("badge"), found)
        else:
            return answer
        return answer.model_copy(update={"confidence": level})

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
        of_page = confidence.features(found, cited.page.key)
        text = answer.text[:COMPARED]
        titles = " ".join((cited.page.title, *cited.evidence.heading_path))
        covering = self._signs.covering
        return {
            **judged.signs,
            "gap": of_page[confidence.FEATURES.index("gap")],
            "first": float(cited.page.key == found[0].page.key),
            "said": covering.share(covering.asked(completed), f"{titles} {text}"),
            "meaning": self._signs.similarity(completed.text, [text]),
            "long": math.log1p(len(answer.text.split())),
            "plain": float(completed.kind in PLAIN),
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


def _of_model(answer: Answer) -> Confidence | None:
    """As sure as the least sure page that it stands on; what it makes of it, others check."""
    levels = {source.confidence for source in answer.sources}
    return next((level for level in reversed(Confidence) if level in levels), None)
