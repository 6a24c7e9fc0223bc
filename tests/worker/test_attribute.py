"""Attribution, with models whose answers truly depend on known pieces of evidence."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, page, piece

from core.attribution import AnswerVerdict, Explanation, Verdict
from core.embeddings.bundled import Bundled
from core.errors import ModelUnavailable
from core.models import Answer, Completed, Hit, Record, Source, Usage
from worker.attribution.attributor import Attributor, masked_softmax
from worker.generate import Draft

OPENINGS = itertools.cycle(["", "According to the pages: ", "In short: ", "The documentation says: "])
HITS = [
    hit(piece(LEAVE, "1"), page("1", "Leave")),
    hit(piece(HOTEL, "2", heading_path=("Porto",)), page("2", "Travel")),
    hit(piece(BACKUP, "3")),
]
NOTHING = "The pages I can read do not answer this."
ONCE = Usage(calls=1, prompt_tokens=10, completion_tokens=2)


def record(hits: Sequence[Hit] = HITS, text: str = f"{HOTEL} [1]", cited: Hit = HITS[1]) -> Record:
    source = Source(number=1, title="Travel", url="https://wiki.example/2", evidence_ids=(cited.evidence.id,))
    completed = Completed(question="What does a hotel cost?", text="What does a hotel in Porto cost?")
    return Record(completed=completed, hits=tuple(hits), answer=Answer(text=text, sources=(source,), model="scripted"))


def steady(hits: Sequence[Hit]) -> Draft:
    """Answers from the piece about hotels, always in the same words, whatever the number of its citation."""
    places = [n for n, each in enumerate(hits, start=1) if each.evidence.text == HOTEL]
    return Draft(Answer(text=f"{HOTEL} [{places[0]}]" if places else NOTHING), usage=ONCE)


def varying(hits: Sequence[Hit]) -> Draft:
    """The same, with another harmless opening each time."""
    answer = steady(hits).answer.text
    return Draft(Answer(text=next(OPENINGS) + answer), usage=ONCE)


def knowing(_hits: Sequence[Hit]) -> Draft:
    """Needs no evidence."""
    return Draft(Answer(text=f"{next(OPENINGS)}{HOTEL}"), usage=ONCE)


def explain(
    embedder: Bundled,
    regenerate: Callable[[Sequence[Hit]], Draft],
    saved: Record | None = None,
    *,
    repeats: int = 3,
    max_calls: int = 60,
    report: Callable[[int, int], None] = lambda _done, _of: None,
) -> Explanation:
    attributor = Attributor(embedder, max_calls=max_calls, concurrency=3)
    return attributor.explain("turn-1", saved or record(), regenerate, repeats=repeats, report=report)


def test_a_planted_cause_is_first_and_causal_though_the_model_varies(embedder: Bundled) -> None:
    first, *others = (result := explain(embedder, varying)).effects
    assert first.evidence_ids == (HITS[1].evidence.id,)
    assert first.verdict is Verdict.CAUSAL
    assert all(other.verdict is not Verdict.CAUSAL for other in others)
    assert first.change.mean > 2 * result.null.mean > 0
    assert result.verdict is AnswerVerdict.NEEDED


def test_what_a_steady_model_does_not_use_has_no_effect_at_all(embedder: Bundled) -> None:
    result = explain(embedder, steady)
    assert [effect.verdict for effect in result.effects] == [Verdict.CAUSAL, Verdict.NOISE, Verdict.NOISE]
    assert [effect.share for effect in result.effects] == [1.0, 0.0, 0.0]
    assert result.null.mean == 0.0


def test_when_nothing_matters_nothing_is_causal(embedder: Bundled) -> None:
    result = explain(embedder, knowing)
    assert all(effect.verdict is not Verdict.CAUSAL for effect in result.effects)
    assert result.verdict is AnswerVerdict.DID_NOT_MATTER


def test_twins_are_removed_together_and_found(embedder: Bundled) -> None:
    twin = hit(piece(HOTEL, "9"), page("9", "Copy of travel"))
    first = explain(embedder, varying, record([*HITS, twin])).effects[0]
    assert first.evidence_ids == (HITS[1].evidence.id, twin.evidence.id)
    assert first.verdict is Verdict.CAUSAL


def test_an_effect_says_what_was_removed_and_what_came_of_it(embedder: Bundled) -> None:
    first, second, _ = explain(embedder, steady).effects
    assert (first.label, first.source_numbers, first.counterfactual) == ("Travel › Porto", (1,), NOTHING)
    assert (second.label, second.source_numbers) == ("Leave", ())
    assert first.change.low <= first.change.mean <= first.change.high


def test_an_answer_that_lost_a_citation_alone_has_not_changed(embedder: Bundled) -> None:
    numbered = explain(embedder, steady, record(text=f"{HOTEL} [7][2]"))
    assert numbered.null.mean == 0.0


def test_an_explanation_adds_up_what_it_cost(embedder: Bundled) -> None:
    result = explain(embedder, steady, repeats=3)
    assert result.repeats == 3
    assert result.usage == Usage(calls=15, prompt_tokens=150, completion_tokens=30)  # 3 clusters, the null run, the empty run
    assert (result.turn_id, result.model) == ("turn-1", "scripted")


@pytest.mark.parametrize(("max_calls", "calls"), [(60, 15), (14, 10), (5, 5), (3, 5)])
def test_the_budget_buys_fewer_repeats_and_at_least_one(embedder: Bundled, max_calls: int, calls: int) -> None:
    assert explain(embedder, steady, repeats=3, max_calls=max_calls).usage.calls == calls


def test_who_watches_hears_of_every_call(embedder: Bundled) -> None:
    heard: list[tuple[int, int]] = []
    explain(embedder, steady, repeats=1, report=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_an_answer_without_evidence_has_nothing_to_remove(embedder: Bundled) -> None:
    result = explain(embedder, steady, Record(completed=Completed(question="?", text="?"), answer=Answer(text=NOTHING)))
    assert result.effects == ()
    assert result.verdict is AnswerVerdict.DID_NOT_MATTER


def test_a_model_that_goes_away_ends_the_explanation_soon(embedder: Bundled) -> None:
    calls = itertools.count(1)
    going = threading.Lock()

    def going_away(hits: Sequence[Hit]) -> Draft:
        with going:
            if next(calls) > 1:
                raise ModelUnavailable("gone")
        return steady(hits)

    with pytest.raises(ModelUnavailable):
        explain(embedder, going_away)
    assert next(calls) < 12


def test_the_same_explanation_twice_is_the_same(embedder: Bundled) -> None:
    assert explain(embedder, steady) == explain(embedder, steady)


def test_shares_sum_to_one_and_nothing_has_none() -> None:
    shares = masked_softmax(np.array([0.4, 0.1, 0.0]))
    assert shares.sum() == pytest.approx(1.0)
    assert shares[0] > shares[1] > shares[2] == 0
    assert masked_softmax(np.zeros(3)).tolist() == [0, 0, 0]
