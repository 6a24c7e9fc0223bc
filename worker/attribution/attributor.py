"""Counterfactual attribution: leave a cluster of evidence out, answer again, and see how much the answer changes.

After RAGonite (Saha Roy et al., WSDM 2025): the effect of a cluster is one minus the mean cosine similarity between
"question + answer" and "question + answer without the cluster", its share a masked softmax over the effects. Beyond the paper:
a null run, nothing removed, shows how much the answer varies by itself, and an effect that does not stand out from it is called
noise; an empty run shows whether evidence mattered at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from core.attribution import AnswerVerdict, Effect, Explanation, Spread, Verdict
from core.embeddings import Embedder
from core.models import Hit, Record, Usage
from worker.attribution.cluster import cluster
from worker.generate import Draft

TEMPERATURE = 0.05  # of the softmax behind the shares, as in the paper
ZERO = 1e-9  # an effect below this counts as none, as in the paper
INTERVAL = (5, 95)  # percentiles of the bootstrap: a 90 % interval
RESAMPLES = 2000

Regenerate = Callable[[Sequence[Hit]], Draft]  # the answer to the turn's question from these pieces
_CITATION = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True)
class _Run:
    """What was left out (positions of hits), and the answers that came of it."""

    left_out: tuple[int, ...]
    answers: tuple[str, ...]
    changes: np.ndarray  # shape (repeats,): 1 - cosine similarity to the saved answer


class Attributor:
    """Explains saved answers by asking again without parts of their evidence."""

    def __init__(self, embedder: Embedder, *, max_calls: int, concurrency: int) -> None:
        self.embedder = embedder
        self._max_calls = max_calls
        self._concurrency = concurrency

    def explain(
        self, turn_id: str, record: Record, regenerate: Regenerate, *, repeats: int, report: Callable[[int, int], None]
    ) -> Explanation:
        """Which evidence caused the saved answer, by `repeats` answers without each cluster, fewer when there are many clusters.

        `report` hears how many calls are done, and of how many.

        Raises:
            ModelUnavailable: the model behind `regenerate` does not answer.
        """
        groups = cluster(record.hits, self.embedder)
        everything = tuple(range(len(record.hits)))
        plan = [(), everything, *groups]  # the null run, the empty run, and each cluster
        repeats = max(1, min(repeats, self._max_calls // max(1, len(plan))))
        drafts = self._regenerate(record.hits, [left_out for left_out in plan for _ in range(repeats)], regenerate, report)
        texts = [draft.answer.text for draft in drafts]
        changes = self._changes(record, texts).reshape(len(plan), repeats)
        runs = [_Run(left_out, tuple(texts[i * repeats : (i + 1) * repeats]), changes[i]) for i, left_out in enumerate(plan)]
        return _explanation(turn_id, record, runs, usage=sum((draft.usage for draft in drafts), Usage()))

    def _regenerate(
        self, hits: Sequence[Hit], plan: Sequence[tuple[int, ...]], regenerate: Regenerate, report: Callable[[int, int], None]
    ) -> list[Draft]:
        drafts: list[Draft] = []
        kept = [[hit for position, hit in enumerate(hits) if position not in left_out] for left_out in plan]
        with ThreadPoolExecutor(self._concurrency) as pool:
            try:
                for draft in pool.map(regenerate, kept):
                    drafts.append(draft)
                    report(len(drafts), len(plan))
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return drafts

    def _changes(self, record: Record, texts: Sequence[str]) -> np.ndarray:
        question = record.completed.text
        original, *others = (f"{question}\n{_CITATION.sub('', text)}" for text in (record.answer.text, *texts))
        distinct = list(dict.fromkeys([original, *others]))
        vectors = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return np.array([0.0 if text == original else 1.0 - float(vectors[text] @ vectors[original]) for text in others])


def _explanation(turn_id: str, record: Record, runs: Sequence[_Run], *, usage: Usage) -> Explanation:
    null, empty, *left_out = runs
    means = np.array([run.changes.mean() for run in left_out])
    shares = masked_softmax(means)
    effects = [_effect(record, run, null, share=float(share)) for run, share in zip(left_out, shares, strict=True)]
    return Explanation(
        turn_id=turn_id,
        effects=tuple(sorted(effects, key=lambda effect: -effect.change.mean)),
        null=_spread(null.changes),
        empty=_spread(empty.changes),
        verdict=AnswerVerdict.NEEDED if _stands_out(empty, null) else AnswerVerdict.DID_NOT_MATTER,
        repeats=len(null.changes),
        usage=usage,
        model=record.answer.model,
    )


def _effect(record: Record, run: _Run, null: _Run, *, share: float) -> Effect:
    ids = tuple(record.hits[position].evidence.id for position in run.left_out)
    first = record.hits[run.left_out[0]]
    return Effect(
        evidence_ids=ids,
        source_numbers=tuple(s.number for s in record.answer.sources if set(ids) & set(s.evidence_ids)),
        label=" › ".join([first.page.title, *first.evidence.heading_path[-1:]]),
        change=_spread(run.changes),
        share=share,
        verdict=_verdict(run, null),
        counterfactual=run.answers[int(np.argmax(run.changes))],
    )


def _verdict(run: _Run, null: _Run) -> Verdict:
    if run.changes.max() < ZERO:
        return Verdict.NOISE
    return Verdict.CAUSAL if _stands_out(run, null) else Verdict.NOISE


def _stands_out(run: _Run, null: _Run) -> bool:
    """Whether every repeat changed the answer more than the answer ever changed by itself.

    With r repeats of each and no true effect this happens in 1 of (2r choose r) cases: 5 % for r = 3.
    """
    return bool(run.changes.min() > null.changes.max() + ZERO)


def _spread(changes: np.ndarray) -> Spread:
    low, high = _interval(changes)
    return Spread(mean=float(changes.mean()), low=low, high=high, repeats=len(changes))


def _interval(changes: np.ndarray) -> tuple[float, float]:
    """A bootstrap interval of the mean; with one repeat there is nothing to resample, and it is a point."""
    means = np.random.default_rng(0).choice(changes, size=(RESAMPLES, len(changes))).mean(axis=1)
    low, high = np.percentile(means, INTERVAL)
    return float(low), float(high)


def masked_softmax(effects: np.ndarray) -> np.ndarray:
    """Shares of the effects that sum to 1; an effect of zero keeps a share of zero (all zero when none has an effect).

    >>> masked_softmax(np.array([0.1, 0.0, 0.1])).tolist()
    [0.5, 0.0, 0.5]
    """
    counts = effects >= ZERO
    if not counts.any():
        return np.zeros_like(effects)
    weights = np.where(counts, np.exp((effects - effects.max()) / TEMPERATURE), 0.0)
    return np.asarray(weights / weights.sum())
