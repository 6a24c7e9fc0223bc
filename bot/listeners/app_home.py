"""App Home: published for the one person who opened it, with public facts and that person's own."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import App, BoltContext

from bot.access.locales import Locales
from bot.access.turn_access import TurnAccess
from bot.delivery.delete_messages import schedule_deletion
from bot.home import history
from bot.home.private_questions import PrivateQuestions
from bot.slack_api.payloads import Payload, user_id
from bot.views.home import (
    EXAMPLE_ACTION,
    FORGET_ACTION,
    HIDDEN_ACTION,
    HIDE_ACTION,
    RESTORE_ACTION,
    SHOWN_ACTION,
    read_example,
)
from core.jobs.afterwards import PutOff, put_off
from core.jobs.progress_events import Events
from core.storage.database import Database
from core.turns import erasure


class AppHomeListeners:
    """Opening the Home tab, and its buttons; each publishes the tab again."""

    def __init__(
        self,
        database: Database,
        events: Events,
        *,
        private: PrivateQuestions,
        locales: Locales,
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._events = events
        self._private = private
        self._locales = locales

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
        self._locales.learn(context.team_id or "", event["user"])  # nothing has to open at once
        self._publish(event["user"], context)

    def hide_button(self, action: Payload, body: Payload, context: BoltContext, ack: Any) -> None:
        user = user_id(body)
        if self._access.owns_thread(action["value"], body):
            history.hide(self._database, action["value"], user)
        self._publish(user, context)
        ack()

    def restore_button(
        self,
        action: Payload,
        body: Payload,
        context: BoltContext,
        ack: Any,
    ) -> None:
        user = user_id(body)
        if self._access.owns_thread(action["value"], body):
            history.restore(self._database, action["value"], user)
        self._publish(user, context, hidden=True)
        ack()

    def forget_button(self, action: Payload, body: Payload, context: BoltContext, ack: Any) -> None:
        """Slack has asked for confirmation."""
        user = user_id(body)
        if self._access.owns_thread(action["value"], body):
            forgotten = erasure.forget(self._database, action["value"], user)
            schedule_deletion(self._events, forgotten)
        self._publish(user, context)
        ack()

    def hidden_button(self, body: Payload, context: BoltContext, ack: Any) -> None:
        self._publish(user_id(body), context, hidden=True)
        ack()

    def shown_button(self, body: Payload, context: BoltContext, ack: Any) -> None:
        self._publish(user_id(body), context)
        ack()

    def example_button(
        self,
        action: Payload,
        body: Payload,
        context: BoltContext,
        ack: Any,
    ) -> None:
        """One that we did not make, or of an older version, brings those of today."""
        user, example = user_id(body), read_example(action["value"])
        if example is None:
            self._publish(user, context)
        else:
            question, shows = example
            self._private.ask(context.team_id or "", user, question, shows=shows)
        ack()

    def _publish(self, user: str, context: BoltContext, *, hidden: bool = False) -> None:
        publish_home(self._database, context.team_id or "", user, hidden=hidden)


def publish_home(database: Database, team: str, user: str, *, hidden: bool = False) -> None:
    """Have a speaker show somebody the Home tab as it is then."""
    which = "hidden" if hidden else "shown"
    put_off(database, PutOff.HOME, team=team, user=user, which=which)


def _is_home(event: Payload) -> bool:
    return event.get("tab") == "home"


def _nothing() -> None:
    """The other tab: without a listener, Bolt would tell Slack that the event failed."""
