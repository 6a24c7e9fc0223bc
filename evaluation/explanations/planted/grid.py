"""The grid: explanations of answers that hang on known pages by known rules.

Of the sentences of an answer some follow the rule of the case; the model knows the others by
itself. Each case draws its facts, its other pages and their places by a seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, product
from random import Random
from typing import Any

import numpy as np

from core.attribution import ExplainBy, Explanation, Role, SentenceCauses
from core.models import Answer, Hit, Record
from core.question import Completed
from core.usage import Usage
from evaluation.explanations.planted.ablations import Without, methods
from evaluation.explanations.planted.grid_drawing import Drawing
from evaluation.explanations.planted.grid_rules import NULL_RULES, RULES, Expected
from evaluation.explanations.planted.suite import embedder
from evaluation.harness.interval import Share
from sandbox.llm.planted import Plan, answer
from sandbox.llm.scores import planted_scores
from worker.attribution.attributor import Attributor
from worker.attribution.options import Options
from worker.generation.endpoint.token_scores import Scores, placed
from worker.generation.generator import GeneratedAnswer
from worker.text.citations import cite
from worker.text.tokens import estimate

MODEL = "planted"
DROPPED = 0.1  # of the sentences, for no reason
LENGTHS = (1, 3, 6, 10)  # sentences
REWORDED = (0.0, 0.02, 0.05, 0.1)  # of the ordinary words
MODES = {"sampled": False, "fixed": True}


@dataclass(frozen=True)
class Place:
    """A place on the grid, and the number of the case there."""

    case: str
    number: int
    clusters: int = 10
    sentences: int = 3
    reworded: float = 0.02
    is_fixed: bool = False  # equal prompts bring equal answers
    seed: int = 0


@dataclass(frozen=True)
class GridCase:
    """An answer that is to be explained, and the truth, a value for each of its sentences."""

    hits: tuple[Hit, ...]
    plan: Plan
    expected: tuple[Expected, ...]


@dataclass(frozen=True)
class GridMark:
    """What is right about the explanation of a case, and what it took."""

    place: Place
    exact: bool  # each sentence has the right pages in the right role
    false: bool  # a sentence has a page that it does not hang on
    verdict: str
    calls: int
    tokens: int


def places(
    cases: Sequence[str], runs: int, *, clusters: Sequence[int], seed: int
) -> Iterator[Place]:
    """So many of each case, number of clusters and mode, over all lengths and wording rates."""
    grid = list(product(LENGTHS, REWORDED))
    for case, size, is_fixed in product(cases, clusters, MODES.values()):
        for number in range(runs):
            length, rate = grid[number % len(grid)]
            yield Place(case, number, size, length, rate, is_fixed, seed)


def grid_case(place: Place) -> GridCase:
    """The same for the same place."""
    chance = Random(repr(place))
    draw = Drawing(chance)
    drawn = chance.randint(1, place.sentences)
    if place.case == "list":  # a page for each
        drawn = min(place.sentences, place.clusters - 1)
    rules = RULES | NULL_RULES
    facts, expected = rules[place.case](draw, drawn)
    known, of_known = NULL_RULES["nothing used"](draw, max(place.sentences - len(expected), 0))
    draw.others(max(place.clusters - len(draw.hits), 0))
    if place.case != "first found":
        chance.shuffle(draw.hits)
    plan = Plan(
        facts=(*facts, *known),
        in_order=True,
        reworded=place.reworded,
        by_prompt=place.is_fixed,
        unsteady=DROPPED if "dropped" in place.case else 0.0,
        fewest=3 if place.case == "refuses under 3" else 0,
    )
    return GridCase(tuple(draw.hits), plan, (*expected, *of_known))


def explain_place(place: Place, options: Options, without: Without | None = None) -> GridMark:
    """Has the real attributor explain the case's answer, and marks the explanation."""
    case = grid_case(place)
    calls = count()

    async def model(hits: Sequence[Hit]) -> GeneratedAnswer:
        text = answer(case.plan, _texts(hits), Random(f"{place}:{next(calls)}"))
        tokens = sum(estimate(each) for each in _texts(hits))
        usage = Usage(calls=1, prompt_tokens=tokens, completion_tokens=estimate(text))
        return GeneratedAnswer(Answer(text=text), usage=usage)

    async def score(hits: Sequence[Hit], text: str) -> tuple[Scores, Usage]:
        next(calls)
        found = placed(text, planted_scores(case.plan, _texts(hits), text))
        tokens = sum(estimate(each) for each in _texts(hits)) + estimate(text)
        assert found is not None
        return found, Usage(calls=1, prompt_tokens=tokens)

    attributor = Attributor(embedder(), options, methods(without))
    found = attributor.explain(
        repr(place), _saved(place, case), model, scorer=score if by_scores(options) else None
    )
    return _marked(place, case, found)


