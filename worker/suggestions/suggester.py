"""Suggests follow-up questions that the evidence can answer.

Worded by rules from what stands around the answer, or by the model where SUGGESTIONS says so. Each
must be answerable: kept only if a search finds the page it came from, clearly ahead of every other
page. What rules make of a page's own words is found by words, in memory; what a model has worded is
searched for as if it had been asked.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from core.evidence import EvidenceSearch, Query
from core.evidence.blocks import Blocks
from core.evidence.by_words import ranked_by_words
from core.evidence.lexical.analyzer import content_words, words
from core.models import Evidence
from core.pages import PageKey
from core.policy.acl import Reader
from core.usage import Usage
from worker.suggestions.candidates import Answered, Candidate, Neighbourhood, interleave
from worker.suggestions.from_model import Proposer
from worker.suggestions.from_sections import nearest, other_pages, sections
from worker.suggestions.from_tables import cells
from worker.suggestions.question_templates import question_templates

MOST = 2
SEARCHES = 8  # of one answer at most
TIME_S = 0.25  # of searching for what a model has worded, after which no more is looked for
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
    """An answered question in, up to two questions out."""

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
        candidates = chain(proposed, neighbours(turn, _Pieces(self._blocks, turn, reader)))
        check = _AnswerabilityCheck(self._evidence, turn, reader)
        return tuple(check.passing(candidates)), usage


class _Pieces(Mapping[PageKey, Sequence[Evidence]]):
    """What this reader may see of the pages found, without pieces that name unconfirmed pages.

    The cited pages are loaded together, each other one when it is looked at: most questions are
    made from what was cited.
    """

    def __init__(self, blocks: Blocks, turn: Answered, reader: Reader) -> None:
        self._blocks = blocks
        self._reader = reader
        self._cited = {hit.page.key for hit in turn.cited}
        self._all = dict.fromkeys(hit.page.key for hit in turn.hits)
        self._confirmed = frozenset[PageKey]().union(*(hit.pages for hit in turn.hits))
        self._loaded: dict[PageKey, Sequence[Evidence]] = {}

    def __getitem__(self, page: PageKey) -> Sequence[Evidence]:
        if page not in self._all:
            raise KeyError(page)
        if page not in self._loaded:
            self._load(self._cited if page in self._cited else {page})
        return self._loaded[page]

    def __iter__(self) -> Iterator[PageKey]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, page: object) -> bool:
        return page in self._all

    def _load(self, pages: Collection[PageKey]) -> None:
        for page, pieces in self._blocks.pieces(pages, self._reader).items():
            known = {each.id for each in self._confirmed if each.source == page.source}
            self._loaded[page] = [piece for piece in pieces if known.issuperset(piece.names)]


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
        self._seconds = 0.0

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
        """Whether no earlier question asked for it, no suggestion offered it, no answer gave it.

        What was asked without an answer may be asked in better words.
        """
        turn = self._turn
        if any(_is_asked(candidate, shown) for shown in turn.shown):
            return False
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
        return self._found_by_words(text, candidate) if candidate.pieces else self._found(text)

    def _found_by_words(self, text: str, candidate: Candidate) -> PageKey | None:
        found = ranked_by_words(self._evidence, text, self._reader)
        best = {each.piece for each in found[:LOOKED_AT]}
        if candidate.pieces.isdisjoint(best):
            return None
        first = found[0]
        rivals = (each.score for each in found if each.page != first.page)
        is_ahead = first.score - max(rivals, default=0.0) >= MARGIN
        return first.page if is_ahead else None

    def _found(self, text: str) -> PageKey | None:
        started = time.monotonic()
        found = self._evidence.search(Query(text), LOOKED_AT, self._reader)
        self._seconds += time.monotonic() - started
        if found.words_only:
            # The vector store is unavailable: every further search would wait for it again.
            self._searches = SEARCHES
        if not found.hits:
            return None
        first = found.hits[0]
        rivals = [hit.score for hit in found.hits if hit.page.key != first.page.key]
        is_ahead = first.score - max(rivals, default=0.0) >= MARGIN
        return first.page.key if is_ahead else None

    def _has_budget(self) -> bool:
        return self._searches < SEARCHES and self._seconds < TIME_S


def _overlaps(candidate: Candidate, kept: Iterable[Suggestion]) -> bool:
    about = candidate.about
    return any(about <= other.about or other.about <= about for other in kept)


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
) -> Iterator[Candidate]:
    """What could be asked next by rules, the best first: cells, sections and other pages in turns.

    Only pages that the search found for this very question, and that were just confirmed for its
    reader, are looked at; of them only the pieces that the reader may see. So no suggestion can
    say a word of anything else.
    """
    if not turn.language:
        return
    around = Neighbourhood(turn, pieces, question_templates(turn.language))
    if turn.found:
        yield from interleave(cells(around), sections(around), other_pages(around))
    else:
        yield from nearest(around)
