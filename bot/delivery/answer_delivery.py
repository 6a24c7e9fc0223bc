"""Delivers an answer: posts the placeholder, shows progress, and posts the final text."""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError

from bot.delivery import delete_messages, progress_events
from bot.delivery.answer_progress import AnswerProgress
from bot.delivery.progress_events import WorkerProgress
from bot.delivery.retry_policy import again_in_s
from bot.delivery.status import WorkStatus
from bot.delivery.turn_message import TurnMessage
from bot.slack_api.parts import BotParts
from bot.views import answer_blocks, messages
from bot.views.answer_blocks import Message
from bot.views.mrkdwn import escape, sanitize
from bot.views.progress import build_stopped
from core import logs
from core.jobs.leases import lease
from core.jobs.queue import TaskName
from core.states import NoAnswer, PostKind, TurnState
from core.turns import backpressure, post_store, thread_queue, turn_delivery, turn_store
from core.turns.turn import Turn

log = logs.get(__name__)


def deliver(parts: BotParts, turn_id: str) -> None:
    """See a turn through to its final message.

    Does nothing when that message was posted already, or when another process holds the lease.
    """
    with lease(parts.database, f"{TaskName.DELIVER}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        if held is None or turn is None or turn.delivered or turn.is_forgotten:
            return
        lost = False
        try:
            final = _deliver(parts, turn)
        except SlackApiError as error:
            wait = again_in_s(error, turn.deliver_from)
            if wait is not None:  # after that time the sweeper enqueues it again
                turn_delivery.deliver_later(parts.database, turn, wait)
                return
            final, lost = turn, True
        if final is not None:
            turn_delivery.delivered(parts.database, final, lost=lost)


def _deliver(parts: BotParts, turn: Turn) -> Turn | None:
    """The turn as it was posted; None when it is not answered yet and this thread steps aside.

    Of a turn that is forgotten meanwhile, nothing more is posted.
    """
    with WorkStatus(parts, turn) as status:
        progress = AnswerProgress(parts, turn, status)
        patient = _with_new_patience(parts, turn)
        if patient is turn and _stepped_aside(parts, turn, progress):
            return None
        turn, received = _finished(parts, patient, progress)
        if turn.is_forgotten:
            return turn
        first, *rest = _final(turn, received)
        progress.finish(*first)
    _post_rest(parts, turn, rest)
    seconds = time.time() - turn.patience_from
    log.info(
        "delivered",
        turn=turn.id,
        state=turn.state,
        reason=turn.reason,
        seconds=round(seconds, 2),
    )
    return turn


def _stepped_aside(parts: BotParts, turn: Turn, progress: AnswerProgress) -> bool:
    """Backpressure: whether this turn waits without a thread here, because others need one."""
    if turn.state != TurnState.WAITING or not backpressure.others_wait_for_a_speaker():
        return False
    progress.wait(queued=turn.queued)
    # The patience of a queued turn has not begun.
    since = time.time() if turn.queued else turn.patience_from
    until = since + parts.settings.answer_patience_s
    return backpressure.step_aside(parts.database, turn.id, until)


def _post_rest(parts: BotParts, turn: Turn, rest: Sequence[Message]) -> None:
    """The other messages of a long answer; a re-delivered one may need fewer than before."""
    for number, (text, blocks) in enumerate(rest, 2):
        message = TurnMessage(parts.client, parts.database, turn, PostKind.ANSWER, number)
        message.finish(text, blocks)
    last = 1 + len(rest)
    for post in post_store.of_turn(parts.database, turn.id):
        if post.kind is PostKind.ANSWER and post.number > last:
            delete_messages.delete(parts, turn, post)
            post_store.drop(parts.database, post)


def _is_overdue(parts: BotParts, turn: Turn) -> bool:
    if turn.queued or turn.state != TurnState.WAITING:
        return False
    return time.time() > turn.patience_from + parts.settings.answer_patience_s


def _may_wait_longer(turn: Turn) -> bool:
    return time.time() < turn.asked_at + backpressure.LATE_S


def _with_new_patience(parts: BotParts, turn: Turn) -> Turn:
    """The patience starts again for a question that waited for our own programs to restart."""
    if not _is_overdue(parts, turn) or not _may_wait_longer(turn):
        return turn
    turn_store.be_patient_again(parts.database, turn.id)
    return turn_store.load(parts.database, turn.id) or turn


def _finished(parts: BotParts, turn: Turn, progress: AnswerProgress) -> tuple[Turn, WorkerProgress]:
    """Wait for the turn to finish, showing progress; close it with a reason when patience ends."""
    received, look_at = WorkerProgress(), 0.0
    for events in progress_events.events(parts, turn.id):
        received.apply(events)
        # SQL is not read again for every word of a growing answer.
        if received.done or time.monotonic() >= look_at:
            look_at = time.monotonic() + progress_events.POLL_S
            turn = _reload(parts, turn)
            if turn.state != TurnState.WAITING:
                return turn, received
        progress.show(received, queued=turn.queued)
    raise AssertionError("events never end")


def _reload(parts: BotParts, turn: Turn) -> Turn:
    turn = turn_store.load(parts.database, turn.id) or turn
    if not _is_overdue(parts, turn):
        return turn
    _lose_patience(parts, turn)
    return turn_store.load(parts.database, turn.id) or turn


def _lose_patience(parts: BotParts, turn: Turn) -> None:
    """Close the turn, unless workers are busy with others and it was not begun yet.

    Does nothing when the answer came at this very moment.
    """
    untouched = turn.attempts == 0 and _may_wait_longer(turn)
    if untouched and backpressure.moves(parts.database):
        turn_store.be_patient_again(parts.database, turn.id)
    elif turn_store.fail(parts.database, turn.id, NoAnswer.LATE):
        thread_queue.call_next(parts.database, turn.address, after=turn.id)


def _final(turn: Turn, received: WorkerProgress) -> list[Message]:
    """The final messages; a long answer has several."""
    above, record = [], turn.record
    if turn.by_button:
        above = answer_blocks.build_question(turn.question, turn.user)
    if record is not None:
        return answer_blocks.build_messages(turn.id, record.completed, record.answer, above)
    text, written = messages.reason(turn.reason, turn.refused_until), ""
    if turn.reason is NoAnswer.STOPPED:
        written = sanitize(received.text).strip()
    if written:
        text = f"{escape(written)}\n{text}"
    blocks = build_stopped(turn, written, above)
    return [Message(text, blocks)]
