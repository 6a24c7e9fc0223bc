"""What the tasks do with a turn: take it, do the work, save it, once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import takewhile

from core import logs
from core.attribution import Explanation
from core.errors import ModelUnavailable, Stopped
from core.jobs.leases import Lease, lease
from core.jobs.progress_events import Event, explain_channel
from core.jobs.queue import TaskName, enqueue
from core.models import Hit, Record, Usage
from core.policy import spending
from core.policy.acl import Reader
from core.turns import backpressure, detail_requests, explanations, thread_queue, turn_store
from core.turns.turn import Turn
from worker import replay, stale_sources
from worker.attribution import chart
from worker.bootstrap import WorkerParts
from worker.cancellation import watched
from worker.manner import manner_of
from worker.prices import cost
from worker.question.rewrite import Past
from worker.replay import ExplanationWatch, SavedCalls

MOST_ATTEMPTS = 3  # a turn that ended three workers is not given a fourth
SPEAKING_S = 5.0  # of the patience is left for saying what was found

log = logs.get(__name__)


def answer(parts: WorkerParts, turn_id: str) -> None:
    """Answer a waiting turn; does nothing when it is finished, too old, in other hands, or when its thread is at another one."""
    turn = turn_store.load(parts.database, turn_id)
    if turn is None or turn.queued:
        return
    with lease(parts.database, thread_queue.key(turn.address)) as alone:
        if alone is None:
            return  # whoever works in this thread calls the next one
        answered = _answer(parts, turn_id)
    thread_queue.call_next(parts.database, turn.address, after=turn_id)
    if answered:
        stale_sources.look_again(
            parts, turn_store.earlier(parts.database, turn)[-stale_sources.MOST :]
        )


def explain(parts: WorkerParts, turn_id: str) -> None:
    """Explain an answered turn on its saved evidence; a second request finds the first one's result."""
    with lease(parts.database, f"{TaskName.EXPLAIN}:{turn_id}") as held:
        request = explanations.load(parts.database, turn_id)
        turn = turn_store.load(parts.database, turn_id)
        if held is None or request is None or request.state != "waiting" or turn is None:
            return
        if turn.record is None or (
            refused := _why_not(parts, turn, turn.record, request.requested_by)
        ):
            explanations.fail(
                parts.database, turn_id, refused if turn.record else "nothing_to_explain"
            )
            return
        stale_sources.look_again(parts, [turn])
        _explain(parts, turn, turn.record, held, request.requested_by)


def admit(parts: WorkerParts, view_id: str) -> None:
    """Decide whether a person may see the details that they have opened; to decide once and tell it twice does no harm."""
    peek = detail_requests.load(parts.database, view_id)
    if peek is None:
        return
    if peek.state == "waiting":
        turn = turn_store.load(parts.database, peek.turn_id)
        detail_requests.decide(
            parts.database,
            view_id,
            may_see=turn is not None and _may_look_into(parts, turn, peek.user),
        )
        stale_sources.look_again(parts, [turn] if turn else [])
    enqueue(TaskName.SHOW_DETAILS, view_id)


def history(parts: WorkerParts, turn: Turn, reader: Reader) -> list[Past]:
    """The earlier turns of the thread, as completion sees them: of an answer from pages that are closed now, only the question."""
    turns = turn_store.earlier(parts.database, turn)
    if not turn.filtered:  # the same question once more: it stands where it was first asked
        turns = tuple(takewhile(lambda earlier: earlier.question != turn.question, turns))
    hits = {
        hit.evidence.id: hit for earlier in turns if earlier.record for hit in earlier.record.hits
    }
    restricted = set(
        parts.evidence.for_some({page_id for hit in hits.values() for page_id in _pages(hit)})
    )
    for_some = [hit for hit in hits.values() if not restricted.isdisjoint(_pages(hit))]
    closed = {hit.evidence.id for hit in for_some} - {
        hit.evidence.id for hit in parts.pipeline.confirmer.confirmed(for_some, reader)
    }
    return [_past(parts, earlier, reader, closed) for earlier in turns]


