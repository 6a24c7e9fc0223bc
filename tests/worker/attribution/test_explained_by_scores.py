"""Explanations by how likely the saved answer is, as the endpoint of the model tells."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from wiki import hit, page, piece

from core.attribution import AnswerPath, AnswerVerdict, ExplainBy, Explanation, Role
from core.embeddings.bundled import Bundled
from core.errors import NoScores
from core.models import Answer, Hit, Record
from core.question import Completed
from core.usage import Usage
from sandbox.llm.scores import scores
from worker.attribution.attributor import Attributor, Job
from worker.attribution.budget import Budget
from worker.attribution.options import Options
from worker.attribution.scoring.answer_words import scored_text, words_of
from worker.attribution.scoring.expected_losses import ExpectedLosses
from worker.attribution.scoring.scored_trials import Scorer
from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST, SavedAnswer
from worker.generation.endpoint.token_scores import Scores, placed
from worker.generation.generator import GeneratedAnswer

HOTEL = "A hotel in Porto costs 110 EUR."
OLD = "A hotel in Porto costs 95 EUR."
SAVED = f"{HOTEL} [1]"
HITS = [
    hit(piece(HOTEL, "1"), page("1", "Travel")),
    *(
        hit(piece(f"Berth {n} is cleaned by crew {n * 7}.", str(n)), page(str(n), f"Berth {n}"))
        for n in range(20, 27)
    ),
]


class Model:
    """Says the saved answer where it has the page, and something else without it."""

    def __init__(self, otherwise: str = OLD) -> None:
        self.otherwise = otherwise
        self.answered = self.scored = 0

    def says(self, hits: Sequence[Hit]) -> str:
        return HOTEL if any(each.evidence.text == HOTEL for each in hits) else self.otherwise

    async def answer(self, hits: Sequence[Hit]) -> GeneratedAnswer:
        self.answered += 1
        return GeneratedAnswer(Answer(text=self.says(hits)), usage=Usage(calls=1))

    async def score(self, hits: Sequence[Hit], text: str) -> tuple[Scores, Usage]:
        self.scored += 1
        noise = Random("\n".join(each.evidence.text for each in hits))
        found = placed(text, scores(text, self.says(hits), noise))
        assert found is not None
        return found, Usage(calls=1)


async def tells_nothing(_hits: Sequence[Hit], _text: str) -> tuple[Scores, Usage]:
    raise NoScores("it does not tell")


@pytest.fixture(scope="module")
def embedder() -> Iterator[Bundled]:
    yield Bundled()


def explain(
    embedder: Bundled,
    model: Model,
    scorer: Scorer | None,
    *,
    by: ExplainBy = ExplainBy.AUTO,
    max_calls: int = 40,
    saved: str = SAVED,
) -> Explanation:
    record = Record(
        completed=Completed(question="What does a hotel cost?", text="What does a hotel cost?"),
        hits=tuple(HITS),
        answer=Answer(text=saved, model="scripted"),
    )
    job = Job("turn", record, model.answer, "scripted", scorer=scorer)
    attributor = Attributor(embedder, Options(by=by, budget=Budget(max_calls)))
    return asyncio.run(attributor.explained(job))


def test_the_page_that_an_answer_rests_on_is_found_without_answers_to_compare(
    embedder: Bundled,
) -> None:
    model = Model()
    found = explain(embedder, model, model.score)
    assert (found.path, found.verdict) == (AnswerPath.LOGPROBS, AnswerVerdict.CAUSED)
    first, *others = found.effects
    assert (first.evidence_ids, first.role) == ((HITS[0].evidence.id,), Role.NEEDED)
    assert {each.role for each in others} == {Role.UNUSED}
    assert model.scored <= 18


def test_what_would_have_been_said_is_an_answer_of_the_model(embedder: Bundled) -> None:
    model = Model()
    found = explain(embedder, model, model.score)
    assert (found.effects[0].lost, found.effects[0].instead) == (HOTEL, OLD)
    assert found.without_evidence == OLD
    assert model.answered == 2


@pytest.mark.parametrize("most", [18, 19, 20, 21, 25])
def test_scores_and_answers_together_stay_within_the_budget(embedder: Bundled, most: int) -> None:
    model = Model()
    found = explain(embedder, model, model.score, max_calls=most)
    assert found.verdict is AnswerVerdict.CAUSED
    assert found.usage.calls == model.scored + model.answered <= most


def test_where_the_endpoint_does_not_tell_the_model_is_asked_again(embedder: Bundled) -> None:
    found = explain(embedder, Model(), tells_nothing)
    assert (found.path, found.verdict) == (AnswerPath.SAMPLE, AnswerVerdict.CAUSED)


def test_with_sample_scores_are_not_asked_for(embedder: Bundled) -> None:
    model = Model()
    found = explain(embedder, model, model.score, by=ExplainBy.SAMPLE)
    assert (found.path, model.scored) == (AnswerPath.SAMPLE, 0)


@pytest.mark.parametrize("scorer", [tells_nothing, None])
def test_where_scores_are_demanded_nothing_else_is_done(
    embedder: Bundled, scorer: Scorer | None
) -> None:
    model = Model()
    with pytest.raises(NoScores):
        explain(embedder, model, scorer, by=ExplainBy.LOGPROBS)
    assert model.answered == 0


NEGATED = "A hotel in Porto does not cost 110 EUR, it is free of charge."


def test_an_answer_that_says_the_opposite_in_the_same_words_is_not_said_to_stay(
    embedder: Bundled,
) -> None:
    """Scores alone cannot see a word that is put in."""

    class Denies(Model):
        async def score(self, hits: Sequence[Hit], text: str) -> tuple[Scores, Usage]:
            return await super().score(HITS, text)  # as likely as ever

    model = Denies(NEGATED)
    demanded = explain(embedder, model, model.score, by=ExplainBy.LOGPROBS)
    assert demanded.verdict is AnswerVerdict.VARIES
    found = explain(embedder, model, model.score)
    assert (found.path, found.verdict) == (AnswerPath.SAMPLE, AnswerVerdict.CAUSED)
    assert found.effects[0].evidence_ids == (HITS[0].evidence.id,)


def expected(saved: str, falls: dict[str, float]) -> list[float]:
    """The losses of sentences, where these words have become less likely, by logarithms."""
    text = scored_text(saved)
    everything = [(token, -0.1) for token in _pieces(text)]
    other = [(token, -0.1 - falls.get(token.strip(" ."), 0.0)) for token in _pieces(text)]
    scored = [placed(text, tokens) for tokens in (everything, other)]
    assert scored[0] is not None
    assert scored[1] is not None
    (row,) = ExpectedLosses(SavedAnswer(saved), saved, scored[0]).losses([scored[1]])
    return [float(each) for each in row[FIRST_SENTENCE:]]


def _pieces(text: str) -> list[str]:
    first, *others = text.split(" ")
    return [first, *(f" {each}" for each in others)]


def test_a_number_that_is_not_said_any_more_loses_its_sentence_and_no_other() -> None:
    first, second = expected(f"{SAVED} Lunch is served at noon [2].", {"110": 3.0})
    assert first >= LOST
    assert second == 0


def test_one_word_that_may_be_said_otherwise_loses_no_sentence() -> None:
    (loss,) = expected("Requests are approved by the department head.", {"approved": 5.0})
    assert 0 < loss < LOST


def test_a_word_that_has_become_likelier_is_no_gain() -> None:
    assert expected(SAVED, {"110": -1.0, "EUR": -1.0}) == [0]


def test_what_is_as_likely_without_a_page_has_lost_nothing() -> None:
    assert expected(SAVED, {}) == [0]


def test_words_are_found_where_they_stand_whatever_marks_are_around_them() -> None:
    saved = "In short: **Porto** has:\n\n- 25 days of leave [1],\n- a canteen in Building 7 [2]."
    text = scored_text(saved)
    found = words_of(text, SavedAnswer(saved).said)
    said = {text[word.start : word.end] for sentence in found for word in sentence}
    assert {"25", "days", "leave", "canteen", "7"} <= said
    assert "[1]" not in text
