"""Attribution results: which evidence caused an answer, found by ablation (worker.attribution)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from core.usage import Usage
from core.value import Value


class Method(StrEnum):
    """How an answer is explained; all but `OURS` are the paper's (Saha Roy et al., WSDM 2025)."""

    OURS = "ours"  # clusters, a null run and an empty run, a test behind each verdict
    PAPER = "paper"  # clusters, shares only
    PAPER_NO_CLUSTERS = "paper-no-clusters"  # each piece alone, shares only
    NAIVE = "naive"  # similarity of each piece and the answer; nothing is removed


class EffectVerdict(StrEnum):
    """What removing a cluster of evidence showed."""

    CAUSAL = "causal"
    REDUNDANT = "redundant"  # alone it changes nothing; with another one that says the same it does
    NOISE = "noise"  # not distinguishable from the answer's own variation


class AnswerVerdict(StrEnum):
    """What removing all evidence showed."""

    NEEDED = "needs_evidence"
    DID_NOT_MATTER = "evidence_did_not_matter"  # the answer is about the same without any
    NOISE = "noise"  # the answer varies too much by itself to tell


class Edit(StrEnum):
    """What became of some words of the answer."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Change(Value):
    """A run of words and what became of them; all but the added ones, in order, are the answer."""

    edit: Edit
    text: str


class Spread(Value):
    """A mean change of the answer with its 90 % interval: 1 - cosine similarity, 0 (same) to 2."""

    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0
    repeats: int = 0


class SentenceEffect(Value):
    """How much less of one sentence of the answer is said, compared with what varies by itself."""

    sentence: int  # place in Explanation.sentences, from 0
    # Mean rise of 1 - cosine similarity to the nearest sentence over the null run's; may be < 0.
    effect: float
    causal: bool  # whether that stands out


class Effect(Value):
    """What happened to the answer without a cluster of evidence, a group of clusters, or two."""

    evidence_ids: tuple[str, ...]
    # The sources of the answer that this evidence stands for; empty when uncited.
    source_numbers: tuple[int, ...] = ()
    label: str  # title and heading, for people
    pages: int = 1  # how many pages it stands on
    clusters: int = 1  # how many clusters were only tested together
    change: Spread
    share: float = 0.0  # of all effects, 0 to 1, by masked softmax
    verdict: EffectVerdict | None = None  # None: not tested
    p_value: float | None = None
    counterfactual: str = ""  # the most typical answer without it
    difference: tuple[Change, ...] = ()  # from the saved answer to the counterfactual one
    sentences: tuple[SentenceEffect, ...] = ()


def _was_tested(saved: dict[str, Any]) -> bool:
    """For explanations of before they said so themselves."""
    return saved["method"] is Method.OURS or saved["verdict"] is not None


class Explanation(Value):
    """Which evidence caused an answer."""

    turn_id: str
    method: Method = Method.OURS
    effects: tuple[Effect, ...] = ()  # strongest first
    # Pairs of clusters that change the answer although neither does alone.
    together: tuple[Effect, ...] = ()
    verdict: AnswerVerdict | None = None
    # Whether verdicts stand behind the effects; otherwise shares are all there is.
    tested: bool = Field(default_factory=_was_tested)
    null: Spread = Spread()  # nothing removed: the answer's own variation
    empty: Spread = Spread()  # everything removed
    without_evidence: str = ""  # the most typical answer without any
    sentences: tuple[str, ...] = ()  # of the saved answer
    # The statistical test behind the verdicts; empty for quoted answers, which do not vary.
    test: str = ""
    skipped: tuple[str, ...] = ()  # labels of evidence that the budget did not allow to test at all
    repeats: int = 0  # answers without a cluster where its verdict was open to the end
    seconds: float = 0.0  # from start to end, without what an earlier attempt took
    usage: Usage = Usage()
    cost: float | None = None  # money by PRICES; None when the model has no price there
    currency: str = ""
    model: str = ""  # empty: quoted answers

    def bar(self, effect: Effect) -> Spread:
        """What a bar shows of an effect: the share, where that is all there is."""
        return effect.change if self.tested else Spread(mean=effect.share)
