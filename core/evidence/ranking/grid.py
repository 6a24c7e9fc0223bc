"""The grid: which values each of the ranking weights may take when they are fitted to pages.

A weight is named by its way through `Ranking`: `dense`, `pieces.k1`, `pages.weights.title`,
`context.0`. These names and plain numbers are also how tuned weights are kept in SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from core.evidence.ranking.weights import Ranking

# Few values, a third to a half apart: nearer ones cannot be told apart by some hundred questions,
# and each one costs a search for all of them. The way from words to meaning comes first.
GRID: Mapping[str, tuple[float, ...]] = {
    "dense": (0.2, 0.3, 0.4, 0.5),
    "foreign": (0.0, 0.5, 1.0),
    "page": (0.0, 0.15, 0.25, 0.35),
    "pieces.k1": (0.6, 0.9, 1.2),
    "pieces.b": (0.2, 0.4, 0.75),
    "pieces.weights.title": (1.0, 2.0, 4.0),
    "pieces.weights.path": (0.75, 1.5, 2.5),
    "pages.k1": (0.6, 0.9, 1.2),
    "pages.b.body": (0.4, 0.6, 0.75),
    "pages.weights.title": (2.0, 4.0, 6.0),
    "pages.weights.path": (1.0, 2.0),
    "context.0": (0.5, 0.75, 1.0),
    "context.1": (0.25, 0.5, 0.75),
    "neighbour": (0.3, 0.6, 0.9),
    "synonyms": (0.0, 0.2, 0.4),
    "thesaurus": (0.0, 0.2, 0.35, 0.5),
    "mistyped": (0.4, 0.8),
    "unsettled": (0.15, 0.3, 0.6),
    "named": (0.0, 0.2, 0.4, 0.8),
}

FUSED = ("lexical", "page", "dense")  # shares of one score: they add up to 1
_DIGITS = 6  # beyond them a weight is rounding: the same weights must be the same value


class NoSuchWeight(ValueError):
    """The name leads to no weight of the search."""


def weight(ranking: Ranking, name: str) -> float:
    """The value of one weight; of several under one name (`pieces.b`) the first.

    Raises:
        NoSuchWeight: the name leads nowhere.
    """
    return next(value for _, value in _named(_found(ranking, name), name))


def weights(ranking: Ranking) -> dict[str, float]:
    """Every number of a ranking by its name."""
    return dict(_named(ranking, ""))


def differing(ranking: Ranking, start: Ranking) -> dict[str, float]:
    """The weights that are not those of another ranking, by name: what is kept in SQL."""
    known = weights(start)
    return {name: value for name, value in weights(ranking).items() if value != known.get(name)}


def with_weights(ranking: Ranking, changes: Mapping[str, float]) -> Ranking:
    """The ranking with some weights in place of its own.

    Raises:
        NoSuchWeight: a name leads nowhere.
    """
    for name, value in changes.items():
        ranking = _with(ranking, name.split("."), value)
    return ranking


def moved(ranking: Ranking, name: str, value: float) -> Ranking:
    """One step on the grid: a fused weight takes its share from the other two."""
    changes = {name: value}
    if name in FUSED:
        old = weight(ranking, name)
        for other in FUSED:
            if other != name and old < 1:
                share = weight(ranking, other) * (1 - value) / (1 - old)
                changes[other] = round(share, _DIGITS)
    return with_weights(ranking, changes)


def _found(inside: Any, name: str) -> Any:
    for step in name.split("."):
        inside = _at(inside, step)
    return inside


def _at(inside: Any, step: str) -> Any:
    if isinstance(inside, tuple) and step.isdigit() and int(step) < len(inside):
        return inside[int(step)]
    if step not in _steps(inside):
        raise NoSuchWeight(f"there is no weight {step!r}")
    return getattr(inside, step)


def _with(inside: Any, way: list[str], value: float) -> Any:
    """A copy in which the number at the end of the way is another one."""
    if not way:
        return _set(inside, value)
    step, *rest = way
    changed = _with(_at(inside, step), rest, value)
    if is_dataclass(inside) and not isinstance(inside, type):
        return replace(inside, **{step: changed})
    if step.isdigit():
        place = int(step)
        return (*inside[:place], changed, *inside[place + 1 :])
    return inside._replace(**{step: changed})


def _set(old: Any, value: float) -> Any:
    """The value in the type of the old one; where several stand under one name, in all of them."""
    if isinstance(old, tuple):
        parts = [_set(each, value) for each in old]
        return old._make(parts) if hasattr(old, "_make") else tuple(parts)
    if not isinstance(old, int | float):
        raise NoSuchWeight(f"{old!r} is no number")
    return type(old)(value)


def _named(inside: Any, name: str) -> Iterator[tuple[str, float]]:
    if isinstance(inside, int | float):
        yield name, inside
        return
    for step in _steps(inside):
        below = f"{name}.{step}" if name else step
        yield from _named(_at(inside, step), below)


def _steps(inside: Any) -> tuple[str, ...]:
    """The names of what lies directly inside; a function or a text has nothing."""
    if is_dataclass(inside):
        return tuple(each.name for each in fields(inside))
    if hasattr(inside, "_fields"):
        return tuple(inside._fields)
    if isinstance(inside, tuple):
        return tuple(map(str, range(len(inside))))
    return ()
