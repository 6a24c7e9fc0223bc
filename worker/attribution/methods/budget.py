"""What is removed, how often, and at which level it is tested: within the budget of calls.

The error of an explanation, 5 %, is divided among what is tested before anything is seen (Bonferroni): four fifths for clusters, each
with its part, a group of clusters with the parts of all in it; one fifth for pairs. A group is only taken apart when it stands out, as in
the hierarchical testing of Meinshausen (2008), so taking apart adds no error.
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
FOLLOWED = (
    3  # removals that are expected to stay open after the first look: the empty run and two causes
)
FEWEST = 4  # groups that are worth more than another repeat
PARTNERS = 4  # clusters that are tried together with one that is cited and alone changes nothing

Group = tuple[int, ...]  # numbers of clusters


@dataclass(frozen=True)
class Allotment:
    """How the calls are dealt out."""

    repeats: int  # at most, without something whose verdict is open
    null: int  # with everything
    groups: int  # how many removals can be given a first look

    @property
    def is_enough(self) -> bool:
        """Whether anything could stand out at all."""
        return comb(self.repeats + self.null, self.repeats) * CLUSTERS_LEVEL >= self.groups


def allot(max_calls: int, clusters: int, repeats: int) -> Allotment:
    """As many repeats as the budget allows with a group for each cluster, then with fewer groups, then with fewer repeats."""
    for fewer in range(repeats, 1, -1):
        for groups in range(max(clusters, 1), min(clusters, FEWEST) - 1, -1):
            null = _null(fewer, groups)
            if null + 1 + groups + FOLLOWED * (fewer - 1) <= max_calls:
                return Allotment(fewer, null, groups)
    return Allotment(1, 1, max(1, min(clusters, max_calls - 2)))


def _null(repeats: int, groups: int) -> int:
    """Twice the repeats: one null run serves every test. More where p-values could not become small enough otherwise."""
    null = 2 * repeats
    while not Allotment(repeats, null, groups).is_enough:
        null += 1
    return null


def grouped(clusters: int, groups: int, cited: Collection[int]) -> list[Group]:
    """The clusters in so many groups: the cited ones alone as long as there is room, the others evenly."""
    if clusters <= groups:
        return [(number,) for number in range(clusters)]
    alone = [number for number in range(clusters) if number in cited][: groups // 2]
    rest = [number for number in range(clusters) if number not in alone]
    size = ceil(len(rest) / (groups - len(alone)))
    return [(number,) for number in alone] + [
        tuple(rest[start : start + size]) for start in range(0, len(rest), size)
    ]


def halves(group: Group) -> tuple[Group, Group]:
    middle = len(group) // 2
    return group[:middle], group[middle:]


def partners(silent: Sequence[int], cited: frozenset[int]) -> list[Group]:
    """Which clusters to remove together, when none of them alone changes the answer: `silent` holds them, the most similar to it first.

    Pairs with one that is cited, where there is one; and all of them, for what stands in three or more places.
    """
    tried = sorted(silent, key=lambda number: number not in cited)[: PARTNERS + 1]
    pairs = [
        (one, other)
        for one, other in combinations(tried, 2)
        if not cited or one in cited or other in cited
    ]
    kept: list[Group] = list(pairs[: 2 * PARTNERS])
    return [*kept, tuple(tried)] if len(tried) > 2 else kept


def removed(group: Group, clusters: Sequence[Removed]) -> Removed:
    """The positions of the hits in these clusters."""
    return tuple(sorted(position for number in group for position in clusters[number]))
