"""Suggests rules: how the losses hang on evidence that nothing has shown yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.attribution import Role
from worker.attribution.experiment.finding import Ledger
from worker.attribution.experiment.rules import Rule, RuleKind, Suggestions
from worker.attribution.experiment.trials import Floats, Trials, all_there
from worker.attribution.statistics.losses import FIRST_SENTENCE

MOVES = 0.3  # of a loss: what moves less needs no explanation
MOST_MEMBERS = 5
LIKE_THEM = 0.75  # of a member's prior: so much makes a cluster another member, unless answers deny
SLACK = 4.0  # of a score: a rule that is not worse than that serves for a sentence, too
LEAST = 1.0  # score of a rule that has its reason in another sentence

Suggested = list[tuple[Rule, list[int]]]  # rules with their sentences, the best first


@dataclass(frozen=True)
class _Open:
    """A sentence whose losses are not explained by what is needed for it."""

    sentence: int
    suggestions: Suggestions
    losses: Floats
    best: Rule | None


def suggest(ledger: Ledger, known: Trials, prior: Floats) -> Suggested:
    """Rules for what is not explained; one rule serves as many sentences as it can."""
    found: list[_Open] = []
    for sentence in range(len(ledger.texts)):
        found += _open(ledger, sentence, known, prior[sentence])
    rules: Suggested = []
    while candidates := [(each, each.best) for each in found if each.best]:
        first, rule = max(candidates, key=lambda each: _worth(each[1], found))
        rule = _completed(rule, first, prior[first.sentence])
        served = [each for each in found if each is first or _serves(rule, each)]
        rules.append((rule, [each.sentence for each in served]))
        found = [each for each in found if each not in served]
    return rules


def singles(rules: Suggested) -> Suggested:
    return [each for each in rules if len(each[0].members) == 1]


def _open(
    ledger: Ledger,
    sentence: int,
    known: Trials,
    prior: Floats,
) -> Iterator[_Open]:
    if ledger.enough[sentence]:
        return
    causes = ledger.causes[sentence].values()
    needed = sorted(cause.effect for cause in causes if cause.role is Role.NEEDED)
    rows = all_there(known, needed)
    losses = known.losses[rows, FIRST_SENTENCE + sentence]
    if len(losses) < 2 or np.ptp(losses) < MOVES:
        return
    kinds = (RuleKind.ANY, RuleKind.SUM) if needed else tuple(RuleKind)
    suggestions = Suggestions(known.away[rows], prior)
    best = suggestions.best(losses, kinds=kinds, without=needed)
    yield _Open(sentence, suggestions, losses, best)


def _worth(rule: Rule, sentences: Sequence[_Open]) -> float:
    """Its scores over all sentences that it serves."""
    scores = [each.suggestions.score(rule, each.losses) for each in sentences]
    return sum(score for score in scores if score >= LEAST)


def _completed(rule: Rule, of: _Open, prior: Floats) -> Rule:
    """With the clusters that are about as likely as its members, unless the answers deny it."""
    if len(rule.members) == 1 or rule.kind is RuleKind.SUM:
        return rule
    least = LIKE_THEM * float(prior[list(rule.members)].min())
    for cluster in map(int, np.argsort(-prior, kind="stable")):
        if len(rule.members) == MOST_MEMBERS or prior[cluster] < least:
            break
        members = tuple(sorted({*rule.members, cluster}))
        larger = Rule(rule.kind, members, rule.score)
        if of.suggestions.score(larger, of.losses) >= rule.score - SLACK:
            rule = larger
    return rule


def _serves(rule: Rule, other: _Open) -> bool:
    own = other.best.score if other.best else 0.0
    return other.suggestions.score(rule, other.losses) >= max(own - SLACK, LEAST)
