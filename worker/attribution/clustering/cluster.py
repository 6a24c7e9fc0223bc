"""Clusters evidence that says the same: removing one of two twins alone would change nothing and prove nothing.

Vectors say what is alike, and words have the last say: two pieces that differ in a number or a negation are never one. Pieces of one row
of a table go together, and so do a table and the rows that only complete it; rows that were found are clusters of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from sklearn.cluster import DBSCAN

from core.embeddings import Embedder
from core.models import Hit, Kind
from worker.attribution.ablation.table_rows import line_of
from worker.attribution.clustering.eps_calibration import as_written, calibrated
from worker.attribution.clustering.text_equality import ComparedText, differ, say_the_same

MIN_SAMPLES = (
    2  # as in the paper: two are a cluster, and one that is like no other is a cluster of its own
)
APART = 3.0  # no cosine distance is larger than 2

Cluster = tuple[int, ...]


def cluster(
    hits: Sequence[Hit],
    embedder: Embedder,
    *,
    eps: float | None = None,
    min_samples: int = MIN_SAMPLES,
) -> list[Cluster]:
    """Groups of positions in `hits`, each position in one group, in the order of their first member.

    `eps` is the cosine distance within which two pieces are taken for the same; None measures it for this embedder.
    """
    fixed, units = _units(hits)
    said = [_said([hits[position] for position in unit]) for unit in units]
    groups = (
        _dense(
            _distances(said, embedder), calibrated(embedder) if eps is None else eps, min_samples
        )
        if units
        else []
    )
    agreeing = [part for group in groups for part in _agreeing(group, said)]
    merged = [
        tuple(sorted(position for unit in group for position in units[unit])) for group in agreeing
    ]
    return sorted([*fixed, *merged])


def paper_clusters(
    hits: Sequence[Hit],
    embedder: Embedder,
    *,
    eps: float | None = None,
    min_samples: int = MIN_SAMPLES,
) -> list[Cluster]:
    """The same by vectors alone, as in the paper, whose eps is 0.005 with its own embeddings."""
    if not hits:
        return []
    vectors = embedder.embed([hit.evidence.text for hit in hits])
    return _dense(
        1.0 - vectors @ vectors.T,
        calibrated(embedder, as_written) if eps is None else eps,
        min_samples,
    )


def _units(hits: Sequence[Hit]) -> tuple[list[Cluster], list[Cluster]]:
    """The tables that are completed, each with the rows that complete it; and what is compared: pieces, and rows with all their pieces."""
    completed = {_table(hit) for hit in hits if hit.table_rows}
    fixed: dict[object, list[int]] = {}
    units: dict[object, list[int]] = {}
    for position, hit in enumerate(hits):
        if hit.table_rows or (hit.evidence.kind is Kind.TABLE and _table(hit) in completed):
            fixed.setdefault(_table(hit), []).append(position)
        else:
            own = hit.evidence
            units.setdefault(
                (_table(hit), own.row, line_of(own)) if own.kind is Kind.ROW else position, []
            ).append(position)
    return list(map(tuple, fixed.values())), list(map(tuple, units.values()))


def _table(hit: Hit) -> tuple[str, int | None]:
    return hit.page.id, hit.evidence.table


def _said(unit: Sequence[Hit]) -> ComparedText:
    first, *others = (hit.evidence for hit in unit)
    return (
        ComparedText("\n".join([first.text, *(piece.text for piece in others)]))
        if others
        else ComparedText.by(first)
    )


def _distances(said: Sequence[ComparedText], embedder: Embedder) -> np.ndarray:
    """Cosine distances of what is said, 0 where the words are the same, and APART where they contradict each other."""
    vectors = embedder.embed([each.plain for each in said])
    distances = np.clip(1.0 - np.asarray(vectors @ vectors.T, dtype=float), 0.0, 2.0)
    for one, other in combinations(range(len(said)), 2):
        if differ(said[one], said[other]):
            distances[one, other] = distances[other, one] = APART
        elif say_the_same(said[one], said[other]):
            distances[one, other] = distances[other, one] = 0.0
    return distances


def _dense(distances: np.ndarray, eps: float, min_samples: int) -> list[Cluster]:
    """DBSCAN's clusters; it calls outliers -1, all of them alike."""
    labels = DBSCAN(eps=eps, min_samples=min_samples, metric="precomputed").fit_predict(
        np.clip(distances, 0.0, None)
    )
    groups: dict[tuple[bool, int], list[int]] = {}
    for position, label in enumerate(labels):
        groups.setdefault((True, int(label)) if label >= 0 else (False, position), []).append(
            position
        )
    return [tuple(group) for group in groups.values()]


def _agreeing(group: Cluster, said: Sequence[ComparedText]) -> Iterator[Cluster]:
    """The group in parts of which no two members contradict each other: DBSCAN goes from one to the next and may end far from the first."""
    parts: list[list[int]] = []
    for member in group:
        part = next(
            (
                part
                for part in parts
                if not any(differ(said[member], said[other]) for other in part)
            ),
            None,
        )
        if part is None:
            parts.append(part := [])
        part.append(member)
    return iter(map(tuple, parts))
