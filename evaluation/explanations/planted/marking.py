"""Has the real attributor explain a case with a scripted model, and marks the explanation."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from random import Random

from core.attribution import AnswerVerdict, Effect, Explanation, Role
from core.models import Answer, Hit, Record
from core.question import Completed
from core.usage import Usage
from evaluation.explanations.planted.cases import Case
from sandbox.llm.planted import answer
from worker.attribution.attributor import Attributor
from worker.generation.answer_prompt import answer_prompt
from worker.generation.generator import GeneratedAnswer
from worker.text.citations import cite
from worker.text.tokens import estimate

MODEL = "planted"
CAUSAL = (Role.NEEDED, Role.TOGETHER, Role.PART)
REDUNDANT = (Role.ENOUGH,)


class PlantedModel:
    """Answers a case's question from the evidence it is given, each time in other words.

    It counts rounds: as long as every call may begin at once, those that begin together are one.
    """

    def __init__(self, case: Case, seed: str) -> None:
        self.rounds = 0
        self._case = case
        self._seed = seed
        self._calls = count()
        self._going_on = 0

    async def __call__(self, hits: Sequence[Hit]) -> GeneratedAnswer:
        self.rounds += self._going_on == 0
        self._going_on += 1
        await asyncio.sleep(0)
        self._going_on -= 1
        chance = Random(f"{self._seed}:{next(self._calls)}")
        text = answer(self._case.plan, _texts(hits), chance)
        cost = Usage(
            calls=1,
            prompt_tokens=_around() + sum(map(_tokens, hits)),
            completion_tokens=estimate(text),
        )
        return GeneratedAnswer(_answer(text, hits), usage=cost, hits=tuple(hits))


@dataclass(frozen=True)
class Mark:
    """What is right and wrong about an explanation."""

    case: Case
    first: frozenset[str]  # the pieces of what is shown as strongest
    named: frozenset[str]  # the pieces of all causes and of what changes the answer only together
    first_is_right: bool
    found: bool  # all that was planted, and as what it was planted
    false_causes: int  # clusters called causal that cannot matter
    false_redundant: int
    verdict_is_right: bool
    calls: int
    rounds: int
    tokens: int
    seconds: float
    explanation: Explanation = field(repr=False)


def saved(case: Case, seed: int = 0) -> Record:
    """The answer that is to be explained: one that says all it can."""
    chance = Random(f"{seed}:{case.scenario}:{case.number}:saved")
    steady = replace(case.plan, unsteady=0.0)
    completed = Completed(question=case.question, text=case.question)
    said = _answer(answer(steady, _texts(case.hits), chance), case.hits)
    return Record(completed=completed, hits=case.hits, answer=said)


def explained(attributor: Attributor, case: Case, seed: int = 0) -> Mark:
    """Explain the case's answer; another seed words the counterfactual answers differently."""
    model = PlantedModel(case, f"{seed}:{case.scenario}:{case.number}:again")
    return mark(case, attributor.explain(MODEL, saved(case), model), model.rounds)


def mark(case: Case, explanation: Explanation, rounds: int = 0) -> Mark:
    first = strongest(explanation)
    called_causal = _called(explanation, CAUSAL)
    called_redundant = _called(explanation, REDUNDANT)
    usage = explanation.usage
    return Mark(
        case=case,
        first=first,
        named=frozenset().union(*called_causal, *called_redundant),
        first_is_right=bool(first) and first <= case.planted,
        found=_is_found(case, called_causal, called_redundant),
        false_causes=sum(ids.isdisjoint(case.planted) for ids in called_causal),
        false_redundant=sum(ids.isdisjoint(case.planted) for ids in called_redundant),
        verdict_is_right=(explanation.verdict is AnswerVerdict.CAUSED) is not case.is_null,
        calls=usage.calls,
        rounds=rounds,
        tokens=usage.prompt_tokens + usage.completion_tokens,
        seconds=explanation.seconds,
        explanation=explanation,
    )


def strongest(explanation: Explanation) -> frozenset[str]:
    """What is named first: a cause, or else what matters only together, or the largest effect."""
    return next(map(ids_of, explanation.effects), frozenset())


def _called(explanation: Explanation, roles: Collection[Role]) -> list[frozenset[str]]:
    return [ids_of(effect) for effect in explanation.effects if effect.role in roles]


def ids_of(effect: Effect) -> frozenset[str]:
    return frozenset(effect.evidence_ids)


def _is_found(
    case: Case, causal: Sequence[frozenset[str]], redundant: Sequence[frozenset[str]]
) -> bool:
    """Whether all that was planted is found, as what it was planted.

    A cause is called causal, or, where its copies are no single cluster, they matter together.
    """
    for cause in case.causes:
        if all(ids.isdisjoint(cause) for ids in causal):
            return False
    return not case.is_null and (
        not case.redundant or case.redundant == frozenset().union(*redundant)
    )


def _answer(text: str, hits: Sequence[Hit]) -> Answer:
    cited, sources = cite(text, hits)
    return Answer(text=cited, sources=sources, model=MODEL)


def _texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.evidence.text for hit in hits]


@cache
def _around() -> int:
    """Tokens of the prompt without evidence."""
    prompt = answer_prompt(Completed(question="What?", text="What?"), ())
    return estimate(prompt.system) + estimate(prompt.user)


def _tokens(hit: Hit) -> int:
    return estimate(hit.page.title) + estimate(hit.evidence.text)
