"""Confidence, our estimate of answerability: how often a page found like this was the right one.

A logistic regression over what the search says of a page, fitted by
`python -m evaluation confidence --fit` on labelled questions and kept as data in
`calibration.json`. It knows nothing of whether a model wrote down rightly what the page says.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.evidence.lexical.page_status import is_unsettled
from core.models import Answer, Confidence, Hit, Kind, Note, Source
from core.pages import PageKey

HIGH, MEDIUM = 0.85, 0.6  # probability from which a source is called so
FEATURES = ("best", "gap", "dense", "share", "first")


@dataclass(frozen=True)
class Calibration:
    """Weights of the features, and the probability they give."""

    intercept: float
    weights: tuple[float, ...]

    def probability(self, features: Sequence[float]) -> float:
        """That the page is the right one, 0 to 1."""
        pairs = zip(self.weights, features, strict=True)
        logit = self.intercept + sum(weight * feature for weight, feature in pairs)
        return 1 / (1 + math.exp(-logit))


def with_confidence(answer: Answer, hits: Sequence[Hit]) -> Answer:
    """The answer with its confidence and that of its sources; an abstention has none."""
    if Note.NOT_FOUND in answer.notes or not answer.sources:
        return answer
    sources: list[Source] = []
    for source in answer.sources:
        confidence = _of_source(source, hits)
        sources.append(source.model_copy(update={"confidence": confidence}))
    levels = {source.confidence for source in sources}
    best = next((level for level in Confidence if level in levels), None)
    return answer.model_copy(
        update={
            "sources": tuple(sources),
            "confidence": best,
        }
    )


def features(hits: Sequence[Hit], page: PageKey) -> tuple[float, ...]:
    """What the search says of a page, in the order of FEATURES.

    The best score of its pieces; how far that lies above the best of its rivals; the best
    similarity in meaning; its share of the pieces; and whether it comes first. Hits aside are no
    rivals, since their scores were moved to the top; a page found by them alone has no share and
    does not come first.
    """
    ranked = list(_ranked(hits))
    found = [hit for hit in ranked if not hit.aside] or ranked
    among, others = _by_page(found, page)
    own = among or _by_page(ranked, page)[0]
    best = _best_score(own)
    gap = best - _best_score(_rivals(own, others))
    dense = max((hit.dense for hit in own), default=0.0)
    share = len(among) / max(len(found), 1)
    return (best, gap, dense, share, float(gap > 0))


def _ranked(hits: Sequence[Hit]) -> Iterator[Hit]:
    """The hits that the search has ranked: not from the tree, nor added to complete a table."""
    for hit in hits:
        if hit.evidence.kind is not Kind.PLACE and not hit.table_rows:
            yield hit


def _by_page(hits: Sequence[Hit], page: PageKey) -> tuple[list[Hit], list[Hit]]:
    """The hits of this page, and those of all others."""
    own: list[Hit] = []
    others: list[Hit] = []
    for hit in hits:
        (own if hit.page.key == page else others).append(hit)
    return own, others


def _rivals(own: Sequence[Hit], others: Sequence[Hit]) -> list[Hit]:
    """The hits that speak against this page: not those of drafts and copies, if it is neither."""
    if any(is_unsettled(hit.page) for hit in own):
        return list(others)
    return [hit for hit in others if not is_unsettled(hit.page)]


def _best_score(hits: Sequence[Hit]) -> float:
    return max((hit.score for hit in hits), default=0.0)


@cache
def calibration() -> Calibration:
    """As it was fitted."""
    file = files("worker").joinpath("calibration.json")
    fitted = json.loads(file.read_text(encoding="utf-8"))
    weights = fitted["weights"]
    return Calibration(fitted["intercept"], tuple(weights[name] for name in FEATURES))


def step(probability: float) -> Confidence:
    """In words that people act on."""
    if probability >= HIGH:
        return Confidence.HIGH
    return Confidence.MEDIUM if probability >= MEDIUM else Confidence.LOW


def _of_source(source: Source, hits: Sequence[Hit]) -> Confidence | None:
    cited = [hit for hit in hits if hit.evidence.id in source.evidence_ids]
    if not cited:
        return None
    if Kind.PLACE in {hit.evidence.kind for hit in cited}:
        return Confidence.HIGH  # read from the tree, not found by likeness
    found = features(hits, cited[0].page.key)
    return step(calibration().probability(found))
