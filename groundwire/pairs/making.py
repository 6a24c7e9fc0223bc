"""Makes pairs: of answers that people liked, by the model, and of headings and rows of pages.

Only from what everybody may read, and of an answer whose every sentence its page says: of one page,
as that is all that is asked about whenever a pair is shown or used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, islice

from core.models import Hit, Note, Record
from core.pages import PageKey
from core.pairs.pairs import Pair
from core.policy.acl import EVERYBODY
from core.states import PairOrigin
from core.storage import clock
from groundwire.golden.proposing import asked_of, languages_of, liked, rare_words
from groundwire.pairs.by_model import by_model
from indexer.tuning.pieces import in_turns, open_pieces, said_once
from indexer.tuning.question_templates import Surroundings
from indexer.tuning.standalone import fault_of
from worker.bootstrap import WorkerParts
from worker.generation.chat_model import ChatModel

TRIES = 3  # pieces that the model is asked about for each pair

# Notes of an answer that nobody should learn from.
_DOUBTFUL = {Note.UNSUPPORTED, Note.UNCHECKED, Note.INCOMPLETE, Note.WORDS_ONLY, Note.MODEL_DOWN}


def of_votes(parts: WorkerParts) -> Iterator[Pair]:
    """Each about the piece that stands first among the sources, all of which are of its page."""
    for asked, turn in liked(parts):
        record = turn.record
        assert record
        piece = _only_page(record)
        if piece and not _DOUBTFUL.intersection(record.answer.notes):
            yield Pair(
                question=asked,
                answer=record.answer.text,
                page=piece.page.key,
                evidence_id=piece.evidence.id,
                origin=PairOrigin.VOTE,
                turn_id=turn.id,
            )


def of_model(parts: WorkerParts, model: ChatModel, count: int, seed: int) -> Iterator[Pair]:
    """At most so many: the model asks about a piece without seeing who answers.

    The product answers as it answers anybody; kept is what it finds on that page and all of whose
    sentences its pages say.
    """
    everywhere = list(open_pieces(parts.database))
    ask = by_model(model, Surroundings.of(everywhere))
    pieces = in_turns(said_once(everywhere), random.Random(seed))
    asked = chain.from_iterable(map(ask, pieces[: TRIES * count]))
    answered = (_answered(parts, each.question, each.piece) for each in asked)
    return islice(filter(None, answered), count)


def _answered(parts: WorkerParts, question: str, piece: Hit) -> Pair | None:
    deadline = clock.now() + parts.settings.answer_patience_s
    record = parts.pipeline.answer(question, [], deadline=deadline, reader=EVERYBODY)
    cited = _only_page(record)
    is_good = Note.NOT_FOUND not in record.answer.notes and not _DOUBTFUL & {*record.answer.notes}
    if cited is None or not is_good or cited.page.key != piece.page.key:
        return None
    return Pair(
        question=question,
        answer=record.answer.text,
        page=cited.page.key,
        evidence_id=cited.evidence.id,
        origin=PairOrigin.MODEL,
    )


def of_pages(parts: WorkerParts, count: int, seed: int) -> Iterator[Pair]:
    """At most so many, the pages in turns."""
    return islice(_asked_of_pages(parts, random.Random(seed)), count)


def _asked_of_pages(parts: WorkerParts, chance: random.Random) -> Iterator[Pair]:
    is_rare = rare_words(parts)
    everywhere = list(open_pieces(parts.database))
    written = languages_of(everywhere)
    alone = [each for each in said_once(everywhere) if _own_pages(each) == {each.page.key}]
    for piece in in_turns(alone, chance):
        for wordings, says in asked_of(piece, written.get(piece.page.id, "")):
            if wordings and fault_of(wordings[-1], is_rare) is None:
                yield _of_piece(piece, wordings[-1], says)
                break  # one of a piece


def _of_piece(piece: Hit, question: str, says: tuple[str, ...]) -> Pair:
    return Pair(
        question=question,
        answer=says[0] if says else piece.evidence.text,
        page=piece.page.key,
        evidence_id=piece.evidence.id,
        origin=PairOrigin.PAGE,
    )


def _only_page(record: Record) -> Hit | None:
    """What is cited first, where question and answer give away no page but that one.

    None where a piece is of another page or names one, or is gone from the record.
    """
    by_id = {piece.id: hit for hit in record.hits for piece in hit.block}
    by_id |= {hit.evidence.id: hit for hit in record.hits}
    cited = [each for source in record.answer.sources for each in source.evidence_ids]
    if not cited or not by_id.keys() >= {*cited}:
        return None
    first = by_id[cited[0]]
    given_away = set(record.completed.pages).union(*(_own_pages(by_id[each]) for each in cited))
    return first if given_away == {first.page.key} else None


def _own_pages(hit: Hit) -> frozenset[PageKey]:
    """Without the copies, which nobody needs to read to be told this."""
    return hit.model_copy(update={"copies": ()}).pages
