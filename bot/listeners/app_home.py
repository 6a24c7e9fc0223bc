"""The listeners of App Home. It is published for the one person who opened it, with what everybody may know and that person's own."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import App, BoltContext

from bot.delivery import delete_messages
from bot.home import history
from bot.home.index_overview import examples, overview
from bot.slack_api.direct_messages import DirectMessages
from bot.slack_api.errors import UNREACHABLE
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.slack_api.permalinks import Permalinks
from bot.views.home import (
    EXAMPLE_ACTION,
    FORGET_ACTION,
    HIDDEN_ACTION,
    HIDE_ACTION,
    RESTORE_ACTION,
    SHOWN_ACTION,
    HomeContent,
    build_home,
)
from core import logs
from core.turns import erasure

log = logs.get(__name__)


class AppHomeListeners:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts, private: DirectMessages, links: Permalinks) -> None:
        self._parts = parts
        self._private = private
        self._links = links

    def register(self, app: App) -> None:
        app.event("app_home_opened", matchers=[_is_home])(self.opened)
        app.event("app_home_opened")(_nothing)
        app.action(HIDE_ACTION)(self.hide_button)
        app.action(RESTORE_ACTION)(self.restore_button)
        app.action(FORGET_ACTION)(self.forget_button)
        app.action(HIDDEN_ACTION)(self.hidden_button)
        app.action(SHOWN_ACTION)(self.shown_button)
        app.action(re.compile(rf"^{EXAMPLE_ACTION}_\d+$"))(self.example_button)

    def opened(self, event: Payload, context: BoltContext) -> None:
        self._publish(event["user"], context)

    def hide_button(self, action: Payload, body: Payload, context: BoltContext, ack: Any) -> None:
        history.hide(self._parts.database, action["value"], body["user"]["id"])
        self._publish(body["user"]["id"], context)
        ack()

    def restore_button(
        self, action: Payload, body: Payload, context: BoltContext, ack: Any
    ) -> None:
        history.restore(self._parts.database, action["value"], body["user"]["id"])
        self._publish(body["user"]["id"], context, hidden=True)
        ack()

    def forget_button(self, action: Payload, body: Payload, context: BoltContext, ack: Any) -> None:
        """Slack has asked whether it is meant."""
        user = body["user"]["id"]
        delete_messages.soon(
            self._parts, erasure.forget(self._parts.database, action["value"], user)
        )
        self._publish(user, context)
        ack()

    def hidden_button(self, body: Payload, context: BoltContext, ack: Any) -> None:
        self._publish(body["user"]["id"], context, hidden=True)
        ack()

    def shown_button(self, body: Payload, context: BoltContext, ack: Any) -> None:
        self._publish(body["user"]["id"], context)
        ack()

    def example_button(
        self, action: Payload, body: Payload, context: BoltContext, ack: Any
    ) -> None:
        self._private.ask(context.team_id or "", body["user"]["id"], action["value"])
        ack()

    def _publish(self, user: str, context: BoltContext, *, hidden: bool = False) -> None:
        database = self._parts.database
        mine = history.conversations_of(database, context.team_id or "", user, hidden=hidden)
        linked = [(each, self._links.to(each.channel, each.thread_ts)) for each in mine]
        view = build_home(HomeContent(overview(database), examples(database), linked, hidden))
        try:
            self._parts.client.views_publish(user_id=user, view=view)
        except UNREACHABLE as error:  # it is published again as soon as somebody looks
            log.warning("home.not_published", user=user, error=str(error))


def _is_home(event: Payload) -> bool:
    return event.get("tab") == "home"


def _nothing() -> None:
    """The other tab: without a listener, Bolt would tell Slack that the event failed."""
