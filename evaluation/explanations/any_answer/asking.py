"""Asks a model the question of a case on its evidence, or on some of it, as it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.models import Answer, Hit
from core.turns.explanations import Call
from core.usage import Usage
from evaluation.explanations.any_answer.case import Case
from worker.generation import abstention
from worker.generation.endpoint.reply import Reply
from worker.generation.endpoint.scoring import ScoringCalls
from worker.generation.endpoint.token_scores import Scores
from worker.generation.generator import GeneratedAnswer
from worker.prompting import templates
from worker.text.citations import cite


@dataclass(frozen=True)
class CaseAnswerer:
    """Question and pieces in, answer out; neither the question nor a text is changed."""

    model: ScoringCalls
    case: Case

    async def __call__(self, hits: Sequence[Hit]) -> GeneratedAnswer:
        """Raises ModelUnavailable: see worker.generation.endpoint.many_calls."""
        reply = await self.reply(hits)
        text, sources = cite(reply.text, hits)
        answer = Answer(text=text, sources=sources, model=self.model.name)
        return GeneratedAnswer(answer, usage=reply.usage, hits=tuple(hits))

    async def reply(self, hits: Sequence[Hit]) -> Reply:
        """As the model words it, with the numbers of its citations."""
        user, system = self._prompt(hits)
        return await self.model.reply(user, pages=(), system=system)

    async def score(self, hits: Sequence[Hit], text: str) -> tuple[Scores, Usage]:
        """How likely this text is as the answer.

        Raises:
            NoScores, ModelUnavailable: see worker.generation.endpoint.scoring.
        """
        user, system = self._prompt(hits)
        return await self.model.score(user, text, pages=(), system=system)

    def _prompt(self, hits: Sequence[Hit]) -> tuple[str, str]:
        pieces = [self.case.evidence[int(hit.evidence.id)] for hit in hits]
        user = templates.render("case", question=self.case.question, evidence=pieces)
        return user, templates.render("case_system", not_found=abstention.NOT_FOUND)


@dataclass
class Paid:
    """What was paid for, also where an explanation ends without a result."""

    usages: list[Usage] = field(default_factory=list)  # added to by several threads

    def finished(self) -> Mapping[tuple[str, int], Call]:
        """Nothing is resumed."""
        return {}

    def save(self, call: Call) -> None:
        self.usages.append(call.usage)

    @property
    def usage(self) -> Usage:
        return sum(self.usages, Usage())
