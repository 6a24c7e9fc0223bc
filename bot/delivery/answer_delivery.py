"""Says what the worker answered: opens the placeholder, shows progress, and puts the final text in its place."""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError

from bot.delivery import delete_messages, progress_events
from bot.delivery.answer_progress import AnswerProgress
from bot.delivery.progress_events import Heard
from bot.delivery.retry_policy import again_in_s
from bot.delivery.status import WorkStatus
from bot.delivery.turn_message import ANSWER, TurnMessage
from bot.slack_api.parts import BotParts
from bot.views import answer_blocks, messages
from bot.views.answer_blocks import Message
from bot.views.mrkdwn import escape, quiet
from bot.views.progress import build_stopped
from core import logs
from core.jobs.leases import lease
from core.jobs.queue import TaskName
from core.turns import backpressure, post_store, thread_queue, turn_delivery, turn_store
from core.turns.turn import Turn

log = logs.get(__name__)


def answer(parts: BotParts, turn_id: str) -> None:
    """See a turn through to its final message; does nothing when that stands already, or is in other hands."""
    with lease(parts.database, f"{TaskName.DELIVER}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        if held is None or turn is None or turn.delivered or turn.is_forgotten:
            return
        lost = False
        try:
            said = _say_answer(parts, turn)
        except SlackApiError as error:
            # What is shown anew may be of long ago: that it is refused, it is not.
            wait = again_in_s(error, time.time() if turn.edition else turn.asked_at)
            if wait is not None:
                turn_delivery.deliver_later(
                    parts.database, turn, wait
                )  # then the sweeper lets somebody try again
                return
            said, lost = turn, True
        if said is not None:
            turn_delivery.delivered(parts.database, said, lost=lost)


def _say_answer(parts: BotParts, turn: Turn) -> Turn | None:
    """Say it, and give back the turn as it was said; None when it is not found yet, and others need the speaker more.

    Of a turn that is forgotten meanwhile, nothing more is said.
    """
    with WorkStatus(parts, turn) as presence:
        telling = AnswerProgress(parts, turn, presence)
        patient = _patient(parts, turn)
        if patient is turn and _stepped_aside(parts, turn, telling):
            return None
        turn, heard = _finished(parts, patient, telling)
        if turn.is_forgotten:
            return turn
        first, *more = _final(turn, heard)
        telling.finish(*first)
    _say_more(parts, turn, more)
    log.info(
        "delivered",
        turn=turn.id,
        state=turn.state,
        reason=turn.reason,
        seconds=round(time.time() - turn.patience_from, 2),
    )
    return turn


def _stepped_aside(parts: BotParts, turn: Turn, telling: AnswerProgress) -> bool:
    """Whether this one waits in line without us, because others wait for somebody who speaks; its message says so."""
    if turn.state != "waiting" or not backpressure.others_wait_for_a_speaker():
        return False
    telling.wait(queued=turn.queued)
    from_now = (
        time.time() if turn.queued else turn.patience_from
    )  # the patience of a queued one has not begun
    return backpressure.step_aside(
        parts.database, turn.id, from_now + parts.settings.answer_patience_s
    )


def _say_more(parts: BotParts, turn: Turn, more: Sequence[Message]) -> None:
    """The other messages of a long answer; shown anew, it may need fewer than before."""
    kinds = [f"{ANSWER}-{number}" for number in range(2, len(more) + 2)]
    for kind, said in zip(kinds, more, strict=True):
        TurnMessage(parts.client, parts.database, turn, kind).finish(*said)
    for post in post_store.of_turn(parts.database, turn.id):
        if post.kind.startswith(f"{ANSWER}-") and post.kind not in kinds:
            delete_messages.delete(parts, turn, post)
            post_store.drop(parts.database, post)


def _patient(parts: BotParts, turn: Turn) -> Turn:
    """A question that waited for our own programs to come back has not used up its patience by that."""
    now = time.time()
    overdue = not turn.queued and now > turn.patience_from + parts.settings.answer_patience_s
    if turn.state == "waiting" and overdue and now < turn.asked_at + backpressure.LATE_S:
        turn_store.be_patient_again(parts.database, turn.id)
        return turn_store.load(parts.database, turn.id) or turn
    return turn


def _finished(parts: BotParts, turn: Turn, telling: AnswerProgress) -> tuple[Turn, Heard]:
    """Wait for the turn to be finished, showing progress; close it with a reason when the patience ends."""
    heard, look_at = Heard(), 0.0
    for events in progress_events.events(parts, turn.id):
        heard.hear(events)
        if heard.done or time.monotonic() >= look_at:  # not for every word of a growing answer
            look_at = time.monotonic() + progress_events.POLL_S
            turn = _as_it_is_now(parts, turn)
            if turn.state != "waiting":
                return turn, heard
        telling.show(heard, queued=turn.queued)
    raise AssertionError("events never end")


def _as_it_is_now(parts: BotParts, turn: Turn) -> Turn:
    turn = turn_store.load(parts.database, turn.id) or turn
    if (
        turn.state != "waiting"
        or turn.queued
        or time.time() <= turn.patience_from + parts.settings.answer_patience_s
    ):
        return turn
    _lose_patience(parts, turn)
    return turn_store.load(parts.database, turn.id) or turn


def _lose_patience(parts: BotParts, turn: Turn) -> None:
    """Close it, unless others are being answered and its turn has not come; does nothing when the answer came at this very moment."""
    in_line = (
        turn.attempts == 0
        and time.time() < turn.asked_at + backpressure.LATE_S
        and backpressure.moves(parts.database)
    )
    if in_line:
        turn_store.be_patient_again(parts.database, turn.id)
    elif turn_store.fail(parts.database, turn.id, "late"):
        thread_queue.call_next(parts.database, turn.address, after=turn.id)


def _final(turn: Turn, heard: Heard) -> list[Message]:
    """What stands there in the end; a long answer is several messages."""
    above = answer_blocks.build_question(turn.question, turn.user) if turn.by_button else []
    if turn.record is not None:
        return answer_blocks.build_messages(
            turn.id, turn.record.completed, turn.record.answer, above
        )
    written = quiet(heard.text).strip() if turn.reason == "stopped" else ""
    text = "\n".join([*([escape(written)] if written else []), messages.reason(turn.reason)])
    return [Message(text, build_stopped(turn.id, turn.reason, written, above))]
