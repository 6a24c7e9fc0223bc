"""Opens, checks and saves the settings of a person or of a channel.

A trigger is short-lived, so the modal is opened at once with what SQL knows. Whether somebody may
change a channel's settings only Slack knows: that is asked afterwards, and again on submission.
"""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.admins import Admins, known_admin
from bot.access.space_names import SpaceNames
from bot.access.turn_access import MOST_SUBJECT
from bot.slack_api.errors import SlackError
from bot.slack_api.payloads import Payload, team_id, user_id
from bot.slack_api.views import SlackViews
from bot.views.home import SETTINGS_ACTION
from bot.views.settings import form
from bot.views.settings.owner import OwnerSettings, is_channel
from bot.views.settings.values import read
from core import logs
from core.language.sentences import Sentences
from core.policy import audit, preferences
from core.policy.audit import Act
from core.policy.preferences import Preferences
from core.settings import Settings
from core.storage.database import Database

log = logs.get(__name__)


class SettingsListeners:
    """The settings button and the modal; `open` and `admit` serve the slash command too."""

    def __init__(
        self,
        database: Database,
        views: SlackViews,
        admins: Admins,
        settings: Settings,
        *,
        names: SpaceNames,
        slow_views: SlackViews,
    ) -> None:
        """`views` is hasty, since a trigger is; `slow_views` is for what comes later."""
        self._database = database
        self._views = views
        self._admins = admins
        self._settings = settings
        self._names = names
        self._slow_views = slow_views

    def register(self, app: App) -> None:
        app.action(SETTINGS_ACTION)(ack=self.settings_button, lazy=[self.afterwards])
        app.view(form.CALLBACK)(self.submitted)

    def settings_button(self, body: Payload, ack: Any) -> None:
        """In App Home: one's own."""
        team = team_id(body)
        user = user_id(body)
        self.open(body["trigger_id"], team, user, user)
        ack()

    def afterwards(self, body: Payload) -> None:
        user = user_id(body)
        self.admit(body["trigger_id"], body["team"]["id"], user, user)

    def open(self, trigger_id: str, team: str, owner: str, user: str) -> bool:
        """Open the settings; False when Slack does not open them.

        Those of a channel are read-only until `admit`, and so are one's own while spaces that can
        be chosen are not confirmed.
        """
        say = voices.to(self._database, team, user)
        named = self._names.confirmed(self._load(team, owner))
        name = _external_id(trigger_id)
        if named.settings.is_of_channel or not named.is_complete:
            view = form.build_read_only(say, named.settings, "settings-checking", name)
        else:
            view = form.build_form(say, named.settings, name)
        return bool(self._views.open(trigger_id, view, "settings", shows=named.shows))

    def admit(self, trigger_id: str, team: str, owner: str, user: str) -> None:
        """Let the open settings of a channel be changed, or say why not."""
        say = voices.to(self._database, team, user)
        named = self._names.waited_for(self._load(team, owner), team, user)
        name = _external_id(trigger_id)
        refused = self._refusal(team, owner, user)
        if refused:
            view = form.build_read_only(say, named.settings, refused, name)
        else:
            view = form.build_form(say, named.settings, name)
        self._slow_views.update(name, view, "settings", shows=named.shows)

    def submitted(self, body: Payload, view: Payload, ack: Any) -> None:
        """Save what was filled in, if it is valid and comes from somebody who may."""
        team, user = team_id(body), user_id(body)
        say = voices.to(self._database, team, user)
        owner = form.owner_of(view)
        before = self._load(team, owner)
        values = view["state"]["values"]
        chosen, errors = read(say, values, before.available)
        if errors:
            ack(response_action="errors", errors=errors)
        elif refused := self._known_refusal(team, owner, user):
            log.warning("settings.refused", owner=owner, user=user)
            audit.write(
                self._database,
                Act.REFUSED,
                team=team,
                actor=user,
                subject=owner[:MOST_SUBJECT],
                details={"why": refused},
            )
            self._reply(ack, say, before, refused)
        else:
            preferences.save(self._database, team, owner, chosen)
            audit.write(
                self._database,
                Act.SETTING_CHANGED,
                team=team,
                actor=user,
                subject=owner,
                details=_changes(before.chosen, chosen),
            )
            changed = sorted(chosen.model_dump(exclude_defaults=True))
            log.info("settings.saved", owner=owner, user=user, changed=changed)
            self._reply(ack, say, self._load(team, owner), "settings-saved")

    def _reply(self, ack: Any, say: Sentences, current: OwnerSettings, note: str) -> None:
        """Show the settings instead of their form, and why."""
        named = self._names.confirmed(current)
        view = form.build_read_only(say, named.settings, note)
        self._views.reply(ack, view, shows=named.shows)

    def _load(self, team: str, owner: str) -> OwnerSettings:
        chosen = preferences.load(self._database, team, owner)
        available = preferences.choices(self._database, self._settings)
        return OwnerSettings(owner, chosen, available, self._settings)

    def _refusal(self, team: str, owner: str, user: str) -> str:
        """Why this person may not change these settings, as a key; empty when they may."""
        if not is_channel(owner):
            return "" if owner == user else "settings-for-admins"
        try:
            allowed = self._admins.is_admin(team, user, owner)
        except SlackError as error:
            log.warning("settings.unknown_rank", user=user, error=str(error))
            return "settings-unknown"
        return "" if allowed else "settings-for-admins"

    def _known_refusal(self, team: str, owner: str, user: str) -> str:
        """The same by what Slack said when the form was shown: a form is replied to at once."""
        if not is_channel(owner):
            return "" if owner == user else "settings-for-admins"
        allowed = known_admin(self._database, team, user, owner)
        if allowed is None:
            return "settings-unknown"
        return "" if allowed else "settings-for-admins"


def _changes(before: Preferences, after: Preferences) -> dict[str, list[Any]]:
    """The old and the new value of each setting that is another one now."""
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    return {name: [old[name], new[name]] for name in new if old[name] != new[name]}


def _external_id(trigger_id: str) -> str:
    """Our name for the view that this trigger opens."""
    return f"{form.CALLBACK}-{trigger_id}"