def by_scores(options: Options) -> bool:
    """Whether the model is asked how likely the answer is; by itself it is asked again."""
    return options.by is ExplainBy.LOGPROBS


def of_options(options: Options, without: Without | None = None) -> partial[GridMark]:
    return partial(explain_place, options=options, without=without)


def figures(marks: Sequence[GridMark]) -> dict[str, dict[str, Any]]:
    """A row for each case, number of clusters and mode; shares with their intervals."""
    rows: dict[str, dict[str, Any]] = {}
    groups: dict[str, list[GridMark]] = {}
    for mark in marks:
        mode = "fixed" if mark.place.is_fixed else "sampled"
        groups.setdefault(f"{mark.place.case}, {mark.place.clusters}, {mode}", []).append(mark)
    for name, those in groups.items():
        rows[name] = _row(those)
    return rows | {"all": _row(marks)}


def _row(those: Sequence[GridMark]) -> dict[str, Any]:
    made = [mark.calls for mark in those]
    median, ninth = (round(float(np.quantile(made, q, method="higher"))) for q in (0.5, 0.9))
    verdicts = Counter(mark.verdict for mark in those)
    return {
        "n": len(those),
        "exact": Share.of_all(mark.exact for mark in those),
        "false": Share.of_all(mark.false for mark in those),
        "calls": f"{median} / {ninth} / {max(made)}",
        "tokens": round(float(np.mean([mark.tokens for mark in those]))),
        "verdicts": ", ".join(f"{name} {times}" for name, times in verdicts.most_common()),
    }


def _saved(place: Place, case: GridCase) -> Record:
    """An answer that says all it can."""
    steady = replace(case.plan, unsteady=0.0)
    text, sources = cite(answer(steady, _texts(case.hits), Random(f"{place}:saved")), case.hits)
    return Record(
        completed=Completed(question="What applies?", text="What applies?"),
        hits=case.hits,
        answer=Answer(text=text, sources=sources, model=MODEL),
    )


def _marked(place: Place, case: GridCase, found: Explanation) -> GridMark:
    pairs = list(zip(found.sentences, case.expected, strict=False))
    named = [_named(found, sentence) for sentence, _ in pairs]
    right = [
        _is_right(roles, sentence, expected)
        for roles, (sentence, expected) in zip(named, pairs, strict=True)
    ]
    wanted = [expected.pages for _, expected in pairs]
    usage = found.usage
    return GridMark(
        place=place,
        exact=all(right) and len(found.sentences) == len(case.expected),
        false=any(set(roles) - pages for roles, pages in zip(named, wanted, strict=True)),
        verdict=found.verdict.value if found.verdict else "",
        calls=usage.calls,
        tokens=usage.prompt_tokens + usage.completion_tokens,
    )


def _named(found: Explanation, sentence: SentenceCauses) -> dict[str, Role]:
    effects = found.effects
    return {effects[cause.effect].evidence_ids[0]: cause.role for cause in sentence.causes}


def _is_right(roles: dict[str, Role], sentence: SentenceCauses, wanted: Expected) -> bool:
    if set(roles) != wanted.pages:
        return False
    if wanted.is_redundant:
        return len(sentence.enough) == len(wanted.pages)
    return all(role in wanted.roles for role in roles.values())


def _texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.evidence.text for hit in hits]
