"""Options of attribution: the method, the budget of calls, clustering and significance."""

from __future__ import annotations

from dataclasses import dataclass

from core.attribution import Method
from core.settings import Settings


@dataclass(frozen=True)
class Options:
    """How answers are explained, and at what expense."""

    method: Method = Method.OURS
    repeats: int = 6  # answers without a cluster whose verdict stays open; twice for the null run
    max_calls: int = 80
    concurrency: int = 8
    rounds: bool = True  # False: all repeats at once, for comparison
    eps: float | None = None  # cosine distance of duplicates; None: calibrated for the embedder
    min_samples: int = 2
    temperature: float = 0.05  # of the softmax behind the shares
    paper_repeats: int = 3

    @classmethod
    def of(cls, chosen: Settings) -> Options:
        return cls(
            method=chosen.explain_method,
            repeats=chosen.explain_repeats,
            max_calls=chosen.explain_max_calls,
            concurrency=chosen.explain_concurrency,
            eps=None if chosen.explain_eps == "auto" else float(chosen.explain_eps),
            min_samples=chosen.explain_min_samples,
            temperature=chosen.explain_temperature,
            paper_repeats=chosen.explain_paper_repeats,
        )
