"""The curve of the gate: what is refused of the unanswerable, against what is lost of the rest.

Every corpus is judged by weights and by a point that were chosen without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from evaluation.answerability.cases import LISTS, MISSED, TYPED, Case
from evaluation.answerability.one_way import fitted_one_way
from evaluation.employees.wikis import FITTED
from evaluation.harness.interval import Share
from worker.answerability.fitted import Regression, fitted
from worker.answerability.signs import SIGNS

Row = dict[str, Any]
LOSSES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3)  # shares of the answerable
# What a wiki of others counts against a corpus of ours: whoever wrote them was told to use the
# pages' words where nothing answers, which people do less.
OF_WIKIS = 0.5
DIRECTIONS = {name: -1 if name == "number" else 1 for name in SIGNS}
POINTS = (0.03, 0.1)  # at which a row is printed
Keep = Callable[[Case], bool]


class Judged(NamedTuple):
    """A case with the probability that a regression gave it which had not seen its corpus."""

    case: Case
    probability: float


def is_first(case: Case) -> bool:
    """Answerable: the page that answers was found, and comes first."""
    return case.is_answerable and case.rank == 1


def is_typed(case: Case) -> bool:
    """Asked of a corpus of ours as employees do, and the page is among the hits, wherever."""
    return case.way == TYPED and is_among(case) and case.corpus not in FITTED


def is_among(case: Case) -> bool:
    """Answerable, in the wider sense: the page is somewhere among the hits."""
    return case.is_answerable and case.rank < MISSED


def fit(cases: Sequence[Case]) -> Regression:
    """On questions whose page came first, and on those that no page answers, or none any more.

    Each corpus counts alike, so do its two sides, and on each what is typed and what is not,
    however many cases they have. A page that came tenth looks as if it were not there, and says
    nothing of what a right page looks like; of what is typed it counts all the same, since no more
    of that may be lost. Each sign points one way: one that these cases have point the other way,
    since whoever wrote them used the pages' words where nothing answers, has no weight.
    """
    used = [case for case in cases if _teaches(case)]
    signs = [case.signs for case in used]
    right = [case.is_answerable for case in used]
    return fitted_one_way(signs, right, _weights(used), DIRECTIONS)


def left_out(found: Sequence[Case]) -> Iterator[Judged]:
    """Every corpus, judged by a regression over the others."""
    for corpus in dict.fromkeys(case.corpus for case in found):
        regression = fit([case for case in found if case.corpus != corpus])
        for case in found:
            if case.corpus == corpus:
                yield Judged(case, regression.probability(case.signs))


def as_shipped(found: Iterable[Case]) -> Iterator[Judged]:
    """Every corpus, judged by the weights that ship, which have seen it."""
    regression = fitted("gate")
    for case in found:
        yield Judged(case, regression.probability(case.signs))


def points(judged: Iterable[Judged]) -> dict[str, float]:
    """By the share of answerable questions that is lost, the probability at which it is.

    Of those that employees type, where there are some: others are worded more as pages are.
    """
    known = list(judged)
    kept = [each for each in known if is_typed(each.case)]
    kept = kept or [each for each in known if is_first(each.case)]
    chances = [each.probability for each in kept]
    return {str(lost): round(float(np.quantile(chances, lost)), 4) for lost in LOSSES}


def rows(judged: Sequence[Judged]) -> Iterator[Row]:
    """One for each corpus, way and language, then all of them together."""
    for corpus in dict.fromkeys(each.case.corpus for each in judged):
        of_corpus = [each for each in judged if each.case.corpus == corpus]
        others = [each for each in judged if each.case.corpus != corpus]
        at = points(others) if others else points(of_corpus)
        for asked in dict.fromkeys((each.case.way, each.case.language) for each in of_corpus):
            those = [each for each in of_corpus if (each.case.way, each.case.language) == asked]
            yield {"corpus": corpus, "asked": ", ".join(asked), **_row(those, at)}
        asked_of_it = [each for each in of_corpus if each.case.way not in LISTS]
        yield {"corpus": corpus, "asked": "all", **_row(asked_of_it, at)}
    whole = [each for each in judged if each.case.way not in LISTS]
    yield {"corpus": "all", "asked": "all", **_row(whole, points(judged))}


def curve(judged: Sequence[Judged]) -> Iterator[Row]:
    """Over all corpora together: what is refused at each loss, in the narrow and the wide sense."""
    asked = [each for each in judged if each.case.way not in LISTS]
    for lost, at in points(asked).items():
        row = {"lost": float(lost)}
        for name, those in _sides(asked).items():
            row[name] = Share.of_all(each.probability < at for each in those).value
        typed = [each for each in _sides(asked)["refused"] if each.case.way == TYPED]
        row["refused of what is typed"] = Share.of_all(
            each.probability < at for each in typed
        ).value
        yield row


def _sides(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    return {
        "refused": [each for each in judged if not each.case.is_answerable],
        "lost of those found first": [each for each in judged if is_first(each.case)],
        "lost of all found": [each for each in judged if is_among(each.case)],
        "lost of what is typed": [each for each in judged if is_typed(each.case)],
    }


def _row(judged: Sequence[Judged], at: dict[str, float]) -> Row:
    sides = _sides(judged)
    refused, kept, among, _ = sides.values()
    row: Row = {"answerable": len(kept), "unanswerable": len(refused), "AUC": _auc(kept, refused)}
    row["AUC of all found"] = _auc(among, refused)
    for point in POINTS:
        least = at[str(point)]
        for name, those in sides.items():
            share = Share.of_all(each.probability < least for each in those)
            row[f"{name}, {100 * point:g} %"] = share.value if those else None
            if name == "refused":
                row[f"± {100 * point:g} %"] = share.interval
    return row


def _auc(kept: Sequence[Judged], refused: Sequence[Judged]) -> float | None:
    if not kept or not refused:
        return None
    labels = [True] * len(kept) + [False] * len(refused)
    return float(roc_auc_score(labels, [each.probability for each in (*kept, *refused)]))


def _teaches(case: Case) -> bool:
    return case.way not in LISTS and (is_first(case) or is_typed(case) or not case.is_answerable)


def _weights(used: Sequence[Case]) -> NDArray[np.float64]:
    groups = Counter((case.corpus, case.is_answerable, case.way == TYPED) for case in used)
    sides = Counter((corpus, is_answerable) for corpus, is_answerable, _ in groups)
    weights: list[float] = []
    for case in used:
        side = case.corpus, case.is_answerable
        counts = OF_WIKIS if case.corpus in FITTED else 1.0
        weights.append(counts / (groups[*side, case.way == TYPED] * sides[side]))
    return np.array(weights) * len(used) / sum(weights)
