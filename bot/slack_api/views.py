"""Opens and updates modals, and publishes the Home tab.

A trigger lives 3 seconds and works once: docs.slack.dev/surfaces/modals
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackError
from bot.slack_api.sender import Sender, Write
from bot.views.block_kit import Block
from core import logs
from core.access.disclosure import Disclosure

log = logs.get(__name__)


class SlackViews:
    """What Slack refuses is logged and not raised, except by `fill`."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def open(self, trigger_id: str, view: Block, name: str, *, shows: Disclosure) -> str:
        """The id of the opened modal; empty when Slack does not open it, mostly too late."""
        try:
            with slack_call():
                reply = self._sender.send(
                    Write.OPEN_VIEW, shows=shows, trigger_id=trigger_id, view=view
                )
        except SlackError as error:
            log.warning("view.not_opened", view=name, error=str(error))
            return ""
        return str(reply["view"]["id"])

    def update(self, external_id: str, view: Block, name: str, *, shows: Disclosure) -> None:
        """Replace what an open modal shows, by our own name for it."""
        try:
            with slack_call():
                self._sender.send(
                    Write.UPDATE_VIEW, shows=shows, external_id=external_id, view=view
                )
        except SlackError as error:  # mostly closed meanwhile
            log.warning("view.not_updated", view=name, error=str(error))

    def reply(self, ack: Callable[..., Any], view: Block, *, shows: Disclosure) -> None:
        """Acknowledge a form that was sent, and show this instead of it.

        docs.slack.dev/surfaces/modals#updating_response
        """
        self._sender.acknowledge(ack, shows=shows, response_action="update", view=view)

    @slack_call()
    def fill(self, view_id: str, view: Block, *, shows: Disclosure) -> None:
        """Replace what an open modal shows, by Slack's id.

        Raises:
            SlackError: it is closed, or Slack does not take the view.
        """
        self._sender.send(Write.UPDATE_VIEW, shows=shows, view_id=view_id, view=view)

    def publish(self, user: str, view: Block, *, shows: Disclosure) -> None:
        """Show this person the Home tab; it is published again whenever the person opens it."""
        try:
            with slack_call():
                self._sender.send(Write.PUBLISH_VIEW, shows=shows, user_id=user, view=view)
        except SlackError as error:
            log.warning("home.not_published", user=user, error=str(error))
