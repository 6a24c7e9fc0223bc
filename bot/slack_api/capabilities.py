"""Capability detection: methods that an older workspace, or an app without the scope, lacks.

Each is tried once, then the old way is used for good. What is missing is remembered for this
process and each team, and logged once.
"""

from __future__ import annotations

from collections.abc import Callable

from slack_sdk.web import SlackResponse

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import NOT_AVAILABLE, SlackRefused
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
            SlackError: the team has it, and this very call did not work.
        """
        if not self.may_have(team, method):
            return None
        try:
            with slack_call():
                return call()
        except SlackRefused as error:
            if error.code not in NOT_AVAILABLE:
                raise
            self.mark_missing(team, method, error.code)
            return None

    def may_have(self, team: str, method: str) -> bool:
        """Whether nobody has found yet that the team lacks the method."""
        return (team, method) not in self._missing

    def mark_missing(self, team: str, method: str, reason: str) -> None:
        self._missing.add((team, method))
        log.warning("slack.not_available", method=method, team=team, error=reason)
