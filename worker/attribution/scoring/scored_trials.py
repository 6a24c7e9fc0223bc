"""Trials by scores: how likely the saved answer is without some clusters; nothing is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from core.attribution import AnswerPath
from core.models import Answer, Hit
from core.usage import Usage
from worker.attribution.ablation.model_calls import Answerer, Calls
from worker.attribution.experiment.design import ROWS
from worker.attribution.experiment.sampled import ENDS
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.experiment.trials import Trial, Trials
from worker.attribution.scoring.answer_words import scored_text
from worker.attribution.scoring.expected_losses import ExpectedLosses
from worker.generation.endpoint.token_scores import Scores
from worker.generation.generator import GeneratedAnswer

# How likely a text is as an answer from these hits.
Scorer = Callable[[Sequence[Hit], str], Awaitable[tuple[Scores, Usage]]]

SHOWN = 2  # answers, for what would have been said without the strongest cause, and at all


class ScoredTrials(TrialCalls):
    """The trials of one experiment. Equal prompts have equal scores, and are asked once."""

    path = AnswerPath.LOGPROBS

    async def begin(self, answer: str) -> None:
        """Score the answer with all of its evidence, which all others are compared with.

        Raises:
            NoScores: the endpoint does not tell.
            ModelUnavailable: it does not answer.
        """
        await self._calls.ask({(): 1})
        everything = Scores.from_text(self._calls.answers(())[0])
        self._expected = ExpectedLosses(self.saved, answer, everything)

    @property
    def left(self) -> int:
        """Without those that are kept for answers to be shown, as far as a test leaves any.

        One more than that: the call with everything, which a test asks for, is made.
        """
        kept = min(SHOWN, max(self._budget.calls - ROWS - ENDS, 0))
        return super().left - kept + 1

    async def ask(self, *groups: Sequence[frozenset[int]]) -> list[Trials]:
        wanted = {self._positions(away): 1 for group in groups for away in group}
        await self._calls.tried(wanted, order=list(self._random.permutation(len(wanted))))
        return [self._of(group) for group in groups]

    def rest(self, calls: Calls) -> TrialCalls:
        """Answers instead of scores, as many as the budget leaves."""
        left = self._budget.after(self._calls.spent)
        return TrialCalls(calls, self._removed, self.saved, budget=left, random=self._random)

    def _of(self, group: Sequence[frozenset[int]]) -> Trials:
        found: list[Trial] = []
        scores: list[Scores] = []
        for away in group:
            written = self._calls.answer(self._positions(away), 0)
            if written is not None:
                found.append(Trial(away, ""))
                scores.append(Scores.from_text(written))
        return Trials(self.clusters, tuple(found), self._expected.losses(scores))


def answerer_of(scorer: Scorer, answer: str) -> Answerer:
    """The scores in the place of an answer, so that they are called for and kept like answers."""
    text = scored_text(answer)

    async def scored(hits: Sequence[Hit]) -> GeneratedAnswer:
        scores, usage = await scorer(hits, text)
        return GeneratedAnswer(Answer(text=scores.as_text()), usage=usage)

    return scored
