"""What an explanation says: which evidence caused an answer, by removing it and answering again; see worker.attribution."""

from __future__ import annotations

from enum import StrEnum

from core.models import Usage
from core.value import Value


class Method(StrEnum):
    """How an answer is explained; all but `OURS` are those of the paper (Saha Roy et al., WSDM 2025)."""

    OURS = "ours"  # clusters, a null run and an empty run, a test behind each verdict
    PAPER = "paper"  # clusters, shares only
    PAPER_NO_CLUSTERS = "paper-no-clusters"  # each piece alone, shares only
    NAIVE = "naive"  # similarity of each piece and the answer; nothing is removed


class EffectVerdict(StrEnum):
    """What removing a cluster of evidence showed."""

    CAUSAL = "causal"
    REDUNDANT = "redundant"  # alone it changes nothing; together with another one that says the same it does
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
    """A run of words of the answer and what became of them; in order, all but the added ones give the answer back."""

    edit: Edit
    text: str


class Spread(Value):
    """A mean change of the answer, 0 (same) to 2, with its 90 % interval: 1 - cosine similarity to the saved answer."""

    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0
    repeats: int = 0


class SentenceEffect(Value):
    """How much less of one sentence of the answer is said, compared with what varies by itself."""

    sentence: int  # place in Explanation.sentences, from 0
    effect: float  # mean rise of 1 - cosine similarity to the nearest sentence, over the null run's; may be below 0
    causal: bool  # whether that stands out


class Effect(Value):
    """What happened to the answer without some evidence: a cluster of it, a group of clusters, or two clusters together."""

    evidence_ids: tuple[str, ...]
    source_numbers: tuple[
        int, ...
    ] = ()  # the sources of the answer that this evidence stands for; empty when uncited
    label: str  # title and heading, for people
    pages: int = 1  # how many pages it stands on
    clusters: int = 1  # how many clusters were only tested together
    change: Spread
    share: float = 0.0  # of all effects, 0 to 1, by masked softmax
    verdict: EffectVerdict | None = None  # the paper's methods give none
    p_value: float | None = None
    counterfactual: str = ""  # the most typical answer without it
    difference: tuple[Change, ...] = ()  # from the saved answer to the counterfactual one
    sentences: tuple[SentenceEffect, ...] = ()


class Explanation(Value):
    """Which evidence caused an answer."""

    turn_id: str
    method: Method = Method.OURS
    effects: tuple[Effect, ...] = ()  # strongest first
    together: tuple[
        Effect, ...
    ] = ()  # pairs of clusters that change the answer although neither does alone
    verdict: AnswerVerdict | None = None
    null: Spread = Spread()  # nothing removed: the answer's own variation
    empty: Spread = Spread()  # everything removed
    without_evidence: str = ""  # the most typical answer without any
    sentences: tuple[str, ...] = ()  # of the saved answer
    test: str = ""  # the name of the test behind the verdicts; empty when quoted answers were compared, which do not vary
    skipped: tuple[str, ...] = ()  # labels of evidence that the budget did not allow to test at all
    repeats: int = 0  # answers without a cluster where its verdict was open to the end
    seconds: float = 0.0  # from start to end, without what an earlier attempt took
    usage: Usage = Usage()
    cost: float | None = None  # money by PRICES; None when the model has no price there
    currency: str = ""
    model: str = ""  # empty: quoted answers
