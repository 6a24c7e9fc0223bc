"""Metrics of a model's calls: how many, how long, how many tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core import metrics
from core.usage import Usage


@contextmanager
def counted(model: str) -> Iterator[Callable[[Usage], None]]:
    """Count a call in the metrics; one that reports its usage was answered."""
    outcome = "failed"

    def spent(usage: Usage) -> None:
        nonlocal outcome
        outcome = "answered"
        metrics.MODEL_TOKENS.labels(model, "in").inc(usage.prompt_tokens)
        metrics.MODEL_TOKENS.labels(model, "out").inc(usage.completion_tokens)
        metrics.MODEL_SECONDS.labels(model).observe(usage.seconds)

    try:
        yield spent
    finally:
        metrics.MODEL_CALLS.labels(model, outcome).inc()
