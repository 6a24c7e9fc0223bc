"""Permalinks of messages, built as chat.getPermalink gives them: one call for all of them."""

from __future__ import annotations

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import SlackError
from core import logs

log = logs.get(__name__)


class Permalinks:
    """Caches the address of the workspace."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._workspace = ""

    def to(self, channel: str, ts: str) -> str:
        """The permalink of a message; of its channel while the workspace is unknown."""
        if not self._workspace:
            self._workspace = self._ask_slack()
        if not self._workspace:  # docs.slack.dev/interactivity/deep-linking
            return f"https://slack.com/app_redirect?channel={channel}"
        return f"{self._workspace}/archives/{channel}/p{ts.replace('.', '')}"

    def _ask_slack(self) -> str:
        try:
            with slack_call():
                url = str(self._client.auth_test()["url"])
        except SlackError as error:
            log.warning("permalinks.workspace_unknown", error=str(error))
            return ""
        return url.rstrip("/")
