"""Opens and updates modals; what Slack refuses is logged and never raised.

A trigger lives 3 seconds and works once: docs.slack.dev/surfaces/modals
"""

from __future__ import annotations

from slack_sdk import WebClient

from bot.slack_api.errors import UNREACHABLE
from bot.views.block_kit import Block
from core import logs

log = logs.get(__name__)


def open_view(client: WebClient, trigger_id: str, view: Block, name: str) -> str:
    """The id of the opened modal; empty when Slack does not open it, mostly for a late trigger."""
    try:
        reply = client.views_open(trigger_id=trigger_id, view=view)
    except UNREACHABLE as error:
        log.warning("view.not_opened", view=name, error=str(error))
        return ""
    return str(reply["view"]["id"])


def update_view(client: WebClient, external_id: str, view: Block, name: str) -> None:
    """Replace what an open modal shows, by our own name for it."""
    try:
        client.views_update(external_id=external_id, view=view)
    except UNREACHABLE as error:  # mostly closed meanwhile
        log.warning("view.not_updated", view=name, error=str(error))
