"""Clusters duplicate evidence: removing one of two twins alone changes nothing and proves nothing.

Vectors propose clusters and words decide: two pieces that differ in a number or a negation are
never merged. Pieces of one row of a table go together, and so do a table and the rows
that only complete it; rows that were found are clusters of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from scipy.sparse.csgraph import connected_components

from core.embeddings import Embedder
from core.models import Hit, Kind
from core.pages import PageKey
from worker.attribution.clustering.compared_text import ComparedText, differ, said, say_the_same
from worker.attribution.clustering.eps_calibration import as_written, calibrated

# As in the paper: two are a cluster, and one that is like no other is a cluster of its own.
MIN_SAMPLES = 2
APART = 3.0  # no cosine distance is larger than 2

Cluster = tuple[int, ...]


def cluster(
    hits: Sequence[Hit],
    embedder: Embedder,
    *,
    eps: float | None = None,
    min_samples: int = MIN_SAMPLES,
) -> list[Cluster]:
    """Groups of positions in `hits`, each position in one, in the order of their first member.

    `eps` is the cosine distance within which two pieces are taken for the same; None measures it
    for this embedder.
    """
    clusters, units = _units(hits)
    if not units:
        return sorted(clusters)
    texts = [_compared_text(hits, unit) for unit in units]
    radius = calibrated(embedder) if eps is None else eps
    for group in _dbscan(_distances(texts, embedder), radius, min_samples):
        for part in _without_contradictions(group, texts):
            positions: list[int] = []
            for unit in part:
                positions += units[unit]
            clusters.append(tuple(sorted(positions)))
    return sorted(clusters)


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
    pieces = [hit.evidence.text for hit in hits]
    vectors = embedder.embed(pieces)
    radius = calibrated(embedder, as_written) if eps is None else eps
    return _dbscan(1.0 - vectors @ vectors.T, radius, min_samples)


def _units(hits: Sequence[Hit]) -> tuple[list[Cluster], list[Cluster]]:
    """Tables with the rows that complete them; and what is compared: pieces, and rows as wholes."""
    completed: set[tuple[PageKey, int | None]] = set()
    for hit in hits:
        if hit.table_rows:
            completed.add(_table(hit))
    fixed: dict[object, list[int]] = {}
    units: dict[object, list[int]] = {}
    for position, hit in enumerate(hits):
        own, table = hit.evidence, _table(hit)
        is_completed = own.kind is Kind.TABLE and table in completed
        if hit.table_rows or is_completed:
            fixed.setdefault(table, []).append(position)
        elif own.kind is Kind.ROW:
            row = (table, own.row)
            units.setdefault(row, []).append(position)
        else:
            units[position] = [position]
    tables = [tuple(positions) for positions in fixed.values()]
    return tables, [tuple(positions) for positions in units.values()]


def _table(hit: Hit) -> tuple[PageKey, int | None]:
    return hit.page.key, hit.evidence.table_number


def _compared_text(hits: Sequence[Hit], unit: Cluster) -> ComparedText:
    pieces = [hits[position].evidence for position in unit]
    if len(pieces) == 1:
        return ComparedText.by(pieces[0])
    return ComparedText("\n".join(said(piece) for piece in pieces))


def _distances(texts: Sequence[ComparedText], embedder: Embedder) -> np.ndarray:
    """Cosine distances; 0 where the words are the same, APART where they contradict each other."""
    plain_texts = [text.plain for text in texts]
    vectors = embedder.embed(plain_texts)
    cosines = np.asarray(vectors @ vectors.T, dtype=float)
    distances = np.clip(1.0 - cosines, 0.0, 2.0)
    for (i, one), (j, other) in combinations(enumerate(texts), 2):
        if differ(one, other):
            distances[i, j] = distances[j, i] = APART
        elif say_the_same(one, other):
            distances[i, j] = distances[j, i] = 0.0
    return distances


def _dbscan(distances: np.ndarray, eps: float, min_samples: int) -> list[Cluster]:
    """DBSCAN's clusters of n points by their distances (n x n); an outlier is one of its own.

    Cores that are near each other are connected, and what is near one joins the first (Ester et al.
    1996). scikit-learn's loads pandas and scipy.stats: two fifths of what a worker imports.
    """
    near = distances <= eps
    is_core = near.sum(axis=1) >= min_samples
    _, labels = connected_components(near & is_core & is_core[:, None], directed=False)
    groups: dict[int, list[int]] = {}
    for position in range(len(near)):
        cores = np.flatnonzero(near[position] & is_core)
        joined = position if is_core[position] or not cores.size else cores[labels[cores].argmin()]
        groups.setdefault(int(labels[joined]), []).append(position)
    return [tuple(group) for group in groups.values()]


def _without_contradictions(group: Cluster, texts: Sequence[ComparedText]) -> list[Cluster]:
    """The group in parts of which no two members contradict each other.

    DBSCAN goes from one member to the next and may end far from the first.
    """
    parts: list[list[int]] = []
    for member in group:
        for part in parts:
            if not any(differ(texts[member], texts[other]) for other in part):
                part.append(member)
                break
        else:
            parts.append([member])
    return [tuple(part) for part in parts]
