"""Removes evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.models import Hit


def without(hits: Sequence[Hit], removed: Collection[int]) -> tuple[Hit, ...]:
    """The hits without those at these positions."""
    return tuple(hit for position, hit in enumerate(hits) if position not in removed)
