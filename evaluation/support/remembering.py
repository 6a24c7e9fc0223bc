"""The reader of claims, which reads nothing twice: wrong answers repeat what right ones say."""

from __future__ import annotations

from collections.abc import Sequence

from worker.support.reading.claim_reader import bundled


class RememberingReader:
    """Says what the one that is shipped says."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], float] = {}

    def read(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        new = [each for each in dict.fromkeys(claims) if each not in self._known]
        self._known.update(zip(new, bundled().read(new), strict=True) if new else ())
        return [self._known[each] for each in claims]
