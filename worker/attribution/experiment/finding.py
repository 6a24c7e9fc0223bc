"""What an experiment showed, not yet put into an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.attribution import AnswerPath, AnswerVerdict, Cause, Role, SentenceCauses, Stage, Tries
from worker.attribution.experiment.trials import Trials, all_there

STRONGEST = tuple(Role)  # in this order
STAYED = 0.25  # of the sentences, over all answers without halves of the evidence
MOSTLY = 0.5


@dataclass(frozen=True)
class Finding:
    """The verdicts by cluster, and the trials that they rest on."""

    verdict: AnswerVerdict
    sentences: tuple[SentenceCauses, ...]  # `Cause.effect` and `enough` are numbers of clusters
    trials: Trials  # behind the verdicts
    balanced: Trials  # those that tell the mean with a cluster and without it
    shown: Trials  # those that show what is said without a cluster, best first
    path: AnswerPath
    without_evidence: str = ""
    repeats_itself: bool = False
    left_undone: tuple[Stage, ...] = ()
    failed: int = 0


@dataclass
class Ledger:
    """Collects the causes of each sentence; the strongest role of a cluster stays."""

    texts: Sequence[str]
    causes: list[dict[int, Cause]] = field(default_factory=list)
    enough: list[list[tuple[int, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.causes = [{} for _ in self.texts]
        self.enough = [[] for _ in self.texts]

    def add(self, sentence: int, cause: Cause) -> None:
        known = self.causes[sentence].get(cause.effect)
        if known is None or STRONGEST.index(cause.role) < STRONGEST.index(known.role):
            self.causes[sentence][cause.effect] = cause

    def set_enough(self, sentence: int, clusters: Sequence[int]) -> None:
        """Any of these is enough, which explains what the others seemed to be a part of."""
        self.enough[sentence] = [(cluster,) for cluster in sorted(clusters)]
        causes = self.causes[sentence]
        for cluster in list(causes):
            if causes[cluster].role is Role.PART:
                del causes[cluster]

    @property
    def has_causes(self) -> bool:
        return any(self.causes)

    def is_explained(self, sentence: int) -> bool:
        return bool(self.causes[sentence])


def sentence_causes(
    ledger: Ledger,
    random: Trials | None = None,
    without_any: Trials | None = None,
) -> tuple[SentenceCauses, ...]:
    """The causes of each sentence, the strongest first, and how often it was lost."""
    found: list[SentenceCauses] = []
    for sentence, text in enumerate(ledger.texts):
        causes = sorted(ledger.causes[sentence].values(), key=_order)
        found.append(
            SentenceCauses(
                text=text,
                causes=tuple(causes),
                enough=tuple(ledger.enough[sentence]),
                tries=_lost_in(random, sentence),
                without_any=_lost_in(without_any, sentence).lost > 0,
            )
        )
    return tuple(found)


def _lost_in(trials: Trials | None, sentence: int) -> Tries:
    if trials is None:
        return Tries()
    return trials.tries(sentence, np.ones(len(trials.of), dtype=bool))


def _order(cause: Cause) -> tuple[int, int]:
    return STRONGEST.index(cause.role), cause.effect


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


def mark_together(ledger: Ledger, trials: Trials) -> None:
    """Of a sentence that needs several clusters each is needed together with the others.

    Where halves of the evidence are drawn, one that does nothing may often have been away with one
    that is needed. So each of several must have been lost without it while the others were there.
    """
    for sentence, causes in enumerate(ledger.causes):
        needed = [each for each in causes.values() if each.role in (Role.NEEDED, Role.TOGETHER)]
        needed.sort(key=_rise)
        for cause in list(needed):
            others = [each.effect for each in needed if each is not cause]
            if others and not _is_lost_beside(others, cause.effect, trials, sentence):
                needed.remove(cause)
                del causes[cause.effect]
        if len(needed) > 1:
            for cause in needed:
                causes[cause.effect] = cause.model_copy(update={"role": Role.TOGETHER})


def _rise(cause: Cause) -> float:
    return cause.without.share - cause.with_it.share


def _is_lost_beside(others: Sequence[int], cluster: int, trials: Trials, sentence: int) -> bool:
    """Whether most answers without this one, but with the others, lose the sentence."""
    rows = all_there(trials, others) & trials.away[:, cluster]
    return trials.tries(sentence, rows).share > MOSTLY