def _answer(parts: WorkerParts, turn_id: str) -> bool:
    """Whether it has an answer now."""
    with lease(parts.database, f"{TaskName.ANSWER}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        if held is None or turn is None or turn.state != "waiting" or turn.queued:
            return False
        deadline = _deadline(parts, turn)
        if time.time() > deadline:
            return False  # the delivery closes it with a reason
        attempts = turn_store.start(parts.database, turn_id)
        backpressure.call_back(parts.database, turn_id)
        if attempts > MOST_ATTEMPTS:
            turn_store.fail(parts.database, turn_id, "gave_up")
            return False
        try:
            record = _answered(parts, turn, deadline, held)
        except Stopped:
            log.info("answer.stopped")
            return False
        held.check()
        turn_store.answer(parts.database, turn_id, record, edition=turn.edition)
        parts.events.publish(turn_id, Event("done"))
        return True


def _deadline(parts: WorkerParts, turn: Turn) -> float:
    """Until when it has to be answered; waiting in line does not count."""
    patience = parts.settings.answer_patience_s - SPEAKING_S
    now = time.time()
    if (
        turn.attempts == 0
        and turn.patience_from + patience < now < turn.asked_at + backpressure.LATE_S
    ):
        turn_store.be_patient_again(parts.database, turn.id)
        return now + patience
    return turn.patience_from + patience


def _answered(parts: WorkerParts, turn: Turn, deadline: float, held: Lease) -> Record:
    over = threading.Event()

    def check() -> None:
        held.check()
        if over.is_set() or not turn_store.is_waiting(parts.database, turn.id):
            raise Stopped("nobody waits for the answer any more")

    def report(event: Event) -> None:
        if over.is_set():
            raise Stopped("nobody waits for the answer any more")
        parts.events.publish(turn.id, event)

    try:
        record = watched(lambda: _found(parts, turn, deadline, report), check)
    finally:
        over.set()
    log.info(
        "answered",
        hits=len(record.hits),
        notes=[note.value for note in record.answer.notes],
        seconds=record.seconds,
    )
    return record.model_copy(update={"settings": parts.settings.of_answers})


def _found(
    parts: WorkerParts, turn: Turn, deadline: float, report: Callable[[Event], None]
) -> Record:
    manner = manner_of(parts.database, parts.settings, turn)
    reader = parts.readers.of(turn).within(manner.spaces)
    past = history(parts, turn, reader)
    pipeline = parts.frugal if _is_used_up(parts, turn, turn.user) else parts.pipeline
    record = pipeline.answer(
        turn.question,
        past,
        deadline=deadline,
        reader=reader,
        filtered=turn.filtered,
        manner=manner,
        report=report,
    )
    _charge(parts, turn, turn.user, model=record.answer.model or parts.settings.llm_model or "")(
        record.usage
    )
    return record


def _is_used_up(parts: WorkerParts, turn: Turn, user: str) -> bool:
    return spending.is_used_up(parts.database, parts.settings, turn.address.team, user)


def _charge(parts: WorkerParts, turn: Turn, user: str, *, model: str) -> Callable[[Usage], None]:
    """Counts what is paid for this person."""

    def charge(usage: Usage) -> None:
        money = cost(usage, model, parts.settings.prices)
        spending.spend(parts.database, turn.address.team, user, usage=usage, money=money)

    return charge


def _explain(parts: WorkerParts, turn: Turn, record: Record, held: Lease, user: str) -> None:
    turn_id = turn.id

    def check() -> None:
        held.check()
        request = explanations.load(parts.database, turn_id)
        if request is None or request.state != "waiting":
            raise Stopped("nobody waits for the explanation any more")

    def report(done: int, of: int) -> None:
        parts.events.publish(explain_channel(turn_id), Event("stage", f"{done}/{of}"))

    try:
        charge = _charge(
            parts, turn, user, model=parts.explainer.model.name if parts.explainer.model else ""
        )
        result = replay.explain(
            parts,
            turn_id,
            record,
            ExplanationWatch(report, SavedCalls(parts.database, turn_id, charge), check),
        )
    except ModelUnavailable as error:
        log.warning("explain.model_unavailable", error=str(error))
        explanations.fail(parts.database, turn_id, "model_down")
    except Stopped:
        log.info("explain.stopped")
    else:
        held.check()
        explanations.save(parts.database, result, _picture(parts, result))
        log.info(
            "explained",
            clusters=len(result.effects),
            calls=result.usage.calls,
            seconds=result.seconds,
        )


def _why_not(parts: WorkerParts, turn: Turn, record: Record, user: str) -> str:
    """The key of the reason why this answer cannot be explained for this person; empty when it can."""
    if explanations.start(parts.database, turn.id) > MOST_ATTEMPTS:
        return "gave_up"
    if record.completed.forgotten:
        return "forgotten"
    if record.answer.model and _is_used_up(parts, turn, user):
        return "budget"
    return "" if _may_see(parts, turn, record, user) else "closed"


def _may_see(parts: WorkerParts, turn: Turn, record: Record, user: str) -> bool:
    """Whether every piece of the evidence is still there for whoever asks, and for everybody else who will read it."""
    reader = parts.readers.of(turn, user)
    hits = record.hits
    return parts.evidence.all_readable(hits, reader) and len(
        parts.pipeline.confirmer.confirmed(hits, reader)
    ) == len(hits)


def _may_look_into(parts: WorkerParts, turn: Turn, user: str) -> bool:
    """All that an answer was made from is shown to somebody who may see each piece; what was asked in private, to nobody else."""
    if turn.record is None or (turn.private and user != turn.user):
        return False
    completed = turn.record.completed  # of the turns before it, it may hold titles
    before = (
        turn_store.earlier(parts.database, turn)
        if completed.context or completed.text != completed.question
        else ()
    )
    return all(_may_see(parts, each, each.record, user) for each in (turn, *before) if each.record)


def _picture(parts: WorkerParts, result: Explanation) -> bytes | None:
    """The chart; what cannot be drawn is said in words all the same."""
    if not parts.settings.explain_picture:
        return None
    try:
        return chart.draw(result)
    except (OSError, RuntimeError, ValueError) as error:  # fonts, caches, numbers that are none
        log.warning("chart.not_drawn", error=str(error))
        return None


def _pages(hit: Hit) -> tuple[str, ...]:
    """The pages that a piece gives away: its own, those of its copies, and those they name."""
    return tuple(
        page_id for copy in hit.everywhere for page_id in (copy.page.id, *copy.evidence.names)
    )


def _past(parts: WorkerParts, turn: Turn, reader: Reader, closed: set[str]) -> Past:
    if turn.record is None or not closed.isdisjoint(hit.evidence.id for hit in turn.record.hits):
        return Past(turn.question)
    if not parts.evidence.all_readable(turn.record.hits, reader):
        return Past(turn.question)
    sources = turn.record.answer.sources
    return Past(turn.question, turn.record.answer.text, sources[0].title if sources else "")
