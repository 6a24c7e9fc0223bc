"""Checks an answer: which of its sentences the pages that they cite do not say, and why.

The facts of a sentence must stand there, in a row or statement that speaks of the same thing; what
it denies and how far it goes must agree with the statement nearest to it; and its words must be
there too, or words that mean the same, in whatever language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.embeddings import Embedder
from core.embeddings.once import EmbeddedOnce
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.models import Hit, Source
from worker.support.agreement import clauses, contradicts
from worker.support.claims import claims
from worker.support.facts import ClaimedFact, WhatLacks, facts
from worker.support.nearness import Nearness
from worker.support.placement import misplaced
from worker.support.polarity import DENIES_ALL, NEGATION, is_turned_round, nearest, resumes
from worker.support.statements import PageStatement, statements_of

# Chosen as the limits of worker.support.polarity are; see docs/benchmarks.md.
ENOUGH = 0.73  # for `Nearness.says`
# Less is enough where a number, date or name of the sentence stands there, and where the sentence
# goes on from another one: "It does so at night".
A_FACT = 0.1


@dataclass(frozen=True)
class Unsupported:
    """A sentence, as it stands in the answer, and what of it the pages do not say."""

    sentence: str
    reasons: tuple[WhatLacks, ...]


@dataclass(frozen=True)
class Checked:
    """What a check has found; `of` counts the sentences that claim something."""

    unsupported: tuple[Unsupported, ...]
    of: int
    begins_unsupported: bool = False  # the first of them is


class SupportCheck:
    """Compares sentences with statements; the embedder should know many languages."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def check(self, answer: str, hits: Sequence[Hit], sources: Sequence[Source] = ()) -> Checked:
        """`answer` cites these sources by their numbers; without any, the hits by their places.

        A sentence that cites nothing may stand on any hit. Places and numbers count from 1.
        """
        statements = statements_of(hits)
        embedder = EmbeddedOnce(self._embedder)
        pieces = _cited_pieces(hits, sources)
        made = claims(answer)
        compared: dict[frozenset[int], Nearness] = {}  # what cites the same shares its vectors
        found: dict[int, Unsupported] = {}
        for place, claim in enumerate(made):
            places = frozenset().union(*(pieces.get(each, ()) for each in claim.cited))
            cited = [each for each in statements if each.number in places]
            near = compared.setdefault(places, Nearness(embedder, cited or statements))
            reasons = _reasons(claim.plain, near)
            if reasons:
                found[place] = Unsupported(claim.text, reasons)
        return Checked(tuple(found.values()), len(made), begins_unsupported=0 in found)

    def stands_on(self, text: str, known: Sequence[str]) -> bool:
        """Whether each sentence of a text stands on what was said elsewhere."""
        sentences = [each for one in known for each in SENTENCE_END.split(one) if each.strip()]
        statements = [PageStatement(1, sentence) for sentence in sentences]
        near = Nearness(EmbeddedOnce(self._embedder), statements)
        return all(not _reasons(claim.plain, near) for claim in claims(text))


def _reasons(text: str, near: Nearness) -> tuple[WhatLacks, ...]:
    if not near.statements:
        return (WhatLacks.CONTENT,)
    known = list(facts(text, near.statements))
    found = dict.fromkeys(_wrong_facts(known, text, near))
    # What "nobody" begins with denies every clause, and not the first alone.
    parts = [text] if DENIES_ALL.match(text) else clauses(text)
    for part in parts:
        found |= dict.fromkeys(_disagreements(part, known, near))
    is_easy = resumes(text) or any(each.said_by for each in known)
    enough = ENOUGH - A_FACT if is_easy else ENOUGH
    if not near.says(text, enough):
        found[WhatLacks.CONTENT] = None
    return tuple(found)


def _cited_pieces(hits: Sequence[Hit], sources: Sequence[Source]) -> Mapping[int, Collection[int]]:
    """For each number that the answer may cite, the places of the hits behind it."""
    if not sources:
        return {place: (place,) for place in range(1, len(hits) + 1)}
    found: dict[int, list[int]] = {}
    for source in sources:
        ids = set(source.evidence_ids)
        places = [place for place, hit in enumerate(hits, 1) if hit.evidence.id in ids]
        found[source.number] = places
    return found


def _wrong_facts(known: Sequence[ClaimedFact], text: str, near: Nearness) -> Iterator[WhatLacks]:
    parts = clauses(text)
    for fact in known:
        if fact.said_by:
            yield from misplaced(fact, [*parts, text], near)
        elif fact.reason is not WhatLacks.NAME or not near.says_in_other_words(fact.text):
            yield fact.reason


def _disagreements(part: str, known: Sequence[ClaimedFact], near: Nearness) -> Iterator[WhatLacks]:
    """What a clause denies or says of how many, other than the clauses nearest to it."""
    said_by = [each for fact in known if fact.text in part for each in fact.said_by]
    found = near.clauses(part, said_by, leave_out=NEGATION)
    if is_turned_round(part, found, near.statements):
        yield WhatLacks.NEGATION
    compared = nearest(found)
    if compared and all(contradicts(part, each.text) for each in compared):
        yield WhatLacks.QUANTIFIER
