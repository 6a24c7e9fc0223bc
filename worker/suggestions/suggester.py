"""Suggests follow-up questions that the evidence can answer.

Worded by rules from what stands around the answer, or by the model where SUGGESTIONS says so. Each is then searched for as if it had
been asked, and kept only if it leads back to where it came from, clearly ahead of every other page.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.evidence import EvidenceSearch, Query
from core.evidence.blocks import Blocks
from core.evidence.lexical.analyzer import content_words, words
from core.models import Evidence, Usage
from core.policy.acl import Reader
from worker.suggestions.candidates import Answered, Candidate
from worker.suggestions.from_evidence import neighbours
from worker.suggestions.from_model import Proposer

MOST = 3
SEARCHES = 8  # of one answer at most; each costs about 7 ms on a small wiki
TIME_S = 0.25  # after which no further one is begun, however large the wiki
MOST_CHARACTERS = 75  # as many as a button in Slack shows
LOOKED_AT = (
    4  # hits of a search: at most three are of one page, so the best of the others is among them
)
MARGIN = 0.5  # of fused score that the right page must be ahead of the others
ALREADY_SAID = 0.75  # of a text's telling words: whoever has read so many has read it
ALIKE = 0.6  # of the telling words of two questions together


@dataclass(frozen=True)
class Suggestion:
    """A question to show, and where its answer was found."""

    text: str
    page_id: str
    about: frozenset[str]


class Suggester:
    """An answered question in, up to three questions out."""

    def __init__(self, evidence: EvidenceSearch, proposer: Proposer | None = None) -> None:
        self._evidence = evidence
        self._blocks = Blocks(evidence.database)
        self._proposer = proposer

    def suggest(
        self, turn: Answered, reader: Reader, *, deadline: float
    ) -> tuple[tuple[Suggestion, ...], Usage]:
        """Questions that this reader would get an answer to; `deadline` is in seconds since 1970."""
        proposed, used = (
            self._proposer.propose(turn, deadline=deadline) if self._proposer else ((), Usage())
        )
        pieces = self._pieces({hit.page.id for hit in turn.hits}, reader)
        return tuple(
            _Check(self._evidence, turn, reader).passing([*proposed, *neighbours(turn, pieces)])
        ), used

    def _pieces(self, confirmed: set[str], reader: Reader) -> dict[str, list[Evidence]]:
        """What this reader may see of these pages; a piece that names another page only if that one is confirmed too."""
        of_pages = self._blocks.pieces(confirmed, reader)
        return {
            page_id: [each for each in pieces if confirmed.issuperset(each.names)]
            for page_id, pieces in of_pages.items()
        }


class _Check:
    """Searches for candidates until enough of them have passed."""

    def __init__(self, evidence: EvidenceSearch, turn: Answered, reader: Reader) -> None:
        self._evidence = evidence
        self._turn = turn
        self._reader = reader
        self._searches = 0
        self._until = time.monotonic() + TIME_S

    def passing(self, candidates: Iterable[Candidate]) -> Iterator[Suggestion]:
        kept: list[Suggestion] = []
        for candidate in candidates:
            if not self._is_new(candidate) or any(
                candidate.about <= other.about or other.about <= candidate.about for other in kept
            ):
                continue
            for found in self._leading_back(candidate):
                kept.append(found)
                yield found
                break
            if len(kept) == MOST or not self._goes_on():
                return

    def _is_new(self, candidate: Candidate) -> bool:
        """Whether no earlier question asked for it and no answer said it; what was asked in vain may be asked in better words."""
        past = [(each.question, each.answer) for each in self._turn.history]
        turns = (
            [*past, (self._turn.completed.question, self._turn.answer.text)]
            if self._turn.found
            else past
        )
        return not any(
            _asked(candidate, question) or _said(candidate, f"{question} {answer}")
            for question, answer in turns
        )

    def _leading_back(self, candidate: Candidate) -> Iterator[Suggestion]:
        """The wordings that find what they ask for."""
        for text in candidate.wordings:
            if len(text) <= MOST_CHARACTERS and self._is_another(text) and self._goes_on():
                page_id = self._leads_to(text, candidate)
                if page_id in candidate.pages:
                    yield Suggestion(text, page_id, candidate.about)

    def _is_another(self, text: str) -> bool:
        asked = [self._turn.completed.question, *(past.question for past in self._turn.history)]
        return all(
            _alike(set(content_words(text)), set(content_words(question))) < ALIKE
            for question in asked
        )

    def _leads_to(self, text: str, candidate: Candidate) -> str:
        """The page that clearly answers this question, with the very piece that is meant; empty when there is none."""
        self._searches += 1
        found = self._evidence.search(Query(text), LOOKED_AT, self._reader)
        if found.words_only:
            self._searches = (
                SEARCHES  # Chroma is away: every further search would wait for it again
            )
        first = found.hits[0] if found.hits else None
        shown = {copy.evidence.id for hit in found.hits for copy in hit.everywhere}
        if first is None or (candidate.pieces and candidate.pieces.isdisjoint(shown)):
            return ""
        rivals = [hit.score for hit in found.hits if hit.page.id != first.page.id]
        return first.page.id if first.score - max(rivals, default=0.0) >= MARGIN else ""

    def _goes_on(self) -> bool:
        return self._searches < SEARCHES and time.monotonic() < self._until


def _asked(candidate: Candidate, question: str) -> bool:
    return candidate.about <= set(content_words(question))


def _said(candidate: Candidate, text: str) -> bool:
    known = set(words(text))
    return any(_share(set(content_words(said)), known) >= ALREADY_SAID for said in candidate.said)


def _share(some: set[str], known: set[str]) -> float:
    return len(some & known) / len(some) if some else 1.0


def _alike(some: set[str], others: set[str]) -> float:
    return len(some & others) / max(1, len(some | others))
