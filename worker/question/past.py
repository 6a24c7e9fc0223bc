"""An earlier turn of a thread, as far as a question that follows it may use it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.models import Answer, Confidence, Note, Record
from core.pages import PageKey

_NO_PAGES = frozenset[PageKey]()


@dataclass(frozen=True)
class Past:
    """An earlier turn of the thread; answer and title are empty until it is answered."""

    question: str
    answer: str = ""
    title: str = ""  # of the page it was answered from
    confidence: Confidence | None = None  # in that page; None: not known
    page: frozenset[PageKey] = _NO_PAGES  # that page
    pages: frozenset[PageKey] = _NO_PAGES  # all that question and answer give away
    origin: frozenset[PageKey] = _NO_PAGES  # those that the question gives away, a suggestion
    suggested: tuple[str, ...] = ()  # what was suggested after it

    @classmethod
    def of(cls, question: str, record: Record) -> Past:
        """A turn whose answer may be used."""
        sources = record.answer.sources[:1]
        cited = {each for source in sources for each in source.evidence_ids}
        page = {hit.page.key for hit in record.hits if hit.evidence.id in cited}
        return replace(
            cls.closed(question, record),
            answer=record.answer.text,
            title=sources[0].title if sources else "",
            confidence=_confidence(record.answer),
            page=frozenset(page),
            pages=record.pages,
        )

    @classmethod
    def closed(cls, question: str, record: Record) -> Past:
        """A turn of whose answer nothing may be said: what the question gave away is known."""
        origin = frozenset(record.completed.origin)
        suggested = record.answer.suggestions
        return cls(question, pages=origin, origin=origin, suggested=suggested)

    def asked_with(self, pages: frozenset[PageKey]) -> Past:
        """The same; these pages its question gives away, which a button of ours had asked."""
        return replace(self, pages=self.pages | pages, origin=self.origin | pages)

    @property
    def topic(self) -> str:
        """The title that a follow-up may lean on: none of a page that was hardly the right one."""
        return self.title if self.confidence in (None, Confidence.HIGH) else ""


def _confidence(answer: Answer) -> Confidence | None:
    """In the first source; the pages below an abstention are the nearest, not the right ones."""
    if Note.NOT_FOUND in answer.notes:
        return Confidence.LOW
    return answer.sources[0].confidence if answer.sources else None
