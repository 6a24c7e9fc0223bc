"""Suggests rules for what is lost and not explained yet."""

from __future__ import annotations

import numpy as np

from core.attribution import Role
from worker.attribution.experiment.finding import Ledger
from worker.attribution.experiment.rules import Kind, Rule, Suggestions, by_members
from worker.attribution.experiment.trials import Bools, Floats, Trials, all_there
from worker.attribution.statistics.losses import FIRST_SENTENCE

MOVES = 0.3  # of a loss: what moves less needs no explanation
LIKE_COPIES = 0.4  # prior from which a cluster is taken for another place of the same
MOST_COPIES = 5

Suggested = list[tuple[Rule, list[int]]]  # rules with their sentences, the best first


def suggest(ledger: Ledger, known: Trials, prior: Floats) -> Suggested:
    """For each sentence whose losses are not explained by what is needed for it."""
    found: list[tuple[int, Rule]] = []
    for sentence in range(len(ledger.texts)):
        rule = _for_sentence(ledger, sentence, known, prior[sentence])
        if rule is not None:
            found.append((sentence, rule))
    return by_members(found)


def singles(rules: Suggested) -> Suggested:
    return [each for each in rules if len(each[0].members) == 1]


def _for_sentence(
    ledger: Ledger,
    sentence: int,
    known: Trials,
    prior: Floats,
) -> Rule | None:
    causes = ledger.causes[sentence].values()
    needed = sorted(cause.effect for cause in causes if cause.role is Role.NEEDED)
    if len(needed) < len(causes):  # parts, and what is enough, leave no rule to look for
        return None
    rows: Bools = all_there(known, needed)
    losses = known.losses[rows, FIRST_SENTENCE + sentence]
    if len(losses) < 2 or np.ptp(losses) < MOVES:
        return None
    kinds = (Kind.ANY, Kind.SUM) if needed else tuple(Kind)
    away = known.away[rows]
    rule = Suggestions(away, prior).best(losses, kinds=kinds, without=needed)
    if rule is None or rule.kind is not Kind.ALL:
        return rule
    return _with_copies(rule, away, known.lost[rows, sentence], prior)


def _with_copies(rule: Rule, away: Bools, lost: Bools, prior: Floats) -> Rule:
    """With the likely clusters that were away whenever the sentence was lost."""
    always_away: Bools = np.asarray(away[lost].all(axis=0))
    members = list(rule.members)
    for cluster in np.argsort(-prior, kind="stable"):
        is_likely = prior[cluster] >= LIKE_COPIES and always_away[cluster]
        if is_likely and cluster not in members and len(members) < MOST_COPIES:
            members.append(int(cluster))
    return Rule(rule.kind, tuple(sorted(members)), rule.score)
