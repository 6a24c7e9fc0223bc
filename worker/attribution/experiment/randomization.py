"""Randomization test: whether answers without a cluster lost more than chance would have it.

Which clusters are away was drawn by us, so under the hypothesis that a cluster does nothing every
other way of dealing its places among the answers was equally likely (Fisher's randomization test),
whatever the endpoint does from prompt to prompt. "More" is the largest rise over all columns, each
in units of its own spread (Westfall and Young 1993, single-step max-T): nothing else has to be
corrected for the number of sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from worker.attribution.experiment.trials import Bools, Floats
from worker.attribution.statistics.losses import Losses
from worker.attribution.statistics.permutation_test import MOST_DEALINGS, ZERO, dealings

Blocks = Sequence[slice]  # rows that were drawn together; dealings stay within them


@dataclass(frozen=True)
class Rises:
    """What the test says of each cluster; `columns` has shape (clusters, columns)."""

    p_values: Floats
    columns: Floats  # p-values, corrected for the number of columns
    rises: Floats  # mean loss without the cluster minus with it, shape (clusters, columns)


def rises(losses: Losses, away: Bools, blocks: Blocks) -> Rises:
    """The test for every cluster; those away as often share one matrix product."""
    scaled = _standardized(losses, blocks)
    found = Rises(
        p_values=np.ones(away.shape[1]),
        columns=np.ones((away.shape[1], losses.shape[1])),
        rises=np.zeros((away.shape[1], losses.shape[1])),
    )
    kept: dict[tuple[int, ...], Floats] = {}
    for cluster, column in enumerate(away.T):
        counts = tuple(int(column[block].sum()) for block in blocks)
        if not 0 < sum(counts) < len(column):
            continue
        if counts not in kept:
            kept[counts] = _dealt(scaled, counts, blocks).max(axis=1)
        largest = kept[counts]
        observed = _weights(column, blocks) @ scaled
        found.p_values[cluster] = _share(largest, observed.max())
        found.columns[cluster] = [_share(largest, each) for each in observed]
        found.rises[cluster] = losses[column].mean(axis=0) - losses[~column].mean(axis=0)
    return found


def one_sided(higher: Floats, lower: Floats) -> float:
    """The p-value of one group being higher than another, over all dealings of both."""
    both = np.concatenate([higher, lower])
    differences = dealings(len(higher), len(lower)) @ both
    return _share(differences, differences[0])


def _standardized(losses: Losses, blocks: Blocks) -> Floats:
    """Each column around its mean in each block, in units of its spread."""
    centred = losses.copy()
    for block in blocks:
        centred[block] -= losses[block].mean(axis=0)
    spread = centred.std(axis=0)
    varies = spread > ZERO
    return np.asarray(np.where(varies, centred / np.where(varies, spread, 1.0), 0.0))


def _weights(column: Bools, blocks: Blocks) -> Floats:
    """For the mean without minus the mean with it, block by block, larger ones weighing more."""
    found = np.zeros(len(column))
    for block in blocks:
        own = column[block]
        few, many = int(own.sum()), int((~own).sum())
        if few and many:
            found[block] = np.where(own, 1.0 / few, -1.0 / many) * len(own) / len(column)
    return found


def _dealt(scaled: Floats, counts: Sequence[int], blocks: Blocks) -> Floats:
    """The rises of every dealing, or of many drawn ones, shape (dealings, columns)."""
    total = len(scaled)
    parts: list[Floats] = []
    for count, block in zip(counts, blocks, strict=True):
        own = scaled[block]
        if 0 < count < len(own):
            parts.append(dealings(count, len(own) - count) @ own * (len(own) / total))
    if len(parts) == 1:
        return parts[0]
    random = np.random.default_rng(0)
    dealt = [part[random.integers(len(part), size=MOST_DEALINGS)] for part in parts]
    return np.asarray(sum(dealt))


def _share(dealt: Floats, observed: float) -> float:
    """Of the dealings that reach it, with what happened as one of them."""
    reached = int((dealt >= observed - ZERO).sum())
    return max(reached, 1) / len(dealt)
