"""Sees an explanation through to its final message: how far it is, with a way to stop it, then what came of it."""

from __future__ import annotations

import time

from slack_sdk.errors import SlackApiError

from bot.delivery import chart_upload, progress_events
from bot.delivery.retry_policy import again_in_s
from bot.delivery.turn_message import TurnMessage
from bot.slack_api.parts import BotParts
from bot.views import explanation_blocks, messages
from core import logs
from core.attribution import Explanation
from core.jobs.leases import lease
from core.jobs.progress_events import explain_channel
from core.jobs.queue import TaskName
from core.turns import explanations, post_store, turn_store
from core.turns.explanations import Request
from core.turns.turn import Turn

PATIENCE_S = 600.0

log = logs.get(__name__)


def deliver(parts: BotParts, turn_id: str) -> None:
    """Say what is known of the explanation until it is finished; does nothing when that stands already, or is in other hands."""
    with lease(parts.database, f"{TaskName.POST_EXPLANATION}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        request = explanations.load(parts.database, turn_id)
        if held is None or turn is None or request is None or request.delivered:
            return
        try:
            _say(parts, turn, request.requested_at + PATIENCE_S)
        except SlackApiError as error:
            wait = again_in_s(error, request.requested_at)
            if wait is not None:
                explanations.deliver_later(parts.database, turn_id, wait)
                return
        explanations.delivered(parts.database, turn_id)


def _say(parts: BotParts, turn: Turn, until: float) -> None:
    voice = TurnMessage(parts.client, parts.database, turn, "explanation")
    voice.open(
        messages.explanations.EXPLAINING,
        explanation_blocks.build_progress(turn.id, messages.explanations.EXPLAINING),
    )
    request = _finished(parts, turn.id, voice, until)
    if request is None:
        return
    if request.result is None:
        voice.finish(
            messages.explanations.reason(request.reason),
            explanation_blocks.build_failure(turn.id, request.reason),
        )
        return
    voice.finish(
        explanation_blocks.as_text(request.result),
        explanation_blocks.build_explanation(request.result),
    )
    if request.has_picture:
        _illustrate(parts, voice, request.result)


def _illustrate(parts: BotParts, voice: TurnMessage, result: Explanation) -> None:
    """Add the chart to what stands there; the message is complete without."""
    png = explanations.picture(parts.database, result.turn_id)
    file_id = parts.pictures.upload(png) if png else ""
    if file_id:
        post_store.save_file(parts.database, result.turn_id, "explanation", file_id)
        chart_upload.show(
            voice,
            explanation_blocks.as_text(result),
            explanation_blocks.build_explanation(result, file_id),
        )


def _finished(parts: BotParts, turn_id: str, voice: TurnMessage, until: float) -> Request | None:
    """Wait for the explanation, showing how far it is; close it with a reason when it takes too long. None: it is forgotten."""
    heard, pace = progress_events.Heard(), progress_events.ProgressRate()
    for events in progress_events.events(parts, explain_channel(turn_id)):
        heard.hear(events)
        now = time.time()
        pace.hear(heard.stage, now)
        if now > until:
            explanations.fail(parts.database, turn_id, "gave_up")
        request = explanations.load(parts.database, turn_id)
        if request is None or request.state != "waiting":
            return request
        sentence = messages.explanations.explaining(pace.done, pace.of, pace.seconds_left(now))
        voice.progress(sentence, explanation_blocks.build_progress(turn_id, sentence))
    raise AssertionError("events never end")
