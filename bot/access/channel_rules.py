"""The rules that a channel's admins have set: who may ask, and whether a follow-up needs a mention.

bot.access.membership decides for the whole workspace.
"""

from __future__ import annotations

from functools import lru_cache

from bot.access.admins import Admins, known_admin
from bot.access.membership import Membership
from bot.slack_api.errors import SlackError
from core import logs
from core.dialogue.decision import Attention
from core.policy import preferences
from core.policy.people import Standing
from core.policy.preferences import Rules
from core.settings import Settings
from core.settings.values import Askers
from core.states import NoAnswer
from core.storage import clock
from core.storage.database import Database
from core.turns.turn import Address

FRESH_S = 300  # Slack is asked again whether somebody is an admin after this long at most
REASONS = {
    Askers.MEMBERS: NoAnswer.ONLY_MEMBERS,
    Askers.ADMINS: NoAnswer.ONLY_ADMINS,
    Askers.LISTED: NoAnswer.ONLY_LISTED,
}

log = logs.get(__name__)


class ChannelRules:
    """Applied before a question in a channel is saved; without admins, as far as SQL knows."""

    def __init__(
        self,
        database: Database,
        admins: Admins | None,
        membership: Membership,
        settings: Settings,
    ) -> None:
        self._database = database
        self._admins = admins
        self._membership = membership
        self._settings = settings
        self._is_admin = lru_cache(1000)(self._ask_slack)

    def refusal(self, where: Address, user: str) -> NoAnswer | None:
        """Why this person may not ask here; None when they may."""
        rules = self._of(where)
        if rules.askers is Askers.EVERYBODY:
            return None
        if rules.askers is Askers.MEMBERS:
            standing = self._membership.standing(where.team, user)
            allowed = {Standing.MEMBER: None, Standing.UNKNOWN: NoAnswer.UNKNOWN_ASKER}
            return allowed.get(standing, REASONS[rules.askers])
        if user in rules.listed:
            return None
        may = self._may_decide(where, user)
        if may is None:
            return NoAnswer.UNKNOWN_ASKER
        return None if may else REASONS[rules.askers]

    def attention(self, where: Address) -> Attention:
        """Which replies in a thread of ours are answered without a mention."""
        return self._of(where).mention

    def _may_decide(self, where: Address, user: str) -> bool | None:
        """None when nobody says so."""
        if self._admins is None:
            return known_admin(self._database, where.team, user, where.channel)
        window = int(clock.now() / FRESH_S)
        try:
            return self._is_admin(where.team, user, where.channel, window)
        except SlackError as error:
            log.warning("rules.unknown_rank", user=user, error=str(error))
            return None

    def _ask_slack(self, team: str, user: str, channel: str, _window: int) -> bool:
        return self._admins is not None and self._admins.is_admin(team, user, channel)

    def _of(self, where: Address) -> Rules:
        chosen = preferences.load(self._database, where.team, where.channel)
        return preferences.rules(chosen, self._settings)
