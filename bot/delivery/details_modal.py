"""The details modal: opened at once, filled when a worker has found that the person may see it.

Slack lets a modal be opened only for 3 seconds; whether somebody may read a page is a question to
Confluence, which takes longer and is the worker's business.
"""

from __future__ import annotations

from slack_sdk.errors import SlackApiError

from bot.slack_api.errors import VIEW_CLOSED, code
from bot.slack_api.parts import BotParts
from bot.slack_api.views import open_view
from bot.views.block_kit import Block
from bot.views.details import build_details, build_sentence
from bot.views.messages import details as texts
from core import logs
from core.jobs.queue import TaskName, enqueue_or_log
from core.states import DetailState
from core.turns import detail_requests, explanations, turn_store

log = logs.get(__name__)


def open_modal(parts: BotParts, turn_id: str, user: str, trigger_id: str) -> bool:
    """Open the modal and request the permission check; False when Slack does not open it."""
    loading = build_sentence(texts.LOADING)
    view_id = open_view(parts.client, trigger_id, loading, "details")
    if not view_id:
        return False
    detail_requests.ask(parts.database, view_id, turn_id, user)
    if not enqueue_or_log(view_id, TaskName.ADMIT):
        _fill(parts, view_id, build_sentence(texts.QUEUE_DOWN))
    return True


def show(parts: BotParts, view_id: str) -> None:
    """Fill the modal with the details, or say that this person may not see them.

    Does nothing before that is decided.
    """
    request = detail_requests.load(parts.database, view_id)
    if request is None or request.state == DetailState.WAITING:
        return
    turn = turn_store.load(parts.database, request.turn_id)
    if request.state != DetailState.OPEN or turn is None or turn.record is None:
        _fill(parts, view_id, build_sentence(texts.CLOSED))
        return
    explanation = explanations.load(parts.database, turn.id)
    _fill(parts, view_id, build_details(turn, explanation))
    log.info("details.shown", turn=turn.id, user=request.user)


def _fill(parts: BotParts, view_id: str, view: Block) -> None:
    try:
        parts.client.views_update(view_id=view_id, view=view)
    except SlackApiError as error:
        if code(error) in VIEW_CLOSED:
            return
        log.error("details.refused", view=view_id, error=code(error))
        if len(view["blocks"]) > 1:
            _fill(parts, view_id, build_sentence(texts.REFUSED))
