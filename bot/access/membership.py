"""Membership: is the asker a member, a guest or external, and may they ask?

Slack's user object: docs.slack.dev/reference/objects/user-object. `is_stranger` is true only of
people of another organization who share no channel with the bot, so the workspaces are compared
too; those of one Enterprise organization belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from bot.access.ranks import is_admin_of
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

# As SQL alone knows it: Slack may say otherwise.
NOT_YET_KNOWN = (NoAnswer.STRANGER, NoAnswer.UNKNOWN_ASKER)

log = logs.get(__name__)


# Whether this thread has just asked Slack about whoever it works for.
_ASKED: ContextVar[bool] = ContextVar("asked", default=False)


@contextmanager
def asked() -> Iterator[None]:
    """In this block nobody is asked about again: what Slack did not say, it does not say now."""
    token = _ASKED.set(True)
    try:
        yield
    finally:
        _ASKED.reset(token)


def is_asked() -> bool:
    return _ASKED.get()


class NotYetKnown(Exception):
    """Slack has to be asked about somebody before anything is done for them."""

    def __init__(self, team: str, user: str) -> None:
        super().__init__(user)
        self.team, self.user = team, user


class Membership:
    """Checks who is asking; what Slack says of a person counts for an hour.

    Without a directory, as in what must be acknowledged, it knows what SQL knows.
    """

    def __init__(self, database: Database, directory: Directory | None, settings: Settings) -> None:
        self._database = database
        self._directory = directory
        self._settings = settings

    def refusal(self, team: str, user: str, *, private: bool) -> NoAnswer | None:
        """Why this person gets no answer; None if they may be answered.

        Slack is asked only where its answer matters: where somebody is to be refused, or may be
        shown more than everybody.
        """
        refused = self._refused()
        if not refused and not self._may_show_more(private):
            return None
        standing = self.standing(team, user)
        return REFUSED[standing] if standing in refused else None

    def is_known(self, team: str, user: str, *, private: bool) -> bool:
        """Whether SQL knows what matters of this person."""
        if not self._refused() and not self._may_show_more(private):
            return True
        return people.standing(self._database, team, user) is not Standing.UNKNOWN

    def is_outsider(self, team: str, user: str) -> bool:
        """Whether this person is refused, and so is told nothing of the pages either."""
        return self.refusal(team, user, private=False) is not None

    def refusal_in(self, turn: Turn, user: str) -> NoAnswer | None:
        """The same for somebody who presses a button of this turn."""
        return self.refusal(turn.address.team, user, private=turn.private)

    def standing(self, team: str, user: str) -> Standing:
        """How somebody belongs to the workspace; unknown when nobody says so."""
        known = people.standing(self._database, team, user)
        if known is not Standing.UNKNOWN or self._directory is None:
            return known
        self.learn(team, user, self._directory)
        return people.standing(self._database, team, user)

    def learn(self, team: str, user: str, directory: Directory) -> None:
        """Ask Slack who this is, which may take long; what it says is kept."""
        found, address, is_admin = Standing.UNKNOWN, "", False
        slack_user = _ask_slack(directory, user)
        if slack_user:
            found = standing_of(slack_user, team, lambda: _enterprise(directory))
            is_admin = is_admin_of(slack_user, team)
        if found is Standing.MEMBER:
            profile = slack_user.get("profile", {})
            address = str(profile.get("email") or "")
        if slack_user or people.standing(self._database, team, user) is Standing.UNKNOWN:
            people.remember(
                self._database, team, user, address=address, standing=found, is_admin=is_admin
            )
        known = people.locale(self._database, team, user)
        locale = str(slack_user.get("locale") or "") if slack_user else known
        people.remember_locale(self._database, team, user, locale)

    def _refused(self) -> set[Standing]:
        refused = set()
        if self._settings.guests is Outsiders.REFUSE:
            refused |= {Standing.GUEST, Standing.UNKNOWN}
        if self._settings.externals is Outsiders.REFUSE:
            refused |= {Standing.EXTERNAL, Standing.UNKNOWN}
        return refused

    def _may_show_more(self, private: bool) -> bool:
        return private and self._settings.permission_mode is PermissionMode.AWARE


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


def _ask_slack(directory: Directory, user: str) -> dict[str, Any]:
    """Slack's user object; empty when Slack does not say."""
    try:
        return directory.user(user)
    except SlackError as error:
        log.warning("person.unknown", user=user, error=str(error))
        return {}


def _enterprise(directory: Directory) -> str:
    """The Enterprise organization of this workspace; empty for none or when unknown."""
    try:
        return directory.enterprise()
    except SlackError as error:
        log.warning("enterprise.unknown", error=str(error))
        return ""
