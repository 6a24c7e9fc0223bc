"""Jobs behind the Celery tasks: each takes a turn under a lease, does the work, saves it once."""

from __future__ import annotations

import threading

from core import logs
from core.access.disclosure import EVERYBODY
from core.errors import AccessUnknown, EvidenceClosed, LeaseLost, Stopped
from core.jobs.leases import Lease, lease
from core.jobs.progress_events import Event, EventKind
from core.jobs.queue import TaskName, enqueue
from core.states import DetailKind, DetailState, NoAnswer, TurnState
from core.storage import clock
from core.turns import backpressure, detail_requests, thread_queue, turn_delivery, turn_store
from core.turns.turn import Turn
from worker import confirmation
from worker.afterwards.late_suggestions import Suggesting
from worker.answering.made import DELIVERY_S, made_for
from worker.bootstrap import WorkerParts
from worker.cancellation import run_cancellable
from worker.evidence_access import may_be_told, may_see_details
from worker.generation.endpoint.waiting import PAUSE_S

MOST_ATTEMPTS = 3  # a turn that ended three workers is not given a fourth

log = logs.get(__name__)


def answer(parts: WorkerParts, turn_id: str) -> Suggesting | None:
    """Answer a waiting turn; the answer, whose suggestions may join it later.

    Does nothing when the turn is finished, too old or leased by another worker, or when its thread
    is at another turn.
    """
    turn = turn_store.load(parts.database, turn_id)
    if turn is None or turn.queued or not turn.vetted:
        return None
    with lease(parts.database, thread_queue.key(turn.address)) as thread:
        if thread is None:
            return None  # whoever works in this thread calls the next one
        try:
            suggesting = _answer(parts, turn_id)
        except LeaseLost:
            log.warning("answer.lease_lost", turn=turn_id)
            return None  # another worker answers it, and calls the next one
    ended = turn_id if turn_store.is_as_asked(parts.database, turn) else ""
    thread_queue.call_next(parts.database, turn.address, after=ended)
    if suggesting:
        earlier = turn_store.earlier(parts.database, turn)
        for each in earlier[-confirmation.LOOKED_AT :]:
            confirmation.confirm(parts, each.id)
        confirmation.mark_stale(parts, earlier[-confirmation.LOOKED_AT :])
    return suggesting


def admit(parts: WorkerParts, view_id: str) -> None:
    """Decide whether a person may see the details of an answer that they have opened.

    Idempotent: it is decided once, and to show the decision twice does no harm.
    """
    request = detail_requests.load(parts.database, view_id)
    if request is None:
        return
    if request.state == DetailState.WAITING:
        turn = turn_store.load(parts.database, request.turn_id)
        decides = may_be_told if request.what is DetailKind.HAND_OVER else may_see_details
        may_see = turn is not None and decides(parts, turn, request.user)
        audience = parts.readers.of(turn, request.user).account if turn else EVERYBODY
        detail_requests.decide(parts.database, view_id, may_see=may_see, audience=audience)
        confirmation.mark_stale(parts, [turn] if turn else [])
    if request.what is not DetailKind.HAND_OVER:  # somebody waits for it in SQL
        enqueue(TaskName.SHOW_DETAILS, view_id)


def _answer(parts: WorkerParts, turn_id: str) -> Suggesting | None:
    """The answer that it has now, with what is still looked for."""
    with lease(parts.database, f"{TaskName.ANSWER}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        if held is None or turn is None or turn.state != TurnState.WAITING or turn.queued:
            return None
        if not turn.vetted:  # whoever finds out who asks enqueues it
            return None
        deadline = _deadline(parts, turn)
        if clock.now() > deadline:
            return None  # the delivery closes it with a reason
        attempts = turn_store.start(parts.database, turn_id)
        backpressure.call_back(parts.database, turn_id)
        if attempts > MOST_ATTEMPTS:
            turn_store.fail(parts.database, turn_id, NoAnswer.GAVE_UP)
            return None
        made = _made_or_reason(parts, turn, deadline, held)
        if not isinstance(made, Suggesting):
            _fail(parts, turn, made)
            return None
        record = made.joined()
        turn_store.answer(
            parts.database, turn_id, record, edition=turn.edition, edited_ts=turn.edited_ts
        )
        parts.events.publish(turn_id, Event(EventKind.DONE))
        return made


def _made_or_reason(
    parts: WorkerParts,
    turn: Turn,
    deadline: float,
    held: Lease,
) -> Suggesting | NoAnswer:
    """The answer, or why there is none; once more when pages were closed while it was made."""
    for _ in range(2):
        try:
            return _answered(parts, turn, deadline, held)
        except Stopped:
            return NoAnswer.STOPPED
        except AccessUnknown as error:
            log.warning("answer.unconfirmed", error=str(error))
            return NoAnswer.UNCONFIRMED
        except EvidenceClosed:
            log.info("answer.evidence_closed")
    return NoAnswer.CLOSED


def _fail(parts: WorkerParts, turn: Turn, reason: NoAnswer) -> None:
    if reason is NoAnswer.STOPPED:
        # Whoever stopped it has closed it with a reason, or has edited its question.
        log.info("answer.stopped")
        return
    turn_store.fail(parts.database, turn.id, reason, edited_ts=turn.edited_ts)
    parts.events.publish(turn.id, Event(EventKind.DONE))


def _deadline(parts: WorkerParts, turn: Turn) -> float:
    """Until when it has to be answered; time in the queue does not count."""
    patience = parts.settings.answer_patience_s - DELIVERY_S
    deadline = turn.patience_from + patience
    now = clock.now()
    is_late = now >= turn.asked_at + backpressure.LATE_S
    if turn.attempts == 0 and deadline < now and not is_late:
        turn_store.be_patient_again(parts.database, turn.id)
        return now + patience
    return deadline


def _answered(
    parts: WorkerParts,
    turn: Turn,
    deadline: float,
    held: Lease,
) -> Suggesting:
    over = threading.Event()
    waiting = turn_delivery.KeptOpen(parts.database, turn, parts.settings.answer_patience_s)

    def check() -> None:
        held.check()
        if over.is_set() or not turn_store.is_waiting(parts.database, turn):
            raise Stopped("nobody waits for the answer any more")

    def report(event: Event) -> None:
        if over.is_set():
            raise Stopped("nobody waits for the answer any more")
        if event.kind is EventKind.TEXT:
            waiting.for_s(PAUSE_S + DELIVERY_S)
        parts.events.publish(turn.id, event, key=turn.words_key)

    try:
        made = run_cancellable(lambda: made_for(parts, turn, deadline, report), check)
    finally:
        over.set()
    record = made.record
    notes = [note.value for note in record.answer.notes]
    log.info(
        "answered",
        hits=len(record.hits),
        notes=notes,
        seconds=record.seconds,
    )
    return made
