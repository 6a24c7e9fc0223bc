"""Checks an answer: which of its sentences the pages that they cite do not say, and why.

The facts of a sentence must stand there, in a row or statement that speaks of the same thing; what
it denies and how far it goes must agree with the statement nearest to it; and its words must be
there too, or words that mean the same, in whatever language. A reader that was trained on right and
wrong claims may overrule what rules only doubt.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.embeddings import Embedder
from core.embeddings.once import EmbeddedOnce
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.models import Hit, Source
from worker.support.agreement import clauses, contradicts
from worker.support.claims import Claim, claims, resumes
from worker.support.facts import ClaimedFact, WhatLacks, facts
from worker.support.nearness import Nearness
from worker.support.placement import misplaced
from worker.support.polarity import DENIES_ALL, NEGATION, is_turned_round, nearest
from worker.support.reading.claim_reader import bundled
from worker.support.reading.passage import passage
from worker.support.statements import PageStatement, statements_of

# Chosen as the limits of worker.support.polarity are; see docs/benchmarks.md.
ENOUGH = 0.73  # for `Nearness.says`
# Less is enough where a number, date or name of the sentence stands there, and where the sentence
# goes on from another one: "It does so at night".
A_FACT = 0.1
MOST_PLACED = 12  # facts of a sentence whose place is compared: each costs an embedding
SAID = 0.5  # log-odds of the reader from which a doubt is none; chosen on five wikis of others
NEVER_OVERRULED = frozenset({WhatLacks.QUANTIFIER})  # of the doubts: it is seldom wrong


class ReadsClaims(Protocol):
    """What says how likely passages say claims; see ClaimReader."""

    def read(self, claims: Sequence[tuple[str, str]]) -> list[float]: ...


@dataclass(frozen=True)
class Unsupported:
    """A sentence, as it stands in the answer, and what of it the pages do not say."""

    sentence: str
    reasons: tuple[WhatLacks, ...]


@dataclass(frozen=True)
class Checked:
    """The claims of an answer, and of each what the pages do not say; nothing where they say it."""

    claims: tuple[Claim, ...]
    lacking: tuple[tuple[WhatLacks, ...], ...]

    @property
    def unsupported(self) -> tuple[Unsupported, ...]:
        found = zip(self.claims, self.lacking, strict=True)
        return tuple(Unsupported(claim.text, why) for claim, why in found if why)

    @property
    def begins_unsupported(self) -> bool:
        return any(self.lacking[:1])

    def read_again(self, said: Sequence[bool]) -> Checked:
        """As a reader finds them that understands more: it tells of each whether it is said."""
        pairs = zip(self.lacking, said, strict=True)
        lacking = tuple(() if is_said else why or (WhatLacks.CONTENT,) for why, is_said in pairs)
        return replace(self, lacking=lacking)


@dataclass(frozen=True)
class Objections:
    """What rules say against a claim: facts that stand nowhere, and what they only doubt."""

    nowhere: tuple[WhatLacks, ...]
    doubts: tuple[WhatLacks, ...]

    def after(self, log_odds: float) -> tuple[WhatLacks, ...]:
        """What is left of them once the reader has said how likely the pages say the claim."""
        is_said = log_odds >= SAID
        doubts = (each for each in self.doubts if not is_said or each in NEVER_OVERRULED)
        return tuple(dict.fromkeys((*self.nowhere, *doubts)))


class SupportCheck:
    """Compares sentences with statements; the embedder should know many languages."""

    def __init__(self, embedder: Embedder, load: Callable[[], ReadsClaims] = bundled) -> None:
        """`load`: the reader is loaded when rules first doubt a sentence of a model."""
        self._embedder = embedder
        self._load = load

    def check(self, answer: str, hits: Sequence[Hit], sources: Sequence[Source] = ()) -> Checked:
        """`answer` cites these sources by their numbers; without any, the hits by their places.

        A sentence that cites nothing may stand on any hit. Places and numbers count from 1.
        """
        made = claims(answer)
        lacking = self._lacking(made, statements_of(hits), cited_pieces(hits, sources))
        return Checked(tuple(made), tuple(lacking))

    def stands_on(self, text: str, known: Sequence[str]) -> bool:
        """Whether each sentence of a text stands on what was said elsewhere."""
        sentences = [each for one in known for each in SENTENCE_END.split(one) if each.strip()]
        statements = [PageStatement(1, sentence) for sentence in sentences]
        return not any(self._lacking(claims(text), statements, {}))

    def _lacking(
        self,
        made: Sequence[Claim],
        statements: Sequence[PageStatement],
        pieces: Mapping[int, Collection[int]],
    ) -> list[tuple[WhatLacks, ...]]:
        """Of each claim; none where the pages say it."""
        if not made or not statements:
            return [(WhatLacks.CONTENT,)] * len(made)
        near = list(self._near(made, statements, pieces))
        found = [_objections(claim.plain, one) for claim, one in zip(made, near, strict=True)]
        doubted = {
            place: (made[place].read, passage(made[place].read, near[place]))
            for place, each in enumerate(found)
            if each.doubts and not each.after(math.inf)  # else it is not said, whatever is read
        }
        read = self._load().read(list(doubted.values())) if doubted else []
        likely = dict(zip(doubted, read, strict=True))
        return [each.after(likely.get(place, 0.0)) for place, each in enumerate(found)]

    def _near(
        self,
        made: Sequence[Claim],
        statements: Sequence[PageStatement],
        pieces: Mapping[int, Collection[int]],
    ) -> Iterator[Nearness]:
        """What each claim may stand on: the statements of the pieces that it cites, else all."""
        embedder = EmbeddedOnce(self._embedder)
        compared: dict[frozenset[int], Nearness] = {}  # what cites the same shares its vectors
        for claim in made:
            places = frozenset().union(*(pieces.get(each, ()) for each in claim.cited))
            cited = [each for each in statements if each.number in places]
            yield compared.setdefault(places, Nearness(embedder, cited or statements))


def _objections(text: str, near: Nearness) -> Objections:
    known = list(facts(text, near.statements))
    return Objections(tuple(_nowhere(known)), tuple(_doubts(text, known, near)))


def _nowhere(known: Sequence[ClaimedFact]) -> Iterator[WhatLacks]:
    """But names, which may stand there in other words."""
    for fact in known:
        if not fact.said_by and fact.reason is not WhatLacks.NAME:
            yield fact.reason


def _doubts(text: str, known: Sequence[ClaimedFact], near: Nearness) -> Iterator[WhatLacks]:
    for fact in known:
        is_name = fact.reason is WhatLacks.NAME
        if is_name and not fact.said_by and not near.says_in_other_words(fact.text):
            yield fact.reason
    there = [fact for fact in known if fact.said_by]
    for fact in there[:MOST_PLACED]:
        yield from misplaced(fact, [*clauses(text), text], near)
    # What "nobody" begins with denies every clause, and not the first alone.
    for part in [text] if DENIES_ALL.match(text) else clauses(text):
        yield from _disagreements(part, known, near)
    enough = ENOUGH - A_FACT if there or resumes(text) else ENOUGH
    if not near.says(text, enough):
        yield WhatLacks.CONTENT


def cited_pieces(hits: Sequence[Hit], sources: Sequence[Source]) -> Mapping[int, Collection[int]]:
    """For each number that an answer may cite, the places of the hits behind it, from 1."""
    if not sources:
        return {place: (place,) for place in range(1, len(hits) + 1)}
    found: dict[int, list[int]] = {}
    for source in sources:
        ids = set(source.evidence_ids)
        places = [place for place, hit in enumerate(hits, 1) if hit.evidence.id in ids]
        found[source.number] = places
    return found


def _disagreements(part: str, known: Sequence[ClaimedFact], near: Nearness) -> Iterator[WhatLacks]:
    """What a clause denies or says of how many, other than the clauses nearest to it."""
    said_by = [each for fact in known if fact.text in part for each in fact.said_by]
    found = near.clauses(part, said_by, leave_out=NEGATION)
    if is_turned_round(part, found, near.statements):
        yield WhatLacks.NEGATION
    compared = nearest(found)
    if compared and all(contradicts(part, each.text) for each in compared):
        yield WhatLacks.QUANTIFIER
