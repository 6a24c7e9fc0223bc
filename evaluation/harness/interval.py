"""A share with its confidence interval (Wilson)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scipy import stats

LEVEL = 0.95


@dataclass(frozen=True)
class Share:
    """`right` of `of`."""

    right: int
    of: int

    @classmethod
    def of_all(cls, marks: Iterable[bool]) -> Share:
        found = list(marks)
        return cls(sum(found), len(found))

    @property
    def value(self) -> float:
        return self.right / self.of if self.of else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, at 95 %: also near 0 and 1, where the textbook's normal one leaves the scale.

        >>> Share(0, 400).interval
        (0.0, 0.0095)
        """
        if not self.of:
            return 0.0, 1.0
        found = stats.binomtest(self.right, self.of).proportion_ci(LEVEL, method="wilson")
        return round(float(found.low), 4), round(float(found.high), 4)

    def as_json(self) -> dict[str, float]:
        low, high = self.interval
        return {"share": self.value, "low": low, "high": high, "n": self.of}

    def __str__(self) -> str:
        """In per cent."""
        low, high = self.interval
        return f"{100 * self.value:.1f} ({100 * low:.1f}–{100 * high:.1f})" if self.of else "-"
