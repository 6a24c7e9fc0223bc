"""Opens and updates modals, and publishes the Home tab.

A trigger lives 3 seconds and works once: docs.slack.dev/surfaces/modals
"""

from __future__ import annotations

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackError
from bot.views.block_kit import Block
from core import logs

log = logs.get(__name__)


class SlackViews:
    """What Slack refuses is logged and not raised, except by `fill`."""

    def __init__(self, client: WebClient) -> None:
        self._client = client

    def open(self, trigger_id: str, view: Block, name: str) -> str:
        """The id of the opened modal; empty when Slack does not open it, mostly too late."""
        try:
            with slack_call():
                reply = self._client.views_open(trigger_id=trigger_id, view=view)
        except SlackError as error:
            log.warning("view.not_opened", view=name, error=str(error))
            return ""
        return str(reply["view"]["id"])

    def update(self, external_id: str, view: Block, name: str) -> None:
        """Replace what an open modal shows, by our own name for it."""
        try:
            with slack_call():
                self._client.views_update(external_id=external_id, view=view)
        except SlackError as error:  # mostly closed meanwhile
            log.warning("view.not_updated", view=name, error=str(error))

    @slack_call()
    def fill(self, view_id: str, view: Block) -> None:
        """Replace what an open modal shows, by Slack's id.

        Raises:
            SlackError: it is closed, or Slack does not take the view.
        """
        self._client.views_update(view_id=view_id, view=view)

    def publish(self, user: str, view: Block) -> None:
        """Show this person the Home tab; it is published again whenever the person opens it."""
        try:
            with slack_call():
                self._client.views_publish(user_id=user, view=view)
        except SlackError as error:
            log.warning("home.not_published", user=user, error=str(error))
