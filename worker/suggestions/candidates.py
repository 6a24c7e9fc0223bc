"""Types of follow-up suggestions: an answered question, and what could be asked next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, zip_longest

from core import grammar
from core.evidence.lexical.analyzer import content_words
from core.language import language
from core.language.sentences import sentences
from core.models import Answer, Copy, Evidence, Hit, Kind, Note, Page
from core.pages import PageKey
from core.question import Completed
from worker.question.rewrite import Past
from worker.suggestions.question_templates import QuestionTemplates, Wordings, lowered


@dataclass(frozen=True)
class Candidate:
    """Something to ask: the wordings of one question, the shortest first, and its answer."""

    wordings: Wordings
    about: frozenset[str]  # content words of what is asked for, apart from the page's title
    pages: frozenset[PageKey]  # that may answer
    # Ids of the evidence that answers; empty when it is not known beforehand.
    pieces: frozenset[str] = frozenset()
    answers: tuple[str, ...] = ()  # texts that answer it: who has read one need not ask
    names: frozenset[PageKey] = frozenset()  # that its words may give away


@dataclass(frozen=True)
class Answered:
    """A question with its answer, the evidence found for it and what was asked before."""

    completed: Completed
    answer: Answer
    hits: Sequence[Hit]
    history: Sequence[Past] = ()

    @property
    def found(self) -> bool:
        return Note.NOT_FOUND not in self.answer.notes

    @property
    def shown(self) -> list[str]:
        """What was suggested in the thread before."""
        return list(chain.from_iterable(past.suggested for past in self.history))

    @property
    def questions(self) -> list[str]:
        """This question and those before it, the newest first."""
        earlier = [past.question for past in reversed(self.history)]
        return [self.completed.question, *earlier]

    @cached_property
    def cited(self) -> tuple[Hit, ...]:
        """The hits that the answer names; the best one where it names none."""
        ids: set[str] = set()
        for source in self.answer.sources:
            ids.update(source.evidence_ids)
        real = [hit for hit in self.hits if hit.evidence.kind is not Kind.PLACE]
        named = [hit for hit in real if hit.evidence.id in ids]
        return tuple(named or real[:1])

    @cached_property
    def language(self) -> str:
        """Of the answer; where nobody has said which, of its pages; empty where they show none."""
        if self.completed.language:
            return sentences(self.completed.language).language
        cited = [hit.evidence.text for hit in self.cited]
        return language(*self.questions, *cited) or ""


_NAME = re.compile(r"(?<=[a-zäöüß,;] )[A-ZÄÖÜ][\w-]*")  # a capital in the middle of a sentence


@dataclass(frozen=True)
class Neighbourhood:
    """An answered question, the pages found for it, and how its language asks."""

    turn: Answered
    pieces: Mapping[PageKey, Sequence[Evidence]]  # of every page found, in the order of the page
    words: QuestionTemplates

    def cited_pages(self) -> dict[Page, list[Evidence]]:
        found: dict[Page, list[Evidence]] = {}
        for hit in self.turn.cited:
            if hit.page.key in self.pieces and self.can_ask(hit.page):
                found.setdefault(hit.page, []).append(hit.evidence)
        return found

    def natural(self, text: str, page: Page) -> str:
        """A heading or column inside a sentence; where all nouns have capitals, they stay."""
        if _has_capitals(self.turn.language):
            return text
        written, names = self._written(page)
        if _has_capitals(written):
            return text
        return text if _is_name(text, names) else lowered(text)

    def can_ask(self, page: Page) -> bool:
        """Whether a question in its words is one in the asker's language."""
        written, _ = self._written(page)
        return written in (None, self.words.say.language)

    def _written(self, page: Page) -> tuple[str | None, frozenset[str]]:
        prose = (piece.text for piece in self.pieces[page.key] if piece.table is None)
        return _read(tuple(prose))


@lru_cache(maxsize=256)
def _read(prose: tuple[str, ...]) -> tuple[str | None, frozenset[str]]:
    """The language that a page is written in, and the names in it: whatever is asked of it."""
    names = chain.from_iterable(map(_NAME.findall, prose))
    return language(" ".join(prose)), frozenset(names)


def _has_capitals(code: str | None) -> bool:
    known = grammar.languages().get(code or "")
    return known is not None and known.nouns_have_capitals


def _is_name(heading: str, names: frozenset[str]) -> bool:
    """Whether a later word has a capital, or the first one has it inside sentences too."""
    first, *others = heading.split()
    return first in names or any(word[0].isupper() for word in others)


def candidate(
    page: Page,
    wordings: Wordings,
    about: str,
    answers: Iterable[str],
    pieces: Iterable[Evidence],
) -> Candidate | None:
    """None when nothing can be asked well."""
    if not wordings:
        return None
    used = tuple(pieces)
    names = {page.key}
    for piece in used:
        names |= Copy(evidence=piece, page=page).pages
    return Candidate(
        wordings=wordings,
        about=frozenset(content_words(about)),
        pages=frozenset({page.key}),
        pieces=frozenset(piece.id for piece in used),
        answers=tuple(answers),
        names=frozenset(names),
    )


def interleave(*several: Iterable[Candidate]) -> Iterator[Candidate]:
    """Round robin: the first of each, then the second of each, …"""
    for group in zip_longest(*several):
        yield from filter(None, group)
