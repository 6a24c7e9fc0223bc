"""How sure an answer is, and each of its sources: how often a page found like this one turned out to be the right one.

A logistic regression over what the search says of a page, fitted by `python -m evaluation confidence --fit` on labelled questions and kept
as data in `calibration.json`. It knows nothing of whether a model wrote down rightly what the page says.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.models import Answer, Confidence, Hit, Kind, Note, Source

HIGH, MEDIUM = 0.85, 0.6  # probability from which a source is called so
FEATURES = ("best", "gap", "dense", "share", "first")


@dataclass(frozen=True)
class Calibration:
    """Weights of the features, and the probability they give."""

    intercept: float
    weights: tuple[float, ...]

    def probability(self, features: Sequence[float]) -> float:
        """That the page is the right one, 0 to 1."""
        logit = self.intercept + sum(
            weight * feature for weight, feature in zip(self.weights, features, strict=True)
        )
        return 1 / (1 + math.exp(-logit))


def judged(answer: Answer, hits: Sequence[Hit]) -> Answer:
    """The answer with its confidence and that of its sources; nothing is said of one that answers nothing."""
    if Note.NOT_FOUND in answer.notes or not answer.sources:
        return answer
    sources = tuple(
        source.model_copy(update={"confidence": _of_source(source, hits)})
        for source in answer.sources
    )
    order = list(Confidence)
    best = min(
        (source.confidence for source in sources if source.confidence),
        key=order.index,
        default=None,
    )
    return answer.model_copy(update={"sources": sources, "confidence": best})


def features(hits: Sequence[Hit], page_id: str) -> tuple[float, ...]:
    """What the search says of a page, in the order of FEATURES.

    The best score of its pieces; how far that lies above the best of all other pages; the best similarity in meaning; its share of the
    pieces; and whether it comes first. Hits aside are no rivals, since their scores were moved to the top; a page found by them alone
    has no share and does not come first.
    """
    ranked = [hit for hit in hits if hit.evidence.kind is not Kind.PLACE and not hit.table_rows]
    found = [hit for hit in ranked if not hit.aside] or ranked
    among = [hit for hit in found if hit.page.id == page_id]
    own = among or [hit for hit in ranked if hit.page.id == page_id]
    others = [hit.score for hit in found if hit.page.id != page_id]
    best = max((hit.score for hit in own), default=0.0)
    gap = best - max(others, default=0.0)
    dense = max((hit.dense for hit in own), default=0.0)
    return (best, gap, dense, len(among) / max(len(found), 1), float(gap > 0))


@cache
def calibration() -> Calibration:
    """As it was fitted."""
    said = json.loads(files("worker").joinpath("calibration.json").read_text(encoding="utf-8"))
    return Calibration(said["intercept"], tuple(said["weights"][name] for name in FEATURES))


def step(probability: float) -> Confidence:
    """In words that people act on."""
    if probability >= HIGH:
        return Confidence.HIGH
    return Confidence.MEDIUM if probability >= MEDIUM else Confidence.LOW


def _of_source(source: Source, hits: Sequence[Hit]) -> Confidence | None:
    cited = [hit for hit in hits if hit.evidence.id in source.evidence_ids]
    if not cited:
        return None
    if any(hit.evidence.kind is Kind.PLACE for hit in cited):
        return Confidence.HIGH  # read from the tree, not found by likeness
    return step(calibration().probability(features(hits, cited[0].page.id)))
