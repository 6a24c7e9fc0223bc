"""What is likely before any call: how near a cluster is to a sentence of the answer.

It weighs levels and chooses what is tried; it never makes a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.models import Record
from worker.attribution.ablation.removed import Removed
from worker.attribution.statistics.answer_distance import sentences_of
from worker.attribution.statistics.losses import SavedAnswer
from worker.support.words import content

LEAST, MOST = 0.05, 0.9
WORDS = 0.6  # for all words of the sentence
CITED = 0.2
MOST_SENTENCES = 40  # of a piece, that are compared by meaning


def prior(
    record: Record,
    clusters: Sequence[Removed],
    saved: SavedAnswer,
) -> NDArray[np.float64]:
    """Shape (sentences, clusters), 0.05 to 0.9: how likely a cluster matters to a sentence."""
    found = np.zeros((len(saved.sentences), len(clusters)))
    wanted = [frozenset(content(sentence)) for sentence in saved.sentences]
    for place, cluster in enumerate(clusters):
        own = _words(record, cluster)
        near = saved.nearness(_sentences(record, cluster)).max(axis=1, initial=0.0)
        for sentence, words in enumerate(wanted):
            share = len(words & own) / len(words) if words else 0.0
            found[sentence, place] = WORDS * max(share, float(near[sentence]))
    found += CITED * cited(record, clusters)
    return np.clip(LEAST + found, LEAST, MOST)


def cited(record: Record, clusters: Sequence[Removed]) -> NDArray[np.bool_]:
    """Which clusters the answer's sources stand for."""
    ids: set[str] = set()
    for source in record.answer.sources:
        ids.update(source.evidence_ids)
    found = np.zeros(len(clusters), dtype=bool)
    for place, cluster in enumerate(clusters):
        found[place] = any(record.hits[each].evidence.id in ids for each in cluster)
    return found


def _sentences(record: Record, cluster: Removed) -> list[str]:
    """What it says, in the order of the pieces; of long ones the beginning."""
    found: list[str] = []
    for position in cluster:
        found += sentences_of(record.hits[position].evidence.text)[:MOST_SENTENCES]
    return list(dict.fromkeys(found))


def _words(record: Record, cluster: Removed) -> frozenset[str]:
    words: set[str] = set()
    for position in cluster:
        hit = record.hits[position]
        words.update(content(f"{hit.page.title}\n{hit.evidence.text}"))
    return frozenset(words)
