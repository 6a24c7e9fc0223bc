"""Delivers an explanation: shows its progress with a Stop button, then the result and its chart."""

from __future__ import annotations

import time

from slack_sdk.errors import SlackApiError

from bot.delivery import chart_upload, progress_events
from bot.delivery.retry_policy import again_in_s
from bot.delivery.turn_message import TurnMessage
from bot.slack_api.parts import BotParts
from bot.views import explanation_blocks, explanation_text, messages
from core import logs
from core.attribution import Explanation
from core.jobs.leases import lease
from core.jobs.progress_events import explain_channel
from core.jobs.queue import TaskName
from core.states import ExplanationState, NoExplanation, PostKind
from core.turns import explanations, post_store, turn_store
from core.turns.explanations import Request
from core.turns.turn import Turn

PATIENCE_S = 600.0

log = logs.get(__name__)


def deliver(parts: BotParts, turn_id: str) -> None:
    """Show the explanation's progress until it is finished.

    Does nothing when the result was posted already, or when another process holds the lease.
    """
    with lease(parts.database, f"{TaskName.POST_EXPLANATION}:{turn_id}") as held:
        turn = turn_store.load(parts.database, turn_id)
        request = explanations.load(parts.database, turn_id)
        if held is None or turn is None or request is None or request.delivered:
            return
        try:
            _deliver(parts, turn, request.requested_at + PATIENCE_S)
        except SlackApiError as error:
            wait = again_in_s(error, request.requested_at)
            if wait is not None:
                explanations.deliver_later(parts.database, turn_id, wait)
                return
        explanations.delivered(parts.database, turn_id)


def _deliver(parts: BotParts, turn: Turn, until: float) -> None:
    message = TurnMessage(parts.client, parts.database, turn, PostKind.EXPLANATION)
    sentence = messages.explanations.EXPLAINING
    blocks = explanation_blocks.build_progress(turn.id, sentence)
    message.post(sentence, blocks)
    request = _finished(parts, turn.id, message, until)
    if request is None:
        return
    if request.result is None:
        reason = messages.explanations.reason(request.reason)
        blocks = explanation_blocks.build_failure(turn.id, request.reason)
        message.finish(reason, blocks)
        return
    text = explanation_text.as_text(request.result)
    message.finish(text, explanation_blocks.build_explanation(request.result))
    if request.has_picture:
        _add_chart(parts, message, request.result)


def _add_chart(parts: BotParts, message: TurnMessage, result: Explanation) -> None:
    """Add the chart to the message, which is complete without it."""
    png = explanations.picture(parts.database, result.turn_id)
    file_id = parts.pictures.upload(png) if png else ""
    if file_id:
        post_store.save_file(parts.database, result.turn_id, PostKind.EXPLANATION, file_id)
        blocks = explanation_blocks.build_explanation(result, file_id)
        chart_upload.show(message, explanation_text.as_text(result), blocks)


def _finished(parts: BotParts, turn_id: str, message: TurnMessage, until: float) -> Request | None:
    """Wait for the explanation, showing progress; close it with a reason when it takes too long.

    None: it is forgotten.
    """
    received = progress_events.WorkerProgress()
    rate = progress_events.ProgressRate()
    for events in progress_events.events(parts, explain_channel(turn_id)):
        received.apply(events)
        now = time.time()
        rate.update(received.stage, now)
        if now > until:
            explanations.fail(parts.database, turn_id, NoExplanation.GAVE_UP)
        request = explanations.load(parts.database, turn_id)
        if request is None or request.state != ExplanationState.WAITING:
            return request
        left = rate.seconds_left(now)
        sentence = messages.explanations.explaining(rate.done, rate.total, left)
        message.show_progress(sentence, explanation_blocks.build_progress(turn_id, sentence))
    raise AssertionError("events never end")
