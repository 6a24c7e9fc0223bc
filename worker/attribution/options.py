"""Options of attribution: the method, the budget of calls, clustering and significance."""

from __future__ import annotations

from dataclasses import dataclass

from core.attribution import ExplainBy, Method
from core.settings import Settings


@dataclass(frozen=True)
class Options:
    """How answers are explained, and at what expense."""

    method: Method = Method.OURS
    by: ExplainBy = ExplainBy.SAMPLE
    max_calls: int = 40
    max_tokens: int | None = None  # None: as many as the calls take
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
            max_calls=chosen.explain_max_calls,
            max_tokens=chosen.explain_max_tokens or None,
            concurrency=chosen.explain_concurrency,
            eps=None if chosen.explain_eps == "auto" else float(chosen.explain_eps),
            min_samples=chosen.explain_min_samples,
            temperature=chosen.explain_temperature,
            paper_repeats=chosen.explain_paper_repeats,
        )


def tokens_left(max_tokens: int | None, used: int) -> int | None:
    """Of a budget that may be none."""
    return None if max_tokens is None else max(max_tokens - used, 0)
