"""Proposes golden questions: what people asked and liked, then what pages say, by templates.

Only what everybody may read now, asked in channels, and answered now as it should be.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from core import grammar
from core.language import language
from core.models import Hit, Note, Record
from core.policy.acl import EVERYBODY
from core.question import Completed
from core.states import Vote
from core.storage.database import Database
from core.turns import feedback
from core.turns.turn import Turn
from groundwire.golden.asking import ask, cited_pages
from groundwire.golden.questions import GoldenQuestion, Origin
from indexer.tuning.pieces import in_turns, open_pieces, said_once
from indexer.tuning.standalone import fault_of, rare_in
from worker.bootstrap import WorkerParts
from worker.suggestions.question_templates import (
    Wordings,
    lowered,
    question_templates,
)

TRIES = 5  # pieces that are looked at for each question
LONGEST = 60  # characters that an answer is asked to say word for word

_SAYS = re.compile(r"\w.*\w.*\w")  # too little says nothing
_MENTION = re.compile(r"<[@#][^>]*>\s*")


def propose(parts: WorkerParts, count: int, seed: int = 0) -> Iterator[GoldenQuestion]:
    """At most so many, each of which is answered rightly now."""
    return islice(_right(parts, _candidates(parts, count, seed)), count)


def _right(parts: WorkerParts, candidates: Iterable[GoldenQuestion]) -> Iterator[GoldenQuestion]:
    """Each question is asked once, however many people liked its answer."""
    asked: set[str] = set()
    for each in candidates:
        name = each.question.casefold()
        if name in asked:
            continue
        asked.add(name)
        (answer,) = ask(parts, [each])
        if answer.is_right:
            yield each


def _candidates(parts: WorkerParts, count: int, seed: int) -> Iterator[GoldenQuestion]:
    yield from _voted(parts)
    yield from _from_pages(parts, count, random.Random(seed))


def _voted(parts: WorkerParts) -> Iterator[GoldenQuestion]:
    for asked, turn in liked(parts):
        assert turn.record
        if pages := cited_pages(turn.record):
            yield GoldenQuestion(question=asked, pages=pages, origin=Origin.VOTE)


def liked(parts: WorkerParts) -> Iterator[tuple[str, Turn]]:
    """Questions whose answers got thumbs up alone, in the words that the search was asked in.

    Asked in channels, and from pages that everybody may read now. Not what a button asked: that
    has words of pages, some of which may be closed.
    """
    for cast, turn in feedback.cast_since(parts.database, 0.0):
        record = turn.record
        if cast.vote is not Vote.UP or turn.private or record is None or turn.is_forgotten:
            continue
        if turn.by_button or turn.question_shows.pages:
            continue
        if record.completed.context and not record.completed.by:
            continue  # what rules add to a follow-up makes no question that a person would ask
        if _is_liked(parts.database, turn.id) and _is_open(parts, record):
            asked = _MENTION.sub("", record.completed.text).strip()
            if asked:
                yield asked, turn


def _is_liked(database: Database, turn_id: str) -> bool:
    return all(each.vote is Vote.UP for each in feedback.of_turn(database, turn_id))


def _is_open(parts: WorkerParts, record: Record) -> bool:
    """Whether everybody may read all that it was made of, as the site says now."""
    if Note.NOT_FOUND in record.answer.notes:
        return False
    return parts.authorizer.check_all(record.pages, EVERYBODY).allowed >= record.pages


def _from_pages(parts: WorkerParts, count: int, chance: random.Random) -> Iterator[GoldenQuestion]:
    """In the longest wording, which names the page where it must."""
    is_rare = rare_words(parts)
    everywhere = list(open_pieces(parts.database))
    written = languages_of(everywhere)
    for piece in in_turns(said_once(everywhere), chance)[: TRIES * count]:
        made = [each for each in asked_of(piece, written.get(piece.page.id, "")) if each[0]]
        if made:
            wordings, says = chance.choice(made)
            if fault_of(wordings[-1], is_rare) is None:
                page = (piece.page.id,)
                yield GoldenQuestion(
                    question=wordings[-1], pages=page, says=says, origin=Origin.PAGE
                )


def rare_words(parts: WorkerParts) -> Callable[[str], bool]:
    """Whether a word is rare on these pages; a search brings the index that knows up to date."""
    parts.pipeline.retriever.search(Completed(question="", text=""))
    return rare_in(parts.evidence.lexical)


def languages_of(pieces: Iterable[Hit]) -> dict[str, str]:
    """By the id of each page that shows one."""
    said: dict[str, list[str]] = {}
    for piece in pieces:
        said.setdefault(piece.page.id, []).append(piece.evidence.text)
    found = {page: language(" ".join(texts)) for page, texts in said.items()}
    return {page: each for page, each in found.items() if each}


def asked_of(piece: Hit, written: str) -> Iterator[tuple[Wordings, tuple[str, ...]]]:
    """Wordings of a question, and what its answer says.

    Of a row, a question for each cell; of what stands below a heading, one.
    """
    if not written:
        return
    ask_by, title, evidence = question_templates(written), piece.page.title, piece.evidence
    inside = str if grammar.languages()[written].nouns_have_capitals else lowered
    if evidence.cells:
        key = evidence.cells[0][1]
        for column, value in evidence.cells[1:]:
            if key and column and _SAYS.search(value) and len(value) <= LONGEST:
                yield ask_by.cell(title, key, inside(column), value), (value,)
    elif evidence.heading_path:
        yield ask_by.section(title, inside(evidence.heading_path[-1])), ()
