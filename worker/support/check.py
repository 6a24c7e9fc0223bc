"""Checks an answer: which of its sentences the pages that they cite do not say, and why.

The facts of a sentence must stand there, in a row or statement that speaks of the same thing; what
it denies and how far it goes must agree with the statement nearest to it; and its words must be
there too, or words that mean the same, in whatever language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.embeddings import Embedder, Vectors
from core.models import Hit
from worker.support.agreement import clauses, contradicts, deny_differently
from worker.support.claims import claims
from worker.support.facts import Reason, facts
from worker.support.nearness import Nearness
from worker.support.placement import misplaced
from worker.support.statements import Statement, statements_of

# Fitted on the answers in other words of evaluation/support/right.yaml that are for it, and on
# sentences that no page says; see docs/benchmarks.md.
LEAST_ALIKE = 0.46  # cosine to the nearest statement, or to a clause of it
ENOUGH_WORDS = 0.8  # a sentence of which so many stand there may be further away
SAME = 0.5  # nearness from which a clause and a statement speak of the same
ABOUT = 0.05  # as near as the nearest


@dataclass(frozen=True)
class Unsupported:
    """A sentence, as it stands in the answer, and what of it the pages do not say."""

    sentence: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Checked:
    """What a check has found; `of` counts the sentences that claim something."""

    unsupported: tuple[Unsupported, ...]
    of: int


class SupportCheck:
    """Compares sentences with statements; the embedder should know many languages."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def check(self, answer: str, hits: Sequence[Hit]) -> Checked:
        """`answer` cites the hits by their places, from 1, as a model writes it."""
        statements = statements_of(hits)
        made = claims(answer)
        found: list[Unsupported] = []
        for claim in made:
            cited = [each for each in statements if each.number in claim.cited]
            reasons = self._reasons(claim.plain, cited or statements)
            if reasons:
                found.append(Unsupported(claim.text, reasons))
        return Checked(tuple(found), len(made))

    def _reasons(self, text: str, statements: Sequence[Statement]) -> tuple[Reason, ...]:
        if not statements:
            return (Reason.CONTENT,)
        near = Nearness(self._embedder, statements)
        parts = clauses(text)
        found = dict.fromkeys(_wrong_facts(text, parts, statements, near))
        for part in parts:
            found |= dict.fromkeys(_disagreements(part, statements, near.of(part)))
        alike = float(near.in_meaning(text).max())
        if alike < LEAST_ALIKE and near.covered(text) < ENOUGH_WORDS:
            found[Reason.CONTENT] = None
        return tuple(found)


def _wrong_facts(
    text: str, parts: Sequence[str], statements: Sequence[Statement], near: Nearness
) -> Iterator[Reason]:
    for fact in facts(text, statements):
        if fact.said_by:
            yield from misplaced(fact, parts, text, statements, near)
        elif fact.reason is not Reason.NAME or not near.says_in_other_words(fact.text):
            yield fact.reason


def _disagreements(
    part: str, statements: Sequence[Statement], nearness: Vectors
) -> Iterator[Reason]:
    """Where all that is about as near as the nearest statement says otherwise."""
    enough = max(SAME, float(nearness.max()) - ABOUT)
    nearest = [each for each, how in zip(statements, nearness, strict=True) if how >= enough]
    if nearest and all(_denies_otherwise(part, each) for each in nearest):
        yield Reason.NEGATION
    if nearest and all(contradicts(part, each.text) for each in nearest):
        yield Reason.QUANTIFIER


def _denies_otherwise(part: str, statement: Statement) -> bool:
    """Whether no clause of the statement that may be meant agrees in what it denies."""
    return all(deny_differently(part, each) for each in clauses(statement.text))
