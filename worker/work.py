"""What the tasks do with a turn: take it, do the work, save it, once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import takewhile

from core import conversations, explanations, logs
from core.access import Reader
from core.attribution import Explanation
from core.conversations import Turn
from core.errors import ModelUnavailable
from core.events import Event, explain_channel
from core.leases import lease
from core.models import Hit, Note, Record
from core.queue import Task
from worker.attribution.attributor import Regenerate
from worker.bootstrap import Parts
from worker.complete import Past
from worker.generate import Draft

MOST_ATTEMPTS = 3  # a turn that ended three workers is not given a fourth
SPEAKING_S = 5.0  # of the patience is left for saying what was found

log = logs.get(__name__)


def answer(parts: Parts, turn_id: str) -> None:
    """Answer a waiting turn; does nothing when it is finished, too old, or in other hands."""
    with lease(parts.database, f"{Task.ANSWER}:{turn_id}") as held:
        turn = conversations.load(parts.database, turn_id)
        if held is None or turn is None or turn.state != "waiting":
            return
        deadline = turn.patience_from + parts.settings.answer_patience_s - SPEAKING_S
        if time.time() > deadline:
            return  # the delivery closes it with a reason
        if conversations.start(parts.database, turn_id) > MOST_ATTEMPTS:
            conversations.fail(parts.database, turn_id, "gave_up")
            return
        record = _answered(parts, turn, deadline)
        held.check()
        conversations.answer(parts.database, turn_id, record)
        parts.events.publish(turn_id, Event("done"))


def explain(parts: Parts, turn_id: str) -> None:
    """Explain an answered turn on its saved evidence; a second request finds the first one's result."""
    with lease(parts.database, f"{Task.EXPLAIN}:{turn_id}") as held:
        request = explanations.load(parts.database, turn_id)
        turn = conversations.load(parts.database, turn_id)
        if held is None or request is None or request.state != "waiting" or turn is None:
            return
        if turn.record is None or explanations.start(parts.database, turn_id) > MOST_ATTEMPTS:
            explanations.fail(parts.database, turn_id, "gave_up" if turn.record else "nothing_to_explain")
            return
        if not _may_see(parts, turn, turn.record, request.requested_by):
            explanations.fail(parts.database, turn_id, "closed")
            return
        _explain(parts, turn_id, turn.record)


def history(parts: Parts, turn: Turn, reader: Reader) -> list[Past]:
    """The earlier turns of the thread, as completion sees them: of an answer from pages that are closed now, only the question."""
    turns = conversations.earlier(parts.database, turn)
    if not turn.filtered:  # the same question once more: it stands where it was first asked
        turns = tuple(takewhile(lambda earlier: earlier.question != turn.question, turns))
    hits = {hit.evidence.id: hit for earlier in turns if earlier.record for hit in earlier.record.hits}
    restricted = set(parts.evidence.for_some({page_id for hit in hits.values() for page_id in _pages(hit)}))
    for_some = [hit for hit in hits.values() if not restricted.isdisjoint(_pages(hit))]
    closed = {hit.evidence.id for hit in for_some} - {hit.evidence.id for hit in parts.pipeline.confirmer.confirmed(for_some, reader)}
    return [_past(parts, earlier, reader, closed) for earlier in turns]


def explanation(parts: Parts, turn_id: str, record: Record) -> Explanation:
    """Compute an explanation, reporting how far it is.

    Raises:
        ModelUnavailable: the answer is a model's, and the model is away.
    """

    def report(done: int, of: int) -> None:
        parts.events.publish(explain_channel(turn_id), Event("stage", f"{done}/{of}"))

    quoted = not record.answer.model
    repeats = 1 if quoted else parts.settings.explain_repeats  # quoting does not vary
    return parts.attributor.explain(turn_id, record, _regenerate(parts, record), repeats=repeats, report=report)


def _answered(parts: Parts, turn: Turn, deadline: float) -> Record:
    def report(event: Event) -> None:
        parts.events.publish(turn.id, event)

    reader = parts.readers.of(turn)
    past = history(parts, turn, reader)
    record = parts.pipeline.answer(turn.question, past, deadline=deadline, reader=reader, filtered=turn.filtered, report=report)
    log.info("answered", hits=len(record.hits), notes=[note.value for note in record.answer.notes], seconds=record.seconds)
    return record


def _may_see(parts: Parts, turn: Turn, record: Record, user: str) -> bool:
    """Whether every piece of the evidence is still there for whoever asks, and for everybody else who will read it."""
    reader = parts.readers.of(turn, user)
    hits = record.hits
    return parts.evidence.all_readable(hits, reader) and len(parts.pipeline.confirmer.confirmed(hits, reader)) == len(hits)


def _explain(parts: Parts, turn_id: str, record: Record) -> None:
    try:
        result = explanation(parts, turn_id, record)
    except ModelUnavailable as error:
        log.warning("explain.model_unavailable", error=str(error))
        explanations.fail(parts.database, turn_id, "model_down")
        return
    explanations.save(parts.database, result)
    log.info("explained", clusters=len(result.effects), calls=result.usage.calls, seconds=result.usage.seconds)


def _regenerate(parts: Parts, record: Record) -> Regenerate:
    """Answers the saved question again, from other evidence, in the way the answer was made."""
    model = parts.explainer.model
    completed = record.completed
    if Note.CONDITIONS_DROPPED in record.answer.notes:
        completed = completed.model_copy(update={"conditions": ()})
    if not record.answer.model:
        return lambda hits: parts.explainer.quote(completed, hits, Note.NO_MODEL)
    if model is None:
        raise ModelUnavailable("the answer is a model's, but LLM_BASE_URL is not set any more")

    def regenerate(hits: Sequence[Hit]) -> Draft:
        deadline = time.time() + parts.settings.llm_timeout_s
        return parts.explainer.ask_model(model, completed, hits, deadline=deadline)

    return regenerate


def _pages(hit: Hit) -> tuple[str, ...]:
    """The pages that a piece gives away: its own, those of its copies, and those they name."""
    return tuple(page_id for copy in hit.everywhere for page_id in (copy.page.id, *copy.evidence.names))


def _past(parts: Parts, turn: Turn, reader: Reader, closed: set[str]) -> Past:
    if turn.record is None or not closed.isdisjoint(hit.evidence.id for hit in turn.record.hits):
        return Past(turn.question)
    if not parts.evidence.all_readable(turn.record.hits, reader):
        return Past(turn.question)
    sources = turn.record.answer.sources
    return Past(turn.question, turn.record.answer.text, sources[0].title if sources else "")
