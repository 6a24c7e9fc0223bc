"""Answers by themselves questions that ended late, or quoted because the model was down."""

from __future__ import annotations

from core import logs, metrics
from core.errors import AccessUnknown, EvidenceClosed, Stopped
from core.jobs.leases import Lease, lease
from core.jobs.queue import TaskName, enqueue_or_log
from core.models import Record
from core.states import TurnState
from core.storage import clock
from core.turns import turn_store
from core.turns.anew import taking_up
from core.turns.turn import Turn
from worker.answering.made import DELIVERY_S, made_for
from worker.bootstrap import WorkerParts
from worker.cancellation import run_cancellable
from worker.pipeline.steps import ignore_event

log = logs.get(__name__)


def take_up(parts: WorkerParts, turn_id: str) -> None:
    """Put an answer in the place of a reason, or one that the model wrote in that of quotes.

    Until then everything stays as it is, in SQL and in Slack, so this may be killed at any moment.
    Does nothing where the turn is to be left alone, or is leased by another worker.
    """
    with lease(parts.database, f"{TaskName.ANSWER}:{turn_id}") as held:
        if held is None or not taking_up.begin(parts.database, turn_id):
            return
        turn = turn_store.load(parts.database, turn_id)
        record = _better(parts, turn, held) if turn else None
        if turn is None or record is None:
            return
        if taking_up.save(parts.database, turn, record):
            metrics.TAKEN_UP.inc()
            log.info("answer.taken_up", turn=turn_id, before=turn.reason or turn.state)
            enqueue_or_log(turn_id, TaskName.DELIVER)


def _better(parts: WorkerParts, turn: Turn, held: Lease) -> Record | None:
    """The answer that there is now; None when it is no better than what the turn ended with."""

    def check() -> None:
        held.check()
        if not taking_up.is_unchanged(parts.database, turn):
            raise Stopped("the turn has changed")

    deadline = clock.now() + parts.settings.answer_patience_s - DELIVERY_S
    try:
        made = run_cancellable(lambda: made_for(parts, turn, deadline, ignore_event), check)
    except (AccessUnknown, EvidenceClosed, Stopped) as error:
        log.info("answer.not_taken_up", turn=turn.id, error=str(error))
        return None
    record = made.joined()
    return record if turn.state == TurnState.FAILED or record.answer.model else None
