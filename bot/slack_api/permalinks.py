"""Addresses of messages, built as chat.getPermalink gives them: one call for all of them, instead of one for each."""

from __future__ import annotations

from slack_sdk import WebClient

from bot.slack_api.errors import UNREACHABLE
from core import logs

log = logs.get(__name__)


class Permalinks:
    """Knows the address of the workspace, once Slack has told it."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._workspace = ""

    def to(self, channel: str, ts: str) -> str:
        """The address of a message, or of its channel as long as the workspace's own is not known."""
        if not self._workspace:
            self._workspace = self._asked()
        if not self._workspace:  # docs.slack.dev/interactivity/deep-linking
            return f"https://slack.com/app_redirect?channel={channel}"
        return f"{self._workspace}/archives/{channel}/p{ts.replace('.', '')}"

    def _asked(self) -> str:
        try:
            return str(self._client.auth_test()["url"]).rstrip("/")
        except UNREACHABLE as error:
            log.warning("links.workspace_unknown", error=str(error))
            return ""
