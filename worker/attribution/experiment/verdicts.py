"""Verdicts on sentences and on the whole answer, from the causes that were found."""

from __future__ import annotations

from core.attribution import AnswerVerdict, Role
from worker.attribution.experiment.finding import Ledger
from worker.attribution.experiment.trials import Trials

STAYED = 0.25  # of the sentences, over all answers without halves of the evidence
MOSTLY = 0.5


def verdict(
    ledger: Ledger,
    explored: Trials,
    without_any: Trials,
    *,
    is_exhausted: bool,
) -> AnswerVerdict:
    """What is said of the whole answer; `is_exhausted` where there are no other prompts to ask."""
    if ledger.has_causes:
        return AnswerVerdict.CAUSED
    if not explored.lost.size or not without_any.lost.size:
        return AnswerVerdict.VARIES
    lost, lost_without_any = float(explored.lost.mean()), float(without_any.lost.mean())
    if lost <= STAYED and lost_without_any < MOSTLY:
        return AnswerVerdict.STAYS
    if is_exhausted:
        return AnswerVerdict.TOO_FEW
    if lost <= MOSTLY <= lost_without_any:
        return AnswerVerdict.SHARED
    return AnswerVerdict.VARIES


def mark_together(ledger: Ledger) -> None:
    """Of a sentence that needs several clusters each is needed together with the others."""
    for causes in ledger.causes:
        needed = [each for each in causes.values() if each.role in (Role.NEEDED, Role.TOGETHER)]
        if len(needed) > 1:
            for cause in needed:
                causes[cause.effect] = cause.model_copy(update={"role": Role.TOGETHER})
