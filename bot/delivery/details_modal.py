"""The details of an answer for one person: opened at once, filled when a worker has found that this person may see all of it.

Slack lets a modal be opened within 3 seconds of a press, once (docs.slack.dev/surfaces/modals); whether somebody may read a page is
a question to Confluence, which takes longer and is a worker's business.
"""

from __future__ import annotations

from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack_api.errors import VIEW_CLOSED, code
from bot.slack_api.parts import BotParts
from bot.views import details, messages
from bot.views.block_kit import Block
from core import logs
from core.errors import StoreUnavailable
from core.jobs.queue import TaskName, enqueue
from core.turns import detail_requests, explanations, turn_store

log = logs.get(__name__)


def open_modal(parts: BotParts, turn_id: str, *, user: str, trigger_id: str) -> bool:
    """Open the modal and have it decided whether it may be filled; False when Slack does not open it."""
    try:
        opened = parts.client.views_open(
            trigger_id=trigger_id, view=details.build_sentence(messages.details.LOADING)
        )
    except (SlackClientError, OSError) as error:  # a trigger that came too late, above all
        log.warning("details.not_opened", turn=turn_id, error=str(error))
        return False
    view_id = str(opened["view"]["id"])
    detail_requests.ask(parts.database, view_id, turn_id, user)
    try:
        enqueue(TaskName.ADMIT, view_id)
    except StoreUnavailable as error:
        log.error("enqueue.unavailable", turn=turn_id, error=str(error))
        _fill(parts, view_id, details.build_sentence(messages.details.QUEUE_DOWN))
    return True


def show(parts: BotParts, view_id: str) -> None:
    """Fill the modal with the details, or say that they are closed to whoever looks at it; does nothing before that is decided."""
    peek = detail_requests.load(parts.database, view_id)
    if peek is None or peek.state == "waiting":
        return
    turn = turn_store.load(parts.database, peek.turn_id)
    if peek.state != "open" or turn is None or turn.record is None:
        _fill(parts, view_id, details.build_sentence(messages.details.CLOSED))
        return
    _fill(parts, view_id, details.build_details(turn, explanations.load(parts.database, turn.id)))
    log.info("details.shown", turn=turn.id, user=peek.user)


def _fill(parts: BotParts, view_id: str, view: Block) -> None:
    try:
        parts.client.views_update(view_id=view_id, view=view)
    except SlackApiError as error:
        if code(error) in VIEW_CLOSED:
            return
        log.error("details.refused", view=view_id, error=code(error))
        if len(view["blocks"]) > 1:
            _fill(parts, view_id, details.build_sentence(messages.details.REFUSED))
