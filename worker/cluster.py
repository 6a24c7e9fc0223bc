"""Clusters evidence that says the same: removing one of two twins alone would change nothing and prove nothing.

So are the rows that complete a table around those that were found.
"""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.cluster import DBSCAN

from core.embeddings import Embedder
from core.models import Hit

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
    groups: dict[tuple[str, object], list[int]] = {}
    for position, label in enumerate(labels):
        alone = ("one", position)  # DBSCAN calls outliers -1, all of them alike
        groups.setdefault(_table(hits[position]) or (("same", int(label)) if label >= 0 else alone), []).append(position)
    return [tuple(group) for group in groups.values()]


def _table(hit: Hit) -> tuple[str, object] | None:
    """Rows that only complete a table go together: hundreds of calls would show that each alone changes little."""
    return ("table", (hit.page.id, hit.evidence.table)) if hit.table_rows else None
