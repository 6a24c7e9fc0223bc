"""Explanations of answers by models that truly depend on known pieces of evidence."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece

from core.attribution import AnswerVerdict, Edit, EffectVerdict, Explanation, Method
from core.embeddings.bundled import Bundled
from core.errors import ModelUnavailable, Stopped
from core.models import Answer, Hit, Record, Source
from core.question import Completed
from core.turns.explanations import Call
from core.usage import Usage
from worker.attribution.ablation.model_calls import Answerer
from worker.attribution.attributor import Attributor, Job
from worker.attribution.methods import METHODS
from worker.attribution.options import Options
from worker.generation.generator import GeneratedAnswer

OPENINGS = ["", "According to the pages: ", "In short: ", "The documentation says: "]
HITS = [
    hit(piece(LEAVE, "1"), page("1", "Leave")),
    hit(piece(HOTEL, "2", heading_path=("Porto",)), page("2", "Travel")),
    hit(piece(BACKUP, "3")),
]
BILL = hit(piece("Room bills up to 110 EUR are paid for Porto.", "7"), page("7", "Expenses"))
NOTHING = "The pages I can read do not answer this."
ONCE = Usage(calls=1, prompt_tokens=10, completion_tokens=2)
Says = Callable[[Sequence[Hit]], str]


def record(hits: Sequence[Hit] = HITS, text: str = f"{HOTEL} [1]", cited: Hit = HITS[1]) -> Record:
    source = Source(
        number=1, title="Travel", url="https://wiki.example/2", evidence_ids=(cited.evidence.id,)
    )
    completed = Completed(
        question="What does a hotel cost?", text="What does a hotel in Porto cost?"
    )
    return Record(
        completed=completed,
        hits=tuple(hits),
        answer=Answer(text=text, sources=(source,), model="scripted"),
    )


def knows(hits: Sequence[Hit], *needed: str) -> bool:
    return all(any(each.evidence.text == text for each in hits) for text in needed)


def steady(hits: Sequence[Hit]) -> str:
    """Answers from the piece about hotels, always in the same words."""
    return HOTEL if knows(hits, HOTEL) else NOTHING


def either(hits: Sequence[Hit]) -> str:
    """Answers from the piece about hotels or from the one about bills: each is enough."""
    return HOTEL if knows(hits, HOTEL) or knows(hits, BILL.evidence.text) else NOTHING


def knowing(_hits: Sequence[Hit]) -> str:
    """Needs no evidence."""
    return HOTEL


def asks(says: Says, *, varies: bool = True) -> Answerer:
    """What a model says, with another harmless opening each time."""
    openings = itertools.cycle(OPENINGS if varies else [""])

    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        await asyncio.sleep(0)
        return GeneratedAnswer(Answer(text=next(openings) + says(hits)), usage=ONCE)

    return answerer


def explain(
    embedder: Bundled,
    says: Says,
    saved: Record | None = None,
    *,
    varies: bool = True,
    **options: object,
) -> Explanation:
    attributor = Attributor(embedder, Options(**options))  # type: ignore[arg-type]
    return attributor.explain("turn-1", saved or record(), asks(says, varies=varies), varies=varies)


def test_a_planted_cause_is_first_and_causal_though_the_model_varies(embedder: Bundled) -> None:
    first, *others = (result := explain(embedder, steady)).effects
    assert first.evidence_ids == (HITS[1].evidence.id,)
    assert first.verdict is EffectVerdict.CAUSAL
    assert first.p_value is not None
    assert first.p_value <= 0.04 / len(HITS)
    assert all(other.verdict is EffectVerdict.NOISE for other in others)
    assert first.change.mean > 2 * result.null.mean > 0
    assert result.verdict is AnswerVerdict.NEEDED


def test_quoted_answers_are_asked_once_and_what_is_not_quoted_has_no_effect_at_all(
    embedder: Bundled,
) -> None:
    result = explain(embedder, steady, varies=False)
    assert [effect.verdict for effect in result.effects] == [
        EffectVerdict.CAUSAL,
        EffectVerdict.NOISE,
        EffectVerdict.NOISE,
    ]
    assert [effect.share for effect in result.effects] == [1.0, 0.0, 0.0]
    assert (result.null.mean, result.test, result.usage.calls) == (0.0, "", 2 + len(HITS))


def test_when_nothing_matters_nothing_is_causal(embedder: Bundled) -> None:
    result = explain(embedder, knowing)
    assert all(effect.verdict is EffectVerdict.NOISE for effect in result.effects)
    assert result.verdict is AnswerVerdict.DID_NOT_MATTER
    assert "110 EUR" in result.without_evidence


def test_a_model_that_says_something_else_each_time_shows_nothing_but_noise(
    embedder: Bundled,
) -> None:
    anything = itertools.cycle([LEAVE, BACKUP, HOTEL, NOTHING])
    result = explain(embedder, lambda _hits: next(anything))
    assert result.verdict is AnswerVerdict.NOISE
    assert all(effect.verdict is EffectVerdict.NOISE for effect in result.effects)


def test_twins_are_removed_together_and_found(embedder: Bundled) -> None:
    twin = hit(piece(HOTEL, "9"), page("9", "Copy of travel"))
    first = explain(embedder, steady, record([*HITS, twin])).effects[0]
    assert first.evidence_ids == (HITS[1].evidence.id, twin.evidence.id)
    assert (first.verdict, first.pages) == (EffectVerdict.CAUSAL, 2)


@pytest.mark.parametrize("varies", [True, False])
def test_two_pages_that_say_the_same_in_other_words_are_redundant(
    embedder: Bundled, varies: bool
) -> None:
    result = explain(embedder, either, record([*HITS, BILL]), varies=varies)
    verdicts = {effect.evidence_ids[0]: effect.verdict for effect in result.effects}
    same = {HITS[1].evidence.id, BILL.evidence.id}
    assert {id_ for id_, verdict in verdicts.items() if verdict is EffectVerdict.REDUNDANT} == same
    assert [set(pair.evidence_ids) for pair in result.together] == [same]
    assert EffectVerdict.CAUSAL not in verdicts.values()


def test_what_is_only_known_together_is_caused_by_each(embedder: Bundled) -> None:
    both = record([*HITS, BILL])
    result = explain(
        embedder, lambda hits: HOTEL if knows(hits, HOTEL, BILL.evidence.text) else NOTHING, both
    )
    causes = {
        effect.evidence_ids[0]
        for effect in result.effects
        if effect.verdict is EffectVerdict.CAUSAL
    }
    assert causes == {HITS[1].evidence.id, BILL.evidence.id}
    assert result.together == ()


def test_each_sentence_has_the_evidence_that_caused_it(embedder: Bundled) -> None:
    def says(hits: Sequence[Hit]) -> str:
        return " ".join(text for text in (HOTEL, LEAVE) if knows(hits, text)) or NOTHING

    result = explain(embedder, says, record(text=f"{HOTEL} [1] {LEAVE} [2]"))
    hotel, leave = (
        sentence in result.sentences and result.sentences.index(sentence)
        for sentence in (HOTEL, LEAVE)
    )
    caused = {
        effect.evidence_ids[0]: {each.sentence for each in effect.sentences if each.causal}
        for effect in result.effects
    }
    assert caused == {
        HITS[1].evidence.id: {hotel},
        HITS[0].evidence.id: {leave},
        HITS[2].evidence.id: set(),
    }


def test_an_effect_says_what_was_removed_and_what_came_of_it(embedder: Bundled) -> None:
    first, second, _ = explain(embedder, steady, varies=False).effects
    assert (first.label, first.source_numbers, first.counterfactual) == (
        "Travel › Porto",
        (1,),
        NOTHING,
    )
    assert (second.label, second.source_numbers) == ("Leave", ())
    assert first.change.low <= first.change.mean <= first.change.high
    before = "".join(change.text for change in first.difference if change.edit is not Edit.ADDED)
    after = "".join(change.text for change in first.difference if change.edit is not Edit.REMOVED)
    assert (before, after) == (HOTEL, NOTHING)


def test_an_answer_that_lost_a_citation_alone_has_not_changed(embedder: Bundled) -> None:
    assert explain(embedder, steady, record(text=f"{HOTEL} [7][2]"), varies=False).null.mean == 0.0


def test_what_is_decided_gets_no_more_calls(embedder: Bundled) -> None:
    hits = [
        *HITS,
        *(
            hit(piece(f"Berth {n} is cleaned by crew {n * 7}.", str(n)), page(str(n)))
            for n in range(20, 27)
        ),
    ]
    rounds, at_once = (
        explain(embedder, steady, record(hits), rounds=rounds) for rounds in (True, False)
    )
    assert at_once.usage.calls == 12 + 6 * (1 + len(hits))
    assert rounds.usage.calls < 0.7 * at_once.usage.calls
    assert rounds.effects[0].evidence_ids == at_once.effects[0].evidence_ids
    assert (rounds.effects[0].change.repeats, rounds.effects[-1].change.repeats) == (6, 1)


@pytest.mark.parametrize("max_calls", [3, 10, 20, 40, 80])
def test_the_budget_is_never_exceeded_and_the_cause_is_found_where_it_can_be(
    embedder: Bundled, max_calls: int
) -> None:
    hits = [
        *HITS,
        *(
            hit(piece(f"Berth {n} is cleaned by crew {n * 7}.", str(n)), page(str(n)))
            for n in range(20, 60)
        ),
    ]
    result = explain(embedder, steady, record(hits), max_calls=max_calls)
    assert result.usage.calls <= max_calls
    causes = [
        set(effect.evidence_ids)
        for effect in result.effects
        if effect.verdict is EffectVerdict.CAUSAL
    ]
    assert all(HITS[1].evidence.id in cause for cause in causes)
    assert bool(causes) == (max_calls >= 40)
    if max_calls == 80:
        assert causes == [{HITS[1].evidence.id}]


def test_who_watches_hears_of_every_call(embedder: Bundled) -> None:
    heard: list[tuple[int, int]] = []
    attributor = Attributor(embedder, Options())
    attributor.explain(
        "t",
        record(),
        asks(steady, varies=False),
        varies=False,
        report=lambda done, of: heard.append((done, of)),
    )
    assert heard == [(n, 5) for n in range(1, 6)]


def test_an_answer_without_evidence_has_nothing_to_remove(embedder: Bundled) -> None:
    result = explain(
        embedder,
        steady,
        Record(completed=Completed(question="?", text="?"), answer=Answer(text=NOTHING)),
    )
    assert (result.effects, result.usage.calls) == ((), 0)
    assert result.verdict is AnswerVerdict.DID_NOT_MATTER


def test_no_more_calls_at_once_than_allowed(embedder: Bundled) -> None:
    now = most = 0

    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.01)
        now -= 1
        return GeneratedAnswer(Answer(text=steady(hits)), usage=ONCE)

    Attributor(embedder, Options(concurrency=3)).explain("t", record(), answerer)
    assert most == 3


def test_a_model_that_is_away_ends_the_explanation_and_every_call_on_its_way(
    embedder: Bundled,
) -> None:
    ended = []

    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        if len(hits) == len(HITS):
            raise ModelUnavailable("down")
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(len(hits))
        raise AssertionError

    with pytest.raises(ModelUnavailable):
        Attributor(embedder, Options(concurrency=40)).explain("t", record(), answerer)
    assert sorted(ended) == [0, 2, 2, 2]


class Shelf:
    """A ledger in memory."""

    def __init__(self) -> None:
        self.calls: dict[tuple[str, int], Call] = {}

    def finished(self) -> Mapping[tuple[str, int], Call]:
        return dict(self.calls)

    def save(self, call: Call) -> None:
        self.calls[call.key, call.repeat] = call


def test_what_is_stopped_and_taken_up_again_pays_for_each_call_once(embedder: Bundled) -> None:
    shelf, asked, free = Shelf(), 0, 8
    answer = asks(steady, varies=False)

    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        nonlocal asked
        asked += 1
        if asked > free:
            await asyncio.sleep(60)
        return await answer(hits)

    def check() -> None:
        if asked >= free:
            raise Stopped

    attributor = Attributor(embedder, Options(concurrency=1))
    with pytest.raises(Stopped):
        asyncio.run(
            attributor.explained(
                Job("t", record(), answerer, "scripted", ledger=shelf, check=check)
            )
        )
    assert len(shelf.calls) == free
    asked = -10_000
    result = asyncio.run(
        attributor.explained(Job("t", record(), answerer, "scripted", ledger=shelf))
    )
    assert result.usage.calls == free + asked + 10_000 == len(shelf.calls)


def test_the_papers_method_gives_shares_and_no_verdicts(embedder: Bundled) -> None:
    result = explain(embedder, steady, method=Method.PAPER)
    assert result.effects[0].evidence_ids == (HITS[1].evidence.id,)
    assert sum(effect.share for effect in result.effects) == pytest.approx(1)
    assert {effect.verdict for effect in result.effects} == {None}
    assert (result.method, result.verdict, result.usage.calls) == (
        Method.PAPER,
        None,
        3 * len(HITS),
    )


def test_without_clusters_the_paper_removes_each_twin_alone(embedder: Bundled) -> None:
    twin = hit(piece(HOTEL, "9"), page("9", "Copy of travel"))
    alone, clustered = (
        explain(embedder, steady, record([*HITS, twin]), varies=False, method=method)
        for method in (Method.PAPER_NO_CLUSTERS, Method.PAPER)
    )
    assert (len(alone.effects), len(clustered.effects)) == (4, 3)
    assert max(effect.change.mean for effect in alone.effects) == 0.0
    assert clustered.effects[0].evidence_ids == (HITS[1].evidence.id, twin.evidence.id)


def test_the_naive_method_asks_nothing(embedder: Bundled) -> None:
    result = explain(embedder, steady, method=Method.NAIVE)
    assert (result.effects[0].evidence_ids, result.usage.calls) == ((HITS[1].evidence.id,), 0)


@pytest.mark.parametrize("method", Method)
def test_an_explanation_says_itself_by_which_method_it_was_made_and_whether_it_was_tested(
    embedder: Bundled, method: Method
) -> None:
    result = explain(embedder, steady, method=method)
    assert (result.method, result.tested) == (method, METHODS[method].tested)
    verdicts = {effect.verdict is not None for effect in result.effects}
    assert verdicts == {result.tested}
    assert (result.verdict is not None) is result.tested


def test_without_evidence_there_is_nothing_to_remove_whatever_the_method(embedder: Bundled) -> None:
    result = explain(embedder, knowing, record([]), method=Method.PAPER)
    assert (result.method, result.tested, result.usage.calls) == (Method.PAPER, True, 0)
    assert result.verdict is AnswerVerdict.DID_NOT_MATTER
