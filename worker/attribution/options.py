"""Options of attribution: the method, the budget of calls, clustering and significance."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.attribution import ExplainBy, Method
from core.settings import Settings
from worker.attribution.budget import Budget


@dataclass(frozen=True)
class Options:
    """How answers are explained, and at what expense."""

    method: Method = Method.OURS
    by: ExplainBy = ExplainBy.SAMPLE
    budget: Budget = field(default_factory=Budget)
    concurrency: int = 8
    eps: float | None = None  # cosine distance of duplicates; None: calibrated for the embedder
    min_samples: int = 2
    temperature: float = 0.05  # of the softmax behind the shares
    paper_repeats: int = 3

    @classmethod
    def of(cls, chosen: Settings) -> Options:
        return cls(
            method=chosen.explain_method,
            by=chosen.explain_by,
            budget=Budget(
                chosen.explain_max_calls,
                chosen.explain_max_tokens or None,
                chosen.explain_max_money or None,
                prices=chosen.prices,
            ),
            concurrency=chosen.explain_concurrency,
            eps=None if chosen.explain_eps == "auto" else float(chosen.explain_eps),
            min_samples=chosen.explain_min_samples,
            temperature=chosen.explain_temperature,
            paper_repeats=chosen.explain_paper_repeats,
        )
