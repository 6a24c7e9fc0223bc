"""The bot is invited to a channel: docs.slack.dev/reference/events/member_joined_channel"""

from __future__ import annotations

from slack_bolt import App, BoltContext

from bot.slack_api.payloads import Payload
from core.jobs.afterwards import PutOff, put_off
from core.storage.database import Database


class JoinedListeners:
    """Others who join a channel are no concern of ours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def register(self, app: App) -> None:
        app.event("member_joined_channel")(self.joined)

    def joined(self, event: Payload, context: BoltContext) -> None:
        if event.get("user") != context.bot_user_id:
            return
        team, channel = str(context.team_id), str(event["channel"])
        put_off(
            self._database,
            PutOff.WELCOME,
            team=team,
            once=f"{team}:{channel}",
            channel=channel,
            invited_by=str(event.get("inviter") or ""),
        )
