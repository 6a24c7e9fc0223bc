"""Who is asking: a member, a guest of the workspace, or somebody of another organization; and whether that person is answered.

What holds of a user: docs.slack.dev/reference/objects/user-object. `is_stranger` is true only of people of another organization who
share no channel with the bot, so the workspaces are compared too; those of one Enterprise organization belong together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slack_sdk.errors import SlackClientError

from bot.slack_api.parts import BotParts
from core import logs
from core.policy import people
from core.policy.people import Standing

REFUSED = {Standing.GUEST: "guest", Standing.EXTERNAL: "external", Standing.UNKNOWN: "stranger"}

log = logs.get(__name__)


class Membership:
    """Looks at people before anything is done for them; what Slack says of them is kept for an hour."""

    def __init__(self, parts: BotParts) -> None:
        self._parts = parts

    def refusal(self, team: str, user: str, *, private: bool) -> str:
        """The key of the reason why this person gets no answer; empty for who does.

        Slack is asked only where its answer matters: where somebody is to be refused, or may be shown more than everybody.
        """
        settings = self._parts.settings
        refused = {
            Standing.GUEST: settings.guests == "refuse",
            Standing.EXTERNAL: settings.externals == "refuse",
        }
        refused[Standing.UNKNOWN] = any(refused.values())
        if not any(refused.values()) and not (private and settings.permission_mode == "aware"):
            return ""
        standing = self.standing(team, user)
        return REFUSED[standing] if refused.get(standing) else ""

    def standing(self, team: str, user: str) -> Standing:
        """How somebody belongs to the workspace."""
        known = people.standing(self._parts.database, team, user)
        if known is not Standing.UNKNOWN:
            return known
        said = self._ask_slack(user)
        found = standing_of(said, team, self._enterprise) if said else Standing.UNKNOWN
        address = (
            str(said.get("profile", {}).get("email") or "") if found is Standing.MEMBER else ""
        )
        people.remember(self._parts.database, team, user, address=address, standing=found)
        return found

    def _ask_slack(self, user: str) -> dict[str, Any]:
        """Slack's user object; empty when Slack does not say."""
        try:
            found: dict[str, Any] = self._parts.client.users_info(user=user)["user"]
        except (SlackClientError, OSError) as error:
            log.warning("person.unknown", user=user, error=str(error))
            return {}
        return found

    def _enterprise(self) -> str:
        """The Enterprise organization of this workspace; empty when there is none, or Slack does not say."""
        try:
            return str(self._parts.client.auth_test().get("enterprise_id") or "")
        except (SlackClientError, OSError) as error:
            log.warning("enterprise.unknown", error=str(error))
            return ""


def standing_of(user: dict[str, Any], team: str, enterprise: Callable[[], str]) -> Standing:
    """What a user object says of somebody who writes to the workspace `team`; `enterprise` is asked only for who is of another one."""
    if user.get("is_stranger") or (user.get("team_id") != team and not _is_of(user, enterprise)):
        return Standing.EXTERNAL
    return (
        Standing.GUEST
        if user.get("is_restricted") or user.get("is_ultra_restricted")
        else Standing.MEMBER
    )


def _is_of(user: dict[str, Any], enterprise: Callable[[], str]) -> bool:
    theirs = (user.get("enterprise_user") or {}).get("enterprise_id")
    return bool(theirs) and theirs == enterprise()
