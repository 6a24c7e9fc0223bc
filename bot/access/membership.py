"""Membership: is the asker a member, a guest or external, and may they ask?

Slack's user object: docs.slack.dev/reference/objects/user-object. `is_stranger` is true only of
people of another organization who share no channel with the bot, so the workspaces are compared
too; those of one Enterprise organization belong together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from bot.slack_api.directory import Directory
from bot.slack_api.errors import SlackError
from core import logs
from core.policy import people
from core.policy.people import Standing
from core.settings import Settings
from core.settings.values import Outsiders, PermissionMode
from core.states import NoAnswer
from core.storage.database import Database
from core.turns.turn import Turn

REFUSED = {
    Standing.GUEST: NoAnswer.GUEST,
    Standing.EXTERNAL: NoAnswer.EXTERNAL,
    Standing.UNKNOWN: NoAnswer.STRANGER,
}

# An event has to be acknowledged within 3 s (docs.slack.dev/apis/events-api/#responding), and a
# modal opened within as many: whoever Slack says nothing of by then is unknown this time.
WAIT_S = 1.5

log = logs.get(__name__)


class Membership:
    """Checks who is asking; what Slack says of a person is cached for an hour."""

    def __init__(self, database: Database, directory: Directory, settings: Settings) -> None:
        self._database = database
        self._directory = directory
        self._settings = settings

    def refusal(self, team: str, user: str, *, private: bool) -> NoAnswer | None:
        """Why this person gets no answer; None if they may be answered.

        Slack is asked only where its answer matters: where somebody is to be refused, or may be
        shown more than everybody.
        """
        settings = self._settings
        refused = set()
        if settings.guests is Outsiders.REFUSE:
            refused |= {Standing.GUEST, Standing.UNKNOWN}
        if settings.externals is Outsiders.REFUSE:
            refused |= {Standing.EXTERNAL, Standing.UNKNOWN}
        may_show_more = private and settings.permission_mode is PermissionMode.AWARE
        if not refused and not may_show_more:
            return None
        standing = self.standing(team, user)
        return REFUSED[standing] if standing in refused else None

    def is_outsider(self, team: str, user: str) -> bool:
        """Whether this person is refused, and so is told nothing of the pages either."""
        return self.refusal(team, user, private=False) is not None

    def refusal_in(self, turn: Turn, user: str) -> NoAnswer | None:
        """The same for somebody who presses a button of this turn."""
        return self.refusal(turn.address.team, user, private=turn.private)

    def standing(self, team: str, user: str) -> Standing:
        """How somebody belongs to the workspace; unknown when Slack does not say so in time.

        What it says later is kept all the same, for the next time.
        """
        known = people.standing(self._database, team, user)
        if known is not Standing.UNKNOWN:
            return known
        asking = threading.Thread(
            target=self._learn,
            args=(team, user),
            name="membership",
            daemon=True,
        )
        asking.start()
        asking.join(WAIT_S)
        return people.standing(self._database, team, user)

    def _learn(self, team: str, user: str) -> None:
        found, address = Standing.UNKNOWN, ""
        if slack_user := self._ask_slack(user):
            found = standing_of(slack_user, team, self._enterprise)
        if found is Standing.MEMBER:
            profile = slack_user.get("profile", {})
            address = str(profile.get("email") or "")
        people.remember(self._database, team, user, address=address, standing=found)
        if slack_user:
            locale = str(slack_user.get("locale") or "")
            people.remember_locale(self._database, team, user, locale)

    def _ask_slack(self, user: str) -> dict[str, Any]:
        """Slack's user object; empty when Slack does not say."""
        try:
            return self._directory.user(user)
        except SlackError as error:
            log.warning("person.unknown", user=user, error=str(error))
            return {}

    def _enterprise(self) -> str:
        """The Enterprise organization of this workspace; empty for none or when unknown."""
        try:
            return self._directory.enterprise()
        except SlackError as error:
            log.warning("enterprise.unknown", error=str(error))
            return ""


def standing_of(user: dict[str, Any], team: str, enterprise: Callable[[], str]) -> Standing:
    """What a user object says about somebody who writes to the workspace `team`.

    `enterprise` is called only for users of another workspace.
    """
    if user.get("is_stranger"):
        return Standing.EXTERNAL
    if user.get("team_id") != team and not _is_of(user, enterprise):
        return Standing.EXTERNAL
    if user.get("is_restricted") or user.get("is_ultra_restricted"):
        return Standing.GUEST
    return Standing.MEMBER


def _is_of(user: dict[str, Any], enterprise: Callable[[], str]) -> bool:
    membership = user.get("enterprise_user") or {}
    theirs = membership.get("enterprise_id")
    return bool(theirs) and theirs == enterprise()
