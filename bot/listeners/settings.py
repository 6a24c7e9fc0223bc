"""How settings are opened, checked and saved.

A trigger lives 3 seconds and works once (docs.slack.dev/surfaces/modals), so the modal is opened at once with what SQL knows. Whether
somebody may change a channel's settings only Slack knows: that is asked afterwards, and once more when the modal is sent off.
"""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.access import admins
from bot.slack_api.errors import UNREACHABLE
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import messages, settings_form, settings_form_values
from bot.views.block_kit import Block
from bot.views.home import SETTINGS_ACTION
from bot.views.settings_form import SettingsSheet
from core import logs
from core.policy import preferences

log = logs.get(__name__)


class SettingsListeners:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts) -> None:
        self._parts = parts

    def register(self, app: App) -> None:
        app.action(SETTINGS_ACTION)(self.settings_button)
        app.view(settings_form.CALLBACK)(self.submitted)

    def settings_button(self, body: Payload, ack: Any) -> None:
        """In App Home: one's own."""
        self.open(body["trigger_id"], body["team"]["id"], body["user"]["id"])
        ack()

    def open(self, trigger_id: str, team: str, owner: str) -> bool:
        """Open the settings of a person, or, to be looked at until `admit`, those of a channel; False when Slack does not open them."""
        sheet = self._sheet(team, owner)
        name = _external_id(trigger_id)
        view = (
            settings_form.build_shown(sheet, messages.settings.CHECKING, name)
            if sheet.is_of_channel
            else settings_form.build_form(sheet, name)
        )
        try:
            self._parts.client.views_open(trigger_id=trigger_id, view=view)
        except UNREACHABLE as error:  # a trigger that came too late, above all
            log.warning("settings.not_opened", owner=owner, error=str(error))
            return False
        return True

    def admit(self, trigger_id: str, team: str, owner: str, user: str) -> None:
        """Let the open settings of a channel be changed, or say why not."""
        sheet, name = self._sheet(team, owner), _external_id(trigger_id)
        reason = self._refusal(team, owner, user)
        view = (
            settings_form.build_shown(sheet, reason, name)
            if reason
            else settings_form.build_form(sheet, name)
        )
        try:
            self._parts.client.views_update(external_id=name, view=view)
        except UNREACHABLE as error:  # closed meanwhile, above all
            log.warning("settings.not_updated", owner=owner, error=str(error))

    def submitted(self, body: Payload, view: Payload, ack: Any) -> None:
        """Save what was filled in, if it makes sense and comes from somebody who may."""
        team, user, owner = body["team"]["id"], body["user"]["id"], settings_form.owner_of(view)
        before = self._sheet(team, owner)
        chosen, wrong = settings_form_values.read(view["state"]["values"], before.there)
        if wrong:
            ack(response_action="errors", errors=wrong)
        elif reason := self._refusal(team, owner, user):
            log.warning("settings.refused", owner=owner, user=user)
            _update(ack, settings_form.build_shown(before, reason))
        else:
            preferences.save(self._parts.database, team, owner, chosen, by=user)
            log.info(
                "settings.saved",
                owner=owner,
                user=user,
                changed=sorted(chosen.model_dump(exclude_defaults=True)),
            )
            _update(
                ack, settings_form.build_shown(self._sheet(team, owner), messages.settings.SAVED)
            )

    def _sheet(self, team: str, owner: str) -> SettingsSheet:
        chosen = preferences.load(self._parts.database, team, owner)
        return SettingsSheet(
            owner,
            chosen,
            preferences.choices(self._parts.database, self._parts.settings),
            self._parts.settings,
        )

    def _refusal(self, team: str, owner: str, user: str) -> str:
        """Why this person may not change these settings; empty when they may."""
        if not settings_form.is_channel(owner):
            return "" if owner == user else messages.settings.FOR_ADMINS
        try:
            return (
                ""
                if admins.is_admin(self._parts.client, team, user, owner)
                else messages.settings.FOR_ADMINS
            )
        except UNREACHABLE as error:
            log.warning("settings.unknown_rank", user=user, error=str(error))
            return messages.settings.UNKNOWN


def _external_id(trigger_id: str) -> str:
    """Our name for the view that this trigger opens."""
    return f"{settings_form.CALLBACK}-{trigger_id}"


def _update(ack: Any, view: Block) -> None:
    ack(response_action="update", view=view)
