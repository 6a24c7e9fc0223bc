"""The job that explains an answer: under a lease, within the budget, and saved once."""

from __future__ import annotations

from functools import partial

from core import logs
from core.attribution import Explanation
from core.errors import KeptInside, ModelUnavailable, NoScores, Stopped
from core.jobs.leases import Lease, lease
from core.jobs.progress_events import Event, EventKind, explain_channel
from core.jobs.queue import TaskName
from core.language.sentences import sentences
from core.models import Record
from core.states import ExplanationState, NoExplanation
from core.turns import explanations, turn_store
from core.turns.turn import Turn
from worker import budget, confirmation, replay
from worker.attribution import chart
from worker.bootstrap import WorkerParts
from worker.evidence_access import may_see_evidence
from worker.jobs import MOST_ATTEMPTS
from worker.replay import ExplanationWatch, SavedCalls

log = logs.get(__name__)


def explain(parts: WorkerParts, turn_id: str) -> None:
    """Explain an answered turn on its saved evidence; a second request finds the same result."""
    with lease(parts.database, f"{TaskName.EXPLAIN}:{turn_id}") as held:
        request = explanations.load(parts.database, turn_id)
        turn = turn_store.load(parts.database, turn_id)
        if held is None or request is None or turn is None:
            return
        if request.state != ExplanationState.WAITING:
            return
        refused = _refusal(parts, turn, request.requested_by)
        if turn.record is None or refused:
            why = refused or NoExplanation.NOTHING_TO_EXPLAIN
            explanations.fail(parts.database, turn_id, why)
            return
        confirmation.mark_stale(parts, [turn])
        _explain(parts, turn, turn.record, held, request.requested_by)


def _explain(
    parts: WorkerParts,
    turn: Turn,
    record: Record,
    held: Lease,
    user: str,
) -> None:
    turn_id = turn.id

    def check() -> None:
        held.check()
        request = explanations.load(parts.database, turn_id)
        if request is None or request.state != ExplanationState.WAITING:
            raise Stopped("nobody waits for the explanation any more")

    def report(done: int, of: int) -> None:
        parts.events.publish(explain_channel(turn_id), Event(EventKind.COUNT, done=done, total=of))

    model = parts.explainer.model.name if parts.explainer.model else ""
    charge = partial(budget.charge, parts, turn, user, model=model)
    calls = SavedCalls(parts.database, turn_id, charge)
    try:
        result = replay.explain(parts, turn_id, record, ExplanationWatch(report, calls, check))
    except (KeptInside, ModelUnavailable) as error:
        explanations.fail(parts.database, turn_id, _logged(error))
    except Stopped:
        log.info("explain.stopped")
    else:
        if not may_see_evidence(parts, turn, record, user):
            explanations.fail(parts.database, turn_id, NoExplanation.CLOSED)
            return
        picture = _chart(parts, result, record.completed.language)
        explanations.save(parts.database, result, picture)
        clusters, calls_made = len(result.effects), result.usage.calls
        log.info("explained", clusters=clusters, calls=calls_made, seconds=result.seconds)


def _logged(error: KeptInside | ModelUnavailable) -> NoExplanation:
    """Why there is no explanation, once the log has it."""
    if isinstance(error, KeptInside):
        log.warning("explain.kept_inside", error=str(error))
        return NoExplanation.KEPT_INSIDE
    if isinstance(error, NoScores):
        log.warning("explain.no_scores", error=str(error))
        return NoExplanation.NO_SCORES
    log.warning("explain.model_unavailable", error=str(error))
    return NoExplanation.MODEL_DOWN


def _refusal(
    parts: WorkerParts,
    turn: Turn,
    user: str,
) -> NoExplanation | None:
    """Why this answer cannot be explained for this person; None when it can."""
    record = turn.record
    if record is None:
        return NoExplanation.NOTHING_TO_EXPLAIN
    if explanations.start(parts.database, turn.id) > MOST_ATTEMPTS:
        return NoExplanation.GAVE_UP
    if record.completed.forgotten:
        return NoExplanation.FORGOTTEN
    if record.answer.model and budget.is_over(parts, turn, user):
        return NoExplanation.BUDGET
    return None if may_see_evidence(parts, turn, record, user) else NoExplanation.CLOSED


def _chart(parts: WorkerParts, result: Explanation, language: str) -> bytes | None:
    """The chart; without one the words say it all the same."""
    if not parts.settings.explain_picture:
        return None
    try:
        return chart.draw(result, sentences(language))
    except (OSError, RuntimeError, ValueError) as error:  # fonts, caches, numbers that are none
        log.warning("chart.not_drawn", error=str(error))
        return None
