"""Methods that an older workspace, or an app without the scope, does not have: tried once, then the old way for good.

What is missing is remembered for this process and each team, and logged once.
"""

from __future__ import annotations

from collections.abc import Callable

from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack_api.errors import NOT_AVAILABLE, code
from core import logs

log = logs.get(__name__)


class Capabilities:
    """What this process has found out about each team."""

    def __init__(self) -> None:
        self._missing: set[tuple[str, str]] = set()

    def attempt(
        self, team: str, method: str, call: Callable[[], SlackResponse]
    ) -> SlackResponse | None:
        """What Slack replies; None where it does not have the method.

        Raises:
            SlackApiError: it has, and refuses this very call.
        """
        if (team, method) in self._missing:
            return None
        try:
            return call()
        except SlackApiError as error:
            if code(error) not in NOT_AVAILABLE:
                raise
            self.remember(team, method, code(error))
            return None

    def remember(self, team: str, method: str, why: str) -> None:
        self._missing.add((team, method))
        log.warning("slack.not_available", method=method, team=team, error=why)
