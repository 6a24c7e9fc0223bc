"""Says what the worker answered: opens the placeholder, shows progress, and puts the final text in its place."""

from __future__ import annotations

import time

from slack_sdk.errors import SlackApiError

from bot import blocks, follow, messages
from bot.follow import Heard
from bot.kit import SECTION_LIMIT
from bot.mrkdwn import escape, quiet, within
from bot.parts import Parts
from bot.speak import Voice, code, is_gone
from core import conversations, logs
from core.conversations import Turn
from core.leases import lease
from core.queue import Task

LATE_S = 3600.0  # a question that nobody could work on is answered up to this much later, then closed with a reason

log = logs.get(__name__)


def answer(parts: Parts, turn_id: str) -> None:
    """See a turn through to its final message; does nothing when that stands already, or is in other hands."""
    with lease(parts.database, f"{Task.DELIVER}:{turn_id}") as held:
        turn = conversations.load(parts.database, turn_id)
        if held is None or turn is None or turn.delivered or turn.is_forgotten:
            return
        try:
            turn = _say_answer(parts, turn)
        except SlackApiError as error:
            if not is_gone(error):
                raise  # the sweeper lets somebody try again
            log.error("deliver.no_place_left", turn=turn_id, error=code(error))
        conversations.delivered(parts.database, turn)


def _say_answer(parts: Parts, turn: Turn) -> Turn:
    """Say it, and give back the turn as it was said; of one that is forgotten meanwhile, nothing more."""
    voice = Voice(parts.client, parts.database, turn, "answer")
    voice.open(_with_question(turn, messages.PLACEHOLDER))
    turn = _finished(parts, _patient(parts, turn), voice)
    if turn.is_forgotten:
        return turn
    above = blocks.build_question(turn.question, turn.user) if turn.by_button else []
    if turn.record is None:
        voice.finish(_with_question(turn, messages.reason(turn.reason)), [*above, *blocks.build_reason(turn.id, turn.reason)])
    else:
        answer = turn.record.answer
        shown = blocks.build_answer(turn.id, turn.record.completed, answer, above)
        voice.finish(_with_question(turn, blocks.answer_as_text(answer)), shown)
    log.info("delivered", turn=turn.id, state=turn.state, reason=turn.reason, seconds=round(time.time() - turn.patience_from, 2))
    return turn


def _with_question(turn: Turn, text: str) -> str:
    """What is asked, where no message of a person says it; by name only in the final blocks, which notify nobody."""
    return f"{messages.asked_by_button(blocks.shown(turn.question))}\n{text}" if turn.by_button else text


def _patient(parts: Parts, turn: Turn) -> Turn:
    """A question that waited for our own programs to come back has not used up its patience by that."""
    now = time.time()
    overdue = now > turn.patience_from + parts.settings.answer_patience_s
    if turn.state == "waiting" and overdue and now < turn.asked_at + LATE_S:
        conversations.be_patient_again(parts.database, turn.id)
        return conversations.load(parts.database, turn.id) or turn
    return turn


def _finished(parts: Parts, turn: Turn, voice: Voice) -> Turn:
    """Wait for the turn to be finished, showing progress; close it with a reason when the patience ends."""
    until = turn.patience_from + parts.settings.answer_patience_s
    heard = Heard()
    for events in follow.events(parts, turn.id):
        heard.hear(events)
        if time.time() > until:
            conversations.fail(parts.database, turn.id, "late")  # does nothing when the answer came at this very moment
        current = conversations.load(parts.database, turn.id) or turn
        if current.state != "waiting":
            return current
        voice.progress(_with_question(turn, _progress(heard)))
    raise AssertionError("events never end")


def _progress(heard: Heard) -> str:
    if heard.text:
        return f"{within(escape(quiet(heard.text)), SECTION_LIMIT)} …"
    return messages.STAGES.get(heard.stage, messages.PLACEHOLDER)
