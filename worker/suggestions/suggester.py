"""Suggests follow-up questions that the evidence can answer.

Worded by rules from what stands around the answer, or by the model where SUGGESTIONS says so. Each
must be answerable: it is searched for as if it had been asked, and kept only if it finds the page
it came from, clearly ahead of every other page.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.evidence import EvidenceSearch, Query
from core.evidence.blocks import Blocks
from core.evidence.lexical.analyzer import content_words, words
from core.models import Evidence, Hit
from core.pages import PageKey
from core.policy.acl import Reader
from core.usage import Usage
from worker.suggestions.candidates import Answered, Candidate, Neighbourhood, interleave
from worker.suggestions.from_model import Proposer
from worker.suggestions.from_sections import nearest, other_pages, sections
from worker.suggestions.from_tables import cells
from worker.suggestions.question_templates import question_templates

MOST = 3
SEARCHES = 8  # of one answer at most; each costs about 7 ms on a small wiki
TIME_S = 0.25  # after which no further one is begun, however large the wiki
MOST_CHARACTERS = 75  # as many as a button in Slack shows
# Hits of a search: at most three are of one page, so the best of the others is among them.
LOOKED_AT = 4
MARGIN = 0.5  # of fused score that the right page must be ahead of the others
ALREADY_SAID = 0.75  # of a text's content words: whoever has read so many has read it
ALIKE = 0.6  # of the content words of two questions together


@dataclass(frozen=True)
class Suggestion:
    """A question to show, and where its answer was found."""

    text: str
    page: PageKey
    about: frozenset[str]
    pages: frozenset[PageKey]  # that it gives away


class Suggester:
    """An answered question in, up to three questions out."""

    def __init__(self, evidence: EvidenceSearch, proposer: Proposer | None = None) -> None:
        self._evidence = evidence
        self._blocks = Blocks(evidence.database)
        self._proposer = proposer

    def suggest(
        self, turn: Answered, reader: Reader, *, deadline: float
    ) -> tuple[tuple[Suggestion, ...], Usage]:
        """Questions that this reader would get an answer to; `deadline` is in Unix time."""
        proposed: list[Candidate] = []
        usage = Usage()
        if self._proposer:
            proposed, usage = self._proposer.propose(turn, deadline=deadline)
        candidates = [*proposed, *neighbours(turn, self._pieces(turn.hits, reader))]
        check = _AnswerabilityCheck(self._evidence, turn, reader)
        return tuple(check.passing(candidates)), usage

    def _pieces(
        self,
        hits: Sequence[Hit],
        reader: Reader,
    ) -> dict[PageKey, list[Evidence]]:
        """What this reader may see of their pages, without pieces that name unconfirmed pages."""
        confirmed: set[PageKey] = set()
        for hit in hits:
            confirmed |= hit.pages
        found = self._blocks.pieces({hit.page.key for hit in hits}, reader)
        for page, pieces in found.items():
            known = {each.id for each in confirmed if each.source == page.source}
            found[page] = [piece for piece in pieces if known.issuperset(piece.names)]
        return found


class _AnswerabilityCheck:
    """Searches for candidates until enough of them have passed."""

    def __init__(
        self,
        evidence: EvidenceSearch,
        turn: Answered,
        reader: Reader,
    ) -> None:
        self._evidence = evidence
        self._turn = turn
        self._reader = reader
        self._searches = 0
        self._until = time.monotonic() + TIME_S

    def passing(self, candidates: Iterable[Candidate]) -> Iterator[Suggestion]:
        kept: list[Suggestion] = []
        for candidate in candidates:
            if not self._is_new(candidate) or _overlaps(candidate, kept):
                continue
            found = self._answerable(candidate)
            if found:
                kept.append(found)
                yield found
            if len(kept) == MOST or not self._has_budget():
                return

    def _is_new(self, candidate: Candidate) -> bool:
        """Whether no earlier question asked for it and no answer gave it.

        What was asked without an answer may be asked in better words.
        """
        turn = self._turn
        turns = [(past.question, past.answer) for past in turn.history]
        if turn.found:
            turns.append((turn.completed.question, turn.answer.text))
        for question, answer in turns:
            if _is_asked(candidate, question) or _is_answered(candidate, f"{question} {answer}"):
                return False
        return True

    def _answerable(self, candidate: Candidate) -> Suggestion | None:
        """The first wording that finds what it asks for."""
        for text in candidate.wordings:
            is_shown = len(text) <= MOST_CHARACTERS and self._differs(text)
            if is_shown and self._has_budget():
                page = self._answering_page(text, candidate)
                if page is not None and page in candidate.pages:
                    return Suggestion(text, page, candidate.about, candidate.names | {page})
        return None

    def _differs(self, text: str) -> bool:
        """Whether it is another question than those asked before."""
        terms = set(content_words(text))
        for question in self._turn.questions:
            if _alike(terms, set(content_words(question))) >= ALIKE:
                return False
        return True

    def _answering_page(self, text: str, candidate: Candidate) -> PageKey | None:
        """The page that clearly answers, with the very piece that is meant, if any."""
        self._searches += 1
        found = self._evidence.search(Query(text), LOOKED_AT, self._reader)
        if found.words_only:
            # The vector store is unavailable: every further search would wait for it again.
            self._searches = SEARCHES
        if not found.hits or not _has_expected(candidate, found.hits):
            return None
        first = found.hits[0]
        rivals = [hit.score for hit in found.hits if hit.page.key != first.page.key]
        is_ahead = first.score - max(rivals, default=0.0) >= MARGIN
        return first.page.key if is_ahead else None

    def _has_budget(self) -> bool:
        return self._searches < SEARCHES and time.monotonic() < self._until


def _overlaps(candidate: Candidate, kept: Iterable[Suggestion]) -> bool:
    about = candidate.about
    return any(about <= other.about or other.about <= about for other in kept)


def _has_expected(candidate: Candidate, hits: Iterable[Hit]) -> bool:
    """Whether a piece was found that the candidate asks for; any, where it does not say which."""
    found: set[str] = set()
    for hit in hits:
        for copy in hit.everywhere:
            found.add(copy.evidence.id)
    return not candidate.pieces or not candidate.pieces.isdisjoint(found)


def _is_asked(candidate: Candidate, question: str) -> bool:
    return candidate.about <= set(content_words(question))


def _is_answered(candidate: Candidate, text: str) -> bool:
    known = set(words(text))
    for answer in candidate.answers:
        terms = set(content_words(answer))
        if len(terms & known) >= ALREADY_SAID * len(terms):
            return True
    return False


def _alike(some: set[str], others: set[str]) -> float:
    together = some | others
    return len(some & others) / max(1, len(together))


def neighbours(
    turn: Answered,
    pieces: Mapping[PageKey, Sequence[Evidence]],
) -> list[Candidate]:
    """What could be asked next by rules, the best first: cells, sections and other pages in turns.

    Only pages that the search found for this very question, and that were just confirmed for its
    reader, are looked at; of them only the pieces that the reader may see. So no suggestion can
    say a word of anything else.
    """
    if not turn.language:
        return []
    around = Neighbourhood(turn, pieces, question_templates(turn.language))
    if not turn.found:
        return list(nearest(around))
    found = interleave(cells(around), sections(around), other_pages(around))
    return list(found)
