"""A workspace that the bot speaks to: by whose token, and under which name its limits are counted.

Every part of the bot is built for one workspace, so that none can take another one's token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Credentials(Protocol):
    """The bot token of a workspace, which may change from one call to the next."""

    def token(self) -> str:
        """Raises PlaceGone: the app is not installed there any more."""

    def refused(self, token: str, code: str) -> bool:
        """Slack does not take this token; whether a call may be made again, with another one.

        Raises:
            PlaceGone: the app is not installed there any more.
        """


@dataclass(frozen=True)
class Workspace:
    """One of several; without a team it is that of SLACK_BOT_TOKEN."""

    team: str = ""
    credentials: Credentials | None = None  # None: SLACK_BOT_TOKEN


THE_ONLY = Workspace()
