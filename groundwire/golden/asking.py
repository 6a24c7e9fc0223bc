"""Asks golden questions as everybody may ask them, and judges each answer by its own rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from core.models import Note, Record
from core.policy.acl import EVERYBODY
from core.storage import clock
from core.value import Value
from groundwire.golden.questions import GoldenQuestion
from worker.bootstrap import WorkerParts

# An answer that lacks something: wrong or right, it says nothing of pages and settings.
_LACKING = {Note.MODEL_DOWN, Note.WORDS_ONLY, Note.INCOMPLETE, Note.BUDGET, Note.UNCHECKED}


class GoldenVerdict(StrEnum):
    """What became of a golden question."""

    RIGHT = "right"
    NOT_FOUND = "not found"
    OTHER_PAGES = "from other pages"
    SAYS_OTHERWISE = "says otherwise"
    NOT_TRIED = "not tried"  # something that answers take part in did not answer


class GoldenAnswer(Value):
    """A golden question and its answer, without a word of either's pages."""

    question: str
    verdict: GoldenVerdict
    missing: tuple[str, ...] = ()  # of what it should say
    sources: tuple[str, ...] = ()  # the ids of the pages that it cites, the first source first

    @property
    def is_right(self) -> bool:
        return self.verdict is GoldenVerdict.RIGHT

    @property
    def is_tried(self) -> bool:
        return self.verdict is not GoldenVerdict.NOT_TRIED


def ask(parts: WorkerParts, golden: Sequence[GoldenQuestion]) -> Iterator[GoldenAnswer]:
    """Each by itself, in order."""
    for each in golden:
        deadline = clock.now() + parts.settings.answer_patience_s
        record = parts.pipeline.answer(each.question, [], deadline=deadline, reader=EVERYBODY)
        yield judged(each, record)


def judged(golden: GoldenQuestion, record: Record) -> GoldenAnswer:
    """By its pages first: right words from a wrong page are right by chance."""
    cited = cited_pages(record)
    missing = tuple(said for said in golden.says if _plain(said) not in _plain(record.answer.text))
    verdict = GoldenVerdict.RIGHT
    if _LACKING.intersection(record.answer.notes):
        verdict, missing = GoldenVerdict.NOT_TRIED, ()
    elif Note.NOT_FOUND in record.answer.notes:
        verdict, missing = GoldenVerdict.NOT_FOUND, ()
    elif golden.pages and not set(golden.pages) & set(cited):
        verdict = GoldenVerdict.OTHER_PAGES
    elif missing:
        verdict = GoldenVerdict.SAYS_OTHERWISE
    return GoldenAnswer(question=golden.question, verdict=verdict, missing=missing, sources=cited)


def cited_pages(record: Record) -> tuple[str, ...]:
    """The ids of its sources' pages, and of those that say the same, the first source first."""
    places = {hit.evidence.id: hit.everywhere for hit in record.hits}
    found: dict[str, None] = {}
    for source in record.answer.sources:
        for piece in source.evidence_ids:
            found |= dict.fromkeys(copy.page.id for copy in places.get(piece, ()))
    return tuple(found)


def _plain(text: str) -> str:
    return " ".join(text.replace("*", "").casefold().split())
