"""Attribution results: which evidence caused an answer, found by ablation (worker.attribution)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from core.usage import Usage
from core.value import Value


class Method(StrEnum):
    """How an answer is explained; all but `OURS` are the paper's (Saha Roy et al., WSDM 2025)."""

    OURS = "ours"  # explore, suggest, confirm: a test behind each verdict
    PAPER = "paper"  # clusters, shares only
    PAPER_NO_CLUSTERS = "paper-no-clusters"  # each piece alone, shares only
    NAIVE = "naive"  # similarity of each piece and the answer; nothing is removed


class AnswerVerdict(StrEnum):
    """What the test answers showed of the whole answer."""

    CAUSED = "caused"  # at least one cluster of evidence is a cause of it
    SHARED = "shared"  # it needs evidence, and none can be singled out
    STAYS = "stays"  # it stayed the same, even without any evidence
    VARIES = "varies"  # it cannot be told
    TOO_FEW = "too_few"  # there are too few pieces of evidence for a test
    NOT_TESTED = "not_tested"  # no evidence, or no budget for a test


class Role(StrEnum):
    """What a cluster of evidence is to a sentence; the strongest first."""

    NEEDED = "needed"  # without it the sentence is lost
    TOGETHER = "needed_together"  # the same, and another one is needed beside it
    ENOUGH = "enough"  # with it alone the sentence stays; with another one too
    PART = "part"  # it makes the sentence more likely
    UNUSED = "unused"  # nothing was found


class ExplainBy(StrEnum):
    """How a model's answers are to be explained."""

    AUTO = "auto"  # by log-probabilities where the endpoint tells them, or else by asking again
    SAMPLE = "sample"  # by asking again
    LOGPROBS = "logprobs"  # by log-probabilities, or not at all


class AnswerPath(StrEnum):
    """How the answers that were compared came about."""

    SAMPLE = "sample"  # the model was asked again
    LOGPROBS = "logprobs"  # the model scored the saved answer
    QUOTED = "quoted"  # without a model: quoted again, always the same


class Stage(StrEnum):
    """A part of the experiment that the budget may leave undone."""

    EXPLORE = "explore"  # pieces away at random: without it nothing is tested
    MORE = "more"  # more such answers, where several pieces look likely
    CONFIRM = "confirm"  # whether one of several is enough, or several are needed together


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
    """A mean over answers with its 90 % interval: of losses 0 (all is said) to 1 (nothing is).

    The paper's methods put 1 - cosine similarity here, 0 (same) to 2.
    """

    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0
    repeats: int = 0


class Tries(Value):
    """In how many of so many test answers a sentence was lost."""

    lost: int = 0
    of: int = 0

    def __add__(self, other: Tries) -> Tries:
        return Tries(lost=self.lost + other.lost, of=self.of + other.of)

    @property
    def share(self) -> float:
        """Lost of all; 0 where there were none."""
        return self.lost / self.of if self.of else 0.0


class Cause(Value):
    """What a cluster is to one sentence of the answer."""

    effect: int  # place in Explanation.effects, from 0
    role: Role
    without: Tries = Tries()  # test answers without it
    # Test answers with it; of a role ENOUGH those with it and without all the other alternatives.
    with_it: Tries = Tries()


class SentenceCauses(Value):
    """One sentence of the saved answer, without citations and marks, and what caused it."""

    text: str
    causes: tuple[Cause, ...] = ()  # strongest role first; UNUSED ones are left out
    # Alternatives, each a list of places in Explanation.effects: any one of the lists is enough.
    enough: tuple[tuple[int, ...], ...] = ()
    tries: Tries = Tries()  # in how many of the random test answers it was lost
    without_any: bool = False  # whether it was lost in the answer without any evidence


class Effect(Value):
    """What happened to the answer without a cluster of evidence."""

    evidence_ids: tuple[str, ...]
    # The pieces of the cluster that say the same, each with the ids that belong together; one list
    # where the cluster has no copies.
    copies: tuple[tuple[str, ...], ...] = ()
    # The sources of the answer that this evidence stands for; empty when uncited.
    source_numbers: tuple[int, ...] = ()
    label: str  # title and heading, for people
    pages: int = 1  # how many pages it stands on
    role: Role | None = None  # the strongest over the sentences; None: not tested
    there: Spread = Spread()  # mean loss of the saved answer where it was there
    away: Spread = Spread()  # mean loss where it was away
    share: float = 0.0  # of all effects, 0 to 1, by masked softmax
    counterfactual: str = ""  # the most typical answer without it
    difference: tuple[Change, ...] = ()  # from the saved answer to the counterfactual one
    lost: str = ""  # the sentence that changed most without it
    instead: str = ""  # what the counterfactual answer says there; empty: nothing

    @property
    def effect(self) -> float:
        """The change that it makes; of a test, the Banzhaf value at one half."""
        return self.away.mean - self.there.mean


SHAPE = 2  # of explanations that are saved; those of version 0.1 have none, and are made anew


class Explanation(Value):
    """Which evidence caused an answer."""

    turn_id: str
    shape: int = SHAPE
    method: Method = Method.OURS
    path: AnswerPath = AnswerPath.SAMPLE
    effects: tuple[Effect, ...] = ()  # causes first, then by their effect
    sentences: tuple[SentenceCauses, ...] = ()  # of the saved answer
    verdict: AnswerVerdict | None = None  # None: shares are all there is, nothing was tested
    tries: int = 0  # test answers behind the verdicts
    failed: int = 0  # calls that brought no answer
    without_evidence: str = ""  # the answer without any
    repeats_itself: bool = False  # the endpoint gives equal answers to equal prompts
    left_undone: tuple[Stage, ...] = ()  # what the budget did not allow
    skipped: tuple[str, ...] = ()  # labels of evidence that the paper's methods had no budget for
    repeats: int = 0  # of each removal, by the paper's methods
    seconds: float = 0.0  # from start to end, without what an earlier attempt took
    usage: Usage = Usage()
    cost: float | None = None  # money by PRICES; None when the model has no price there
    currency: str = ""
    model: str = ""  # empty: quoted answers

    @property
    def tested(self) -> bool:
        """Whether verdicts stand behind the effects; otherwise shares are all there is."""
        return self.verdict is not None

    def tries_of(self, effect: int) -> tuple[Tries, Tries]:
        """Over the sentences that this effect, by its place, causes: tries with it, and without."""
        with_it, without = Tries(), Tries()
        for sentence in self.sentences:
            for cause in sentence.causes:
                if cause.effect == effect:
                    with_it += cause.with_it
                    without += cause.without
        return with_it, without

    def alternatives_of(self, effect: int) -> set[int]:
        """By their places, this effect and those that would be enough in its place."""
        found = {effect}
        for sentence in self.sentences:
            of_sentence = {place for places in sentence.enough for place in places}
            if effect in of_sentence:
                found |= of_sentence
        return found

    def bar(self, effect: Effect) -> Spread:
        """What a bar shows of an effect: the share, where that is all there is."""
        return effect.away if self.tested else Spread(mean=effect.share)


def is_readable(saved: Mapping[str, Any]) -> bool:
    """Whether a saved explanation has the shape of today."""
    return saved.get("shape") == SHAPE
