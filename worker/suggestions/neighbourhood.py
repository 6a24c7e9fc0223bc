"""What surrounds an answer: its cited pages, and candidates worded from what stands on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.evidence.lexical.analyzer import content_words
from core.models import Evidence, Page
from worker.suggestions.candidates import Answered, Candidate
from worker.suggestions.question_templates import QuestionTemplates, Wordings, lowered
from worker.text.language import Language, language

_NAME = re.compile(r"(?<=[a-zäöüß,;] )[A-ZÄÖÜ][\w-]*")  # a capital in the middle of a sentence


@dataclass(frozen=True)
class Neighbourhood:
    """An answered question, the pages found for it, and how its language asks."""

    turn: Answered
    pieces: Mapping[str, Sequence[Evidence]]  # of every page found, in the order of the page
    words: QuestionTemplates

    def cited_pages(self) -> dict[Page, list[Evidence]]:
        found: dict[Page, list[Evidence]] = {}
        for hit in self.turn.cited:
            if hit.page.id in self.pieces:
                found.setdefault(hit.page, []).append(hit.evidence)
        return found

    def natural(self, text: str, page: Page) -> str:
        """A heading or column as written inside an English sentence; in German capitals stay."""
        if self.turn.language is not Language.ENGLISH:
            return text
        texts = [piece.text for piece in self.pieces[page.id] if piece.table is None]
        if language(" ".join(texts)) is Language.GERMAN:
            return text
        return text if _is_name(text, texts) else lowered(text)


def _is_name(heading: str, texts: Sequence[str]) -> bool:
    """Whether a later word has a capital, or the first one has it inside sentences too."""
    first, *others = heading.split()
    if any(word[0].isupper() for word in others):
        return True
    names: set[str] = set()
    for text in texts:
        names.update(_NAME.findall(text))
    return first in names


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
    return Candidate(
        wordings=wordings,
        about=frozenset(content_words(about)),
        pages=frozenset({page.id}),
        pieces=frozenset(piece.id for piece in pieces),
        answers=tuple(answers),
    )


def interleave(*several: Iterable[Candidate]) -> Iterator[Candidate]:
    """Round robin: the first of each, then the second of each, …"""
    for group in zip_longest(*several):
        yield from filter(None, group)
