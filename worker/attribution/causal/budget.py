"""Plans the ablations within the budget of calls: what, how often, at which significance level.

The error of an explanation, 5 %, is divided among what is tested before anything is seen
(Bonferroni): four fifths for clusters, each with its part, a group of clusters with the parts of
all in it; one fifth for pairs. A group is only split when it stands out, as in the hierarchical
testing of Meinshausen (2008), so splitting adds no error.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb

from worker.attribution.ablation.removed import Removed

CLUSTERS_LEVEL = 0.04  # of a false cause among the clusters of an explanation
PAIRS_LEVEL = 0.01  # of a false pair among those that are tested
EMPTY_LEVEL = 0.05  # of saying falsely that the answer needs its evidence
# Removals that are expected to stay open after the first look: the empty run and two causes.
FOLLOWED = 3
FEWEST = 4  # groups that are worth more than another repeat
PARTNERS = 4  # clusters that are tried together with one that is cited and alone changes nothing

Group = tuple[int, ...]  # numbers of clusters


@dataclass(frozen=True)
class Allotment:
    """How the budget of calls is divided."""

    repeats: int  # at most, without something whose verdict is open
    null: int  # with everything
    groups: int  # how many removals can be given a first look

    @property
    def is_enough(self) -> bool:
        """Whether anything could stand out at all."""
        return comb(self.repeats + self.null, self.repeats) * CLUSTERS_LEVEL >= self.groups


def allot(
    max_calls: int,
    clusters: int,
    repeats: int,
) -> Allotment:
    """As many repeats as the budget allows with a group for each cluster.

    Where it allows less, fewer groups, and then fewer repeats.
    """
    most_groups = max(clusters, 1)
    fewest_groups = min(clusters, FEWEST)
    for fewer in range(repeats, 1, -1):
        for groups in range(most_groups, fewest_groups - 1, -1):
            null = _null(fewer, groups)
            first_look = null + 1 + groups
            if first_look + FOLLOWED * (fewer - 1) <= max_calls:
                return Allotment(fewer, null, groups)
    return Allotment(1, 1, max(1, min(clusters, max_calls - 2)))


def _null(repeats: int, groups: int) -> int:
    """Twice the repeats, since one null run serves every test; more where p-values need it."""
    null = 2 * repeats
    while not Allotment(repeats, null, groups).is_enough:
        null += 1
    return null


def grouped(
    clusters: int,
    groups: int,
    cited: Collection[int],
) -> list[Group]:
    """The clusters in so many groups: cited ones alone while there is room, the others evenly."""
    everything = range(clusters)
    if clusters <= groups:
        return [(number,) for number in everything]
    alone = sorted(set(cited).intersection(everything))[: groups // 2]
    rest = sorted(set(everything).difference(alone))
    size = ceil(len(rest) / (groups - len(alone)))
    found: list[Group] = [(number,) for number in alone]
    for start in range(0, len(rest), size):
        group = rest[start : start + size]
        found.append(tuple(group))
    return found


def halves(group: Group) -> tuple[Group, Group]:
    middle = len(group) // 2
    return group[:middle], group[middle:]


def partners(silent: Sequence[int], cited: frozenset[int]) -> list[Group]:
    """Which clusters to remove together, when none of them alone changes the answer.

    `silent` holds those that change nothing, the most similar to the answer first. Pairs with one
    that is cited, where there is one; and all of them, for what stands in three or more places.
    """
    tried = sorted(silent, key=lambda number: number not in cited)[: PARTNERS + 1]
    pairs: list[Group] = list(combinations(tried, 2))
    if cited:
        pairs = [pair for pair in pairs if cited.intersection(pair)]
    kept = pairs[: 2 * PARTNERS]
    if len(tried) > 2:
        kept.append(tuple(tried))
    return kept


def removed(group: Group, clusters: Sequence[Removed]) -> Removed:
    """The positions of the hits in these clusters."""
    positions: list[int] = []
    for number in group:
        positions += clusters[number]
    return tuple(sorted(positions))
