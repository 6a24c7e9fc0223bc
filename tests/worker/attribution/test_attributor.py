"""Explanations of answers by models that truly depend on known pieces of evidence."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece

from core.attribution import AnswerPath, AnswerVerdict, Edit, Explanation, Method, Role, Stage
from core.embeddings.bundled import Bundled
from core.errors import ModelUnavailable, Stopped
from core.models import Answer, Hit, Record, Source
from core.question import Completed
from core.turns.explanations import Call
from core.usage import Usage
from worker.attribution.ablation.model_calls import Answerer
from worker.attribution.attributor import Attributor, Job
from worker.attribution.budget import Budget
from worker.attribution.options import Options
from worker.generation.generator import GeneratedAnswer
from worker.text.tokens import estimate

OPENINGS = ["", "According to the pages: ", "In short: ", "The documentation says: "]
HITS = [
    hit(piece(LEAVE, "1"), page("1", "Leave")),
    hit(piece(HOTEL, "2", heading_path=("Porto",)), page("2", "Travel")),
    hit(piece(BACKUP, "3")),
]
WIDE = [
    *HITS,
    *(
        hit(piece(f"Berth {n} is cleaned by crew {n * 7}.", str(n)), page(str(n), f"Berth {n}"))
        for n in range(20, 25)
    ),
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
    varies_wording: bool = True,
    **options: object,
) -> Explanation:
    attributor = Attributor(embedder, Options(**options))  # type: ignore[arg-type]
    answerer = asks(says, varies=varies and varies_wording)
    return attributor.explain("turn-1", saved or record(), answerer, varies=varies)


def roles(result: Explanation) -> dict[str, Role]:
    """Of the pieces that are something to the answer."""
    found = {effect.evidence_ids[0]: effect.role for effect in result.effects}
    return {name: role for name, role in found.items() if role not in (None, Role.UNUSED)}


def test_what_an_answer_hangs_on_is_needed_and_comes_first_though_the_model_varies(
    embedder: Bundled,
) -> None:
    result = explain(embedder, steady, record(WIDE))
    first = result.effects[0]
    assert (result.verdict, result.path, result.tries) == (
        AnswerVerdict.CAUSED,
        AnswerPath.SAMPLE,
        18,
    )
    assert roles(result) == {HITS[1].evidence.id: Role.NEEDED}
    assert first.evidence_ids == (HITS[1].evidence.id,)
    assert first.away.mean == pytest.approx(1.0)
    assert first.there.mean == pytest.approx(0.0)
    (cause,) = result.sentences[0].causes
    assert (cause.without.lost, cause.without.of, cause.with_it.lost) == (8, 8, 0)
    assert (first.lost, NOTHING in first.instead) == (HOTEL, True)


def test_either_of_two_is_enough_and_told_as_alternatives(embedder: Bundled) -> None:
    result = explain(embedder, either, record([*WIDE, BILL]))
    assert roles(result) == dict.fromkeys((HITS[1].evidence.id, BILL.evidence.id), Role.ENOUGH)
    named = [result.effects[each].evidence_ids for (each,) in result.sentences[0].enough]
    assert sorted(named) == sorted([(HITS[1].evidence.id,), (BILL.evidence.id,)])


def test_what_is_only_known_together_is_needed_together(embedder: Bundled) -> None:
    def both(hits: Sequence[Hit]) -> str:
        return HOTEL if knows(hits, HOTEL, BILL.evidence.text) else NOTHING

    result = explain(embedder, both, record([*WIDE, BILL]))
    assert roles(result) == dict.fromkeys((HITS[1].evidence.id, BILL.evidence.id), Role.TOGETHER)


def test_each_sentence_has_the_evidence_that_caused_it(embedder: Bundled) -> None:
    def says(hits: Sequence[Hit]) -> str:
        return " ".join(text for text in (HOTEL, LEAVE) if knows(hits, text)) or NOTHING

    result = explain(embedder, says, record(WIDE, text=f"{HOTEL} [1] {LEAVE} [2]"))
    caused = {
        sentence.text: {result.effects[cause.effect].evidence_ids for cause in sentence.causes}
        for sentence in result.sentences
    }
    assert caused == {HOTEL: {(HITS[1].evidence.id,)}, LEAVE: {(HITS[0].evidence.id,)}}


def test_an_answer_that_needs_no_evidence_stays(embedder: Bundled) -> None:
    result = explain(embedder, knowing, record(WIDE))
    assert (result.verdict, roles(result)) == (AnswerVerdict.STAYS, {})
    assert "110 EUR" in result.without_evidence


def test_a_model_that_says_something_else_each_time_shows_nothing(embedder: Bundled) -> None:
    anything = itertools.cycle([LEAVE, BACKUP, HOTEL, NOTHING, BACKUP, LEAVE, LEAVE])
    result = explain(embedder, lambda _hits: next(anything), record(WIDE))
    assert (result.verdict, roles(result)) == (AnswerVerdict.VARIES, {})


def test_an_endpoint_that_repeats_itself_and_uses_nothing_makes_no_cause(embedder: Bundled) -> None:
    def worded_by_prompt(hits: Sequence[Hit]) -> str:
        number = sum(len(each.evidence.text) for each in hits)
        return f"{OPENINGS[number % 4]}{[HOTEL, BACKUP, LEAVE][number % 3]}"

    for size in (3, 4, 8):
        result = explain(embedder, worded_by_prompt, record(WIDE[:size]), varies_wording=False)
        assert roles(result) == {}
        assert result.repeats_itself is (size <= 4)


def test_one_piece_is_too_few_for_a_test(embedder: Bundled) -> None:
    result = explain(embedder, steady, record(HITS[1:2]))
    assert (result.verdict, result.usage.calls) == (AnswerVerdict.TOO_FEW, 1)


def test_twins_are_removed_together_and_told_apart_as_copies(embedder: Bundled) -> None:
    twin = hit(piece(HOTEL, "9"), page("9", "Copy of travel"))
    first = explain(embedder, steady, record([*WIDE, twin])).effects[0]
    assert (first.role, first.pages) == (Role.NEEDED, 2)
    assert first.copies == ((HITS[1].evidence.id,), (twin.evidence.id,))


def test_quoted_answers_are_asked_once_for_each_removal(embedder: Bundled) -> None:
    result = explain(embedder, steady, varies=False)
    assert roles(result) == {HITS[1].evidence.id: Role.NEEDED}
    assert (result.path, result.usage.calls) == (AnswerPath.QUOTED, 2 + len(HITS))
    assert [effect.share for effect in result.effects] == [1.0, 0.0, 0.0]


def test_quoted_answers_that_stand_on_two_pages_have_alternatives(embedder: Bundled) -> None:
    result = explain(embedder, either, record([*HITS, BILL]), varies=False)
    assert roles(result) == dict.fromkeys((HITS[1].evidence.id, BILL.evidence.id), Role.ENOUGH)


def test_an_effect_says_what_was_removed_and_what_came_of_it(embedder: Bundled) -> None:
    first = explain(embedder, steady, varies=False).effects[0]
    assert (first.label, first.source_numbers) == ("Travel › Porto", (1,))
    before = "".join(change.text for change in first.difference if change.edit is not Edit.ADDED)
    after = "".join(change.text for change in first.difference if change.edit is not Edit.REMOVED)
    assert (before, after) == (HOTEL, NOTHING)


@pytest.mark.parametrize("max_calls", [3, 10, 18, 25, 40])
def test_the_budget_is_never_exceeded_and_what_it_leaves_undone_is_said(
    embedder: Bundled, max_calls: int
) -> None:
    result = explain(embedder, either, record([*WIDE, BILL]), budget=Budget(max_calls))
    assert result.usage.calls <= max_calls
    undone = {3: Stage.EXPLORE, 10: Stage.EXPLORE, 18: Stage.CONFIRM, 25: Stage.CONFIRM}
    assert result.left_undone == ((undone[max_calls],) if max_calls in undone else ())
    assert (result.verdict is AnswerVerdict.NOT_TESTED) is (max_calls < 18)
    assert bool(roles(result)) is (max_calls == 40)


def test_a_part_of_which_the_other_was_missed_is_told_as_it_was_among_all_pieces(
    embedder: Bundled,
) -> None:
    """The bill is enough only where few other pieces distract: it is not found."""

    def mostly(hits: Sequence[Hit]) -> str:
        from_bill = knows(hits, BILL.evidence.text) and len(hits) < 6
        return HOTEL if knows(hits, HOTEL) or from_bill else NOTHING

    saved = record([*WIDE, BILL])
    result = explain(embedder, mostly, saved)
    assert roles(result) == {HITS[1].evidence.id: Role.PART}
    place = next(n for n, each in enumerate(result.effects) if each.role is Role.PART)
    with_it, without = result.tries_of(place)
    assert with_it.lost == 0
    assert 0 < without.lost < without.of  # "would often be the same without"


@pytest.mark.parametrize("in_money", [True, False])
@pytest.mark.parametrize("tells_usage", [True, False])
@pytest.mark.parametrize("share", [0.5, 1.0, 10])
def test_a_budget_of_tokens_or_money_is_never_exceeded_and_what_it_leaves_undone_is_said(
    embedder: Bundled, share: float, *, tells_usage: bool, in_money: bool
) -> None:
    hits = [*WIDE, BILL]
    saved = record(hits)
    texts = [*(each.evidence.text for each in hits), saved.answer.text]
    most = int(18 * sum(map(estimate, texts)) * share)
    read: list[int] = []

    async def answerer(given: Sequence[Hit]) -> GeneratedAnswer:
        text = either(given)
        texts = [each.evidence.text for each in given]
        usage = Usage(
            calls=1, prompt_tokens=sum(map(estimate, texts)), completion_tokens=estimate(text)
        )
        read.append(sum(map(estimate, [*texts, text])))
        told = usage if tells_usage else Usage(calls=1)
        return GeneratedAnswer(Answer(text=text), usage=told)

    in_tokens = Budget(tokens=most)
    a_token_each = Budget(money=most / 1e6, prices=f"{saved.answer.model}=1/1")
    options = Options(budget=a_token_each if in_money else in_tokens)
    result = Attributor(embedder, options).explain("t", saved, answerer)
    assert sum(read) <= most
    stages = {0.5: Stage.EXPLORE, 1.0: Stage.CONFIRM}
    assert result.left_undone == ((stages[share],) if share in stages else ())
    assert bool(roles(result)) is (share == 10)


def test_calls_that_fail_are_missing_answers_and_the_cause_is_found_all_the_same(
    embedder: Bundled,
) -> None:
    calls = itertools.count()

    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        if next(calls) % 9 == 4:
            raise ModelUnavailable("too many requests")
        return GeneratedAnswer(Answer(text=steady(hits)), usage=ONCE)

    result = Attributor(embedder, Options()).explain("t", record(WIDE), answerer)
    assert result.failed >= 2
    assert roles(result) == {HITS[1].evidence.id: Role.NEEDED}


def test_a_model_that_is_away_ends_the_explanation(embedder: Bundled) -> None:
    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        raise ModelUnavailable("down")

    with pytest.raises(ModelUnavailable):
        Attributor(embedder, Options()).explain("t", record(WIDE), answerer)


def test_a_model_that_never_answered_is_not_asked_for_the_whole_stage(embedder: Bundled) -> None:
    asked: list[int] = []

    async def answerer(hits: Sequence[Hit]) -> GeneratedAnswer:
        asked.append(len(hits))
        await asyncio.sleep(0)
        raise ModelUnavailable("down")

    with pytest.raises(ModelUnavailable, match="down"):
        Attributor(embedder, Options(concurrency=2)).explain("t", record(WIDE), answerer)
    assert 4 <= len(asked) <= 6


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
    assert result.verdict is AnswerVerdict.NOT_TESTED


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
    assert {effect.role for effect in result.effects} == {None}
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
    assert max(effect.away.mean for effect in alone.effects) == 0.0
    assert clustered.effects[0].evidence_ids == (HITS[1].evidence.id, twin.evidence.id)


def test_the_naive_method_asks_nothing(embedder: Bundled) -> None:
    result = explain(embedder, steady, method=Method.NAIVE)
    assert (result.effects[0].evidence_ids, result.usage.calls) == ((HITS[1].evidence.id,), 0)


def test_without_evidence_there_is_nothing_to_remove_whatever_the_method(embedder: Bundled) -> None:
    result = explain(embedder, knowing, record([]), method=Method.PAPER)
    assert (result.method, result.usage.calls) == (Method.PAPER, 0)
    assert result.verdict is AnswerVerdict.NOT_TESTED
