"""Clusters evidence that says the same: removing one of two twins alone would change nothing and prove nothing.

A table says what its rows say, so it goes together with them; so do the rows that complete a table around those that were found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sklearn.cluster import DBSCAN

from core.embeddings import Embedder
from core.models import Hit, Kind

# Cosine distance within which two pieces count as the same. The paper's 0.005 belongs to Jina's embeddings; with the bundled
# encoder, rows of one table that differ in a number lie at 0.01 and more, copies of one text below 0.001.
EPS = 0.004
MIN_SAMPLES = 2  # as in the paper: two are a cluster, and one that is like no other is a cluster of its own


def cluster(hits: Sequence[Hit], embedder: Embedder) -> list[tuple[int, ...]]:
    """Groups of positions in `hits`, each position in one group, in the order of their first member."""
    if not hits:
        return []
    vectors = embedder.embed([hit.evidence.text for hit in hits])
    labels = DBSCAN(eps=EPS, min_samples=MIN_SAMPLES, metric="cosine").fit_predict(vectors)
    whole = {(hit.page.id, hit.evidence.table) for hit in hits if hit.evidence.kind is Kind.TABLE}
    groups: dict[tuple[str, object], list[int]] = {}
    for position, label in enumerate(labels):
        alone = ("one", position)  # DBSCAN calls outliers -1, all of them alike
        groups.setdefault(_table(hits[position], whole) or (("same", int(label)) if label >= 0 else alone), []).append(position)
    return [tuple(group) for group in groups.values()]


def _table(hit: Hit, whole: Collection[tuple[str, int | None]]) -> tuple[str, object] | None:
    """The table that a piece is taken away with.

    Without one row the table beside it still says the same; and of rows that only complete a table, hundreds of calls would show that
    each alone changes little.
    """
    table = (hit.page.id, hit.evidence.table)
    return ("table", table) if hit.table_rows or table in whole else None
