"""Capability detection: methods that an older workspace, or an app without the scope, lacks.

Each is tried once, then the old way is used for good. What is missing is remembered for this
process and each team, and logged once.
"""

from __future__ import annotations

from collections.abc import Callable

from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack_api.errors import NOT_AVAILABLE, code
from core import logs

log = logs.get(__name__)


class Capabilities:
    """Which methods each team was found to lack."""

    def __init__(self) -> None:
        self._missing: set[tuple[str, str]] = set()

    def attempt(
        self,
        team: str,
        method: str,
        call: Callable[[], SlackResponse],
    ) -> SlackResponse | None:
        """Slack's reply; None where the team lacks the method.

        Raises:
            SlackApiError: the team has it, and Slack refuses this very call.
        """
        if (team, method) in self._missing:
            return None
        try:
            return call()
        except SlackApiError as error:
            if code(error) not in NOT_AVAILABLE:
                raise
            self.mark_missing(team, method, code(error))
            return None

    def mark_missing(self, team: str, method: str, reason: str) -> None:
        self._missing.add((team, method))
        log.warning("slack.not_available", method=method, team=team, error=reason)
