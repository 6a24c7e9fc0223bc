"""Who may ask in a channel, and whether a follow-up there has to mention the bot: what the channel's admins have chosen.

Beside bot.access.membership, which decides for the whole workspace.
"""

from __future__ import annotations

import time
from functools import lru_cache

from bot.access import admins
from bot.access.membership import Membership
from bot.slack_api.errors import UNREACHABLE
from bot.slack_api.parts import BotParts
from core import logs
from core.policy import preferences
from core.policy.people import Standing
from core.policy.preferences import Askers, Rules

FRESH_S = 300  # Slack is asked again whether somebody is an admin after this long at most
REASONS = {
    Askers.MEMBERS: "only_members",
    Askers.ADMINS: "only_admins",
    Askers.LISTED: "only_listed",
}  # keys of bot.views.messages
UNKNOWN = "unknown_asker"

log = logs.get(__name__)


class ChannelRules:
    """Asked before a question in a channel is written down."""

    def __init__(self, parts: BotParts, door: Membership) -> None:
        self._parts = parts
        self._door = door
        self._is_admin = lru_cache(1000)(
            lambda team, user, channel, _time: admins.is_admin(parts.client, team, user, channel)
        )

    def refusal(self, team: str, channel: str, user: str) -> str:
        """The key of the reason why this person may not ask here; empty when they may."""
        rules = self._of(team, channel)
        if rules.askers is Askers.EVERYBODY:
            return ""
        if rules.askers is Askers.MEMBERS:
            standing = self._door.standing(team, user)
            return {Standing.MEMBER: "", Standing.UNKNOWN: UNKNOWN}.get(
                standing, REASONS[rules.askers]
            )
        try:
            may = user in rules.listed or self._is_admin(
                team, user, channel, int(time.time() / FRESH_S)
            )
        except UNREACHABLE as error:
            log.warning("rules.unknown_rank", user=user, error=str(error))
            return UNKNOWN
        return "" if may else REASONS[rules.askers]

    def want_mention(self, team: str, channel: str) -> bool:
        return self._of(team, channel).mention

    def _of(self, team: str, channel: str) -> Rules:
        return preferences.rules(
            preferences.load(self._parts.database, team, channel), self._parts.settings
        )
