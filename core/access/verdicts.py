"""Verdicts: what an audience may be shown, and how long that counts."""

from __future__ import annotations

from dataclasses import dataclass

from core.pages import PageKey


@dataclass(frozen=True)
class Freshness:
    """How long a confirmation counts, in seconds."""

    valid_s: float = 10.0
    # When a source does not answer, pages for everybody in these spaces are shown so much longer.
    grace_s: float = 0.0
    grace_spaces: frozenset[str] = frozenset()  # keys; `*` for all


@dataclass(frozen=True)
class Verdicts:
    """What of some pages an audience may be shown."""

    allowed: frozenset[PageKey]
    denied: frozenset[PageKey] = frozenset()  # not named here nor there: it was not asked about
    failed: frozenset[PageKey] = frozenset()  # the source did not answer: nobody knows
    as_of: float | None = None  # the oldest moment that was relied on beyond `valid_s`

    def __contains__(self, page: PageKey) -> bool:
        """Whether it was asked about at all."""
        return page in self.allowed or page in self.denied or page in self.failed

    def __or__(self, other: Verdicts) -> Verdicts:
        """Both together, of different pages."""
        moments = [each for each in (self.as_of, other.as_of) if each is not None]
        return Verdicts(
            self.allowed | other.allowed,
            denied=self.denied | other.denied,
            failed=self.failed | other.failed,
            as_of=min(moments, default=None),
        )
