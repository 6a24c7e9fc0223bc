"""An index without the pages that answer: so that the same questions have no answer."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import Text, cast
from sqlmodel import col, select

from core.evidence.lexical.index import LexicalIndex
from core.evidence.lexical.snapshot import Snapshot
from core.pages import CONFLUENCE, PageKey
from core.question import Completed
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, IndexRow
from evaluation.sets.confquestions import Question
from worker.retrieval.retriever import Retriever

LOOKED_AT = 30  # pieces among which copies are looked for
# Pages that may have all facts of a question by chance: a fact such as `2` says nothing.
MOST_WITH_FACTS = 12
FEW_WORDS = 4  # of an answer that is a fact itself


class Without(LexicalIndex):
    """An index as it is now, less some pages; it follows no change."""

    def __init__(self, whole: LexicalIndex, pages: Iterable[PageKey]) -> None:
        self._less = whole.snapshot.without(pages)

    def lacks_codes(self, state: IndexRow) -> bool:
        return False

    @property
    def has_been_exchanged(self) -> bool:
        return False

    def merge_what_is_old(self) -> None:
        """It has no file."""

    @property
    def snapshot(self) -> Snapshot:
        return self._less


def answering(
    retriever: Retriever, asked: Sequence[Question], texts: Mapping[str, str]
) -> set[PageKey]:
    """The pages that answer one of these questions: gold ones, their copies, those with the facts.

    `texts` are those of all pages by id, as `page_texts` has them.
    """
    found: set[str] = set()
    for question in asked:
        found |= question.gold_ids | _with_facts(question, texts)
        text = question.completed or question.asked
        hits = retriever.search(Completed(question=text, text=text), k=LOOKED_AT).hits
        for hit in hits:
            copies = {copy.page.id for copy in hit.everywhere}
            if copies & question.gold_ids:
                found |= copies
    return {PageKey(CONFLUENCE, page) for page in found}


def page_texts(database: Database) -> dict[str, str]:
    """What can be found of each page, by its id, as `plainly` writes it."""
    parts: dict[str, list[str]] = {}
    with database.reading() as session:
        query = select(EvidenceRow.page_id, cast(col(EvidenceRow.record), Text))
        for page, record in session.exec(query).all():
            parts.setdefault(page, []).append(json.loads(record)["text"])
    return {page: plainly(" ".join(those)) for page, those in parts.items()}


def plainly(text: str) -> str:
    """In lower case, with single blanks, without the marks of Markdown."""
    return " ".join(text.replace("*", "").replace("`", "").casefold().split())


def facts_of(question: Question) -> tuple[str, ...]:
    """What a right answer says, word by word; nothing where that is not known."""
    if question.facts or len(question.answer.split()) > FEW_WORDS:
        return question.facts
    return (question.answer,) if question.answer else ()


def has_facts(facts: Collection[str], text: str) -> bool:
    """Whether a text, written plainly, has all of them."""
    return all(plainly(fact) in text for fact in facts)


def _with_facts(question: Question, texts: Mapping[str, str]) -> set[str]:
    """Every page with the facts; where they stand everywhere, only editions of the right one."""
    facts = facts_of(question)
    if not facts:
        return set()
    found = {page for page, text in texts.items() if has_facts(facts, text)}
    return found if len(found) <= MOST_WITH_FACTS else found & question.rivals.keys()
