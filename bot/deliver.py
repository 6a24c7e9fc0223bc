"""Says what the worker found: opens the placeholder, shows progress, and puts the final text in its place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import redis
from slack_sdk.errors import SlackApiError

from bot import blocks, messages
from bot.blocks import SECTION_LIMIT
from bot.mrkdwn import escape, quiet, within
from bot.parts import Parts
from bot.speak import Voice, code, is_gone
from core import conversations, explanations, logs
from core.conversations import Turn
from core.events import Event, explain_channel
from core.explanations import Request
from core.leases import lease
from core.queue import Task

POLL_S = 1.0  # SQL is asked at least this often, whatever Redis says
LATE_S = 3600.0  # a question that nobody could work on is answered up to this much later, then closed with a reason
EXPLAIN_PATIENCE_S = 600.0

log = logs.get(__name__)


def answer(parts: Parts, turn_id: str) -> None:
    """See a turn through to its final message; does nothing when that stands already, or is in other hands."""
    with lease(parts.database, f"{Task.DELIVER}:{turn_id}") as held:
        turn = conversations.load(parts.database, turn_id)
        if held is None or turn is None or turn.delivered:
            return
        try:
            _say_answer(parts, turn)
        except SlackApiError as error:
            if not is_gone(error):
                raise  # the sweeper lets somebody try again
            log.error("deliver.no_place_left", turn=turn_id, error=code(error))
        conversations.delivered(parts.database, turn_id)


def explanation(parts: Parts, turn_id: str) -> None:
    """The same for an explanation."""
    with lease(parts.database, f"{Task.POST_EXPLANATION}:{turn_id}") as held:
        turn = conversations.load(parts.database, turn_id)
        request = explanations.load(parts.database, turn_id)
        if held is None or turn is None or request is None or request.delivered:
            return
        try:
            _say_explanation(parts, turn, request.requested_at + EXPLAIN_PATIENCE_S)
        except SlackApiError as error:
            if not is_gone(error):
                raise
            log.error("deliver.no_place_left", turn=turn_id, error=code(error))
        explanations.delivered(parts.database, turn_id)


def _say_answer(parts: Parts, turn: Turn) -> None:
    voice = Voice(parts.client, parts.database, turn, "answer")
    voice.open(_with_question(turn, messages.PLACEHOLDER))
    turn = _finished(parts, _patient(parts, turn), voice)
    above = blocks.build_question(turn.question, turn.user) if turn.by_button else []
    if turn.record is None:
        voice.finish(_with_question(turn, messages.reason(turn.reason)), [*above, *blocks.build_reason(turn.id, turn.reason)])
    else:
        answer = turn.record.answer
        shown = blocks.build_answer(turn.id, turn.record.completed, answer, above)
        voice.finish(_with_question(turn, blocks.answer_as_text(answer)), shown)
    log.info("delivered", turn=turn.id, state=turn.state, reason=turn.reason, seconds=round(time.time() - turn.patience_from, 2))


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
    heard = _Heard()
    for events in _events(parts, turn.id):
        heard.hear(events)
        if time.time() > until:
            conversations.fail(parts.database, turn.id, "late")  # does nothing when the answer came at this very moment
        current = conversations.load(parts.database, turn.id) or turn
        if current.state != "waiting":
            return current
        voice.progress(_with_question(turn, _progress(heard)))
    raise AssertionError("events never end")


def _progress(heard: _Heard) -> str:
    if heard.text:
        return f"{within(escape(quiet(heard.text)), SECTION_LIMIT)} …"
    return messages.STAGES.get(heard.stage, messages.PLACEHOLDER)


@dataclass
class _Heard:
    """How far the worker is; kept, because what comes too soon after an update is shown by a later one."""

    stage: str = ""
    text: str = ""

    def hear(self, events: list[Event]) -> None:
        for event in events:
            if event.kind == "start":
                self.text = ""
            elif event.kind == "stage":
                self.stage = event.data
            elif event.kind == "text":
                self.text += event.data


def _say_explanation(parts: Parts, turn: Turn, until: float) -> None:
    voice = Voice(parts.client, parts.database, turn, "explanation")
    voice.open(messages.EXPLAINING)
    request = _explained(parts, turn.id, voice, until)
    if request.result:
        voice.finish(blocks.explanation_as_text(request.result), blocks.build_explanation(request.result))
    else:
        sentence = messages.explanation_reason(request.reason)
        voice.finish(sentence, blocks.build_sentence(sentence))


def _explained(parts: Parts, turn_id: str, voice: Voice, until: float) -> Request:
    """Wait for the explanation, showing how far it is; close it with a reason when it takes too long."""
    heard = _Heard()
    for events in _events(parts, explain_channel(turn_id)):
        heard.hear(events)
        if time.time() > until:
            explanations.fail(parts.database, turn_id, "gave_up")
        request = explanations.load(parts.database, turn_id)
        if request is not None and request.state != "waiting":
            return request
        voice.progress(f"{messages.EXPLAINING} {heard.stage}".rstrip())
    raise AssertionError("events never end")


def _events(parts: Parts, channel: str) -> Iterator[list[Event]]:
    """What the worker reports, at once and then at least once in POLL_S, without end; when Redis is away, just the beat."""
    yield []
    while True:
        try:
            yield from parts.events.follow(channel, wait_s=POLL_S)
        except redis.RedisError as error:
            log.warning("events.not_read", channel=channel, error=str(error))
            time.sleep(POLL_S)
            yield []
