"""App Home: published for the one person who opened it, with public facts and that person's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from slack_bolt import App, BoltContext

from bot import voices
from bot.access.locales import Locales
from bot.access.turn_access import TurnAccess
from bot.delivery.delete_messages import schedule_deletion
from bot.home import history
from bot.home.index_overview import NOTHING, examples, overview
from bot.slack_api.direct_messages import DirectMessages
from bot.slack_api.payloads import Payload, user_id
from bot.slack_api.permalinks import Permalinks
from bot.slack_api.views import SlackViews
from bot.views.block_kit import Block
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
from core.jobs.progress_events import Events
from core.policy.model_routing import Leaving
from core.storage.database import Database
from core.turns import erasure


class AppHomeListeners:
    """Opening the Home tab, and its buttons; each publishes the tab again."""

    def __init__(
        self,
        database: Database,
        events: Events,
        *,
        views: SlackViews,
        direct_messages: DirectMessages,
        permalinks: Permalinks,
        locales: Locales,
        access: TurnAccess,
        leaving: Leaving,
        account: Callable[[str, str], Sequence[Block]],
    ) -> None:
        """`account` is what stands there of the account that somebody, by team and user, links."""
        self._leaving = leaving
        self._access = access
        self._database = database
        self._account = account
        self._events = events
        self._views = views
        self._direct_messages = direct_messages
        self._permalinks = permalinks
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
        team, question = context.team_id or "", action["value"]
        self._direct_messages.ask(team, user_id(body), question)
        ack()

    def publish(self, team: str, user: str, *, hidden: bool = False) -> None:
        """Show somebody the Home tab as it is now."""
        database = self._database
        is_outsider = self._access.is_outsider(team, user)
        conversations = history.conversations_of(database, team, user, hidden=hidden)
        content = HomeContent(
            overview=NOTHING if is_outsider else overview(database),
            examples=() if is_outsider else examples(database),
            conversations=list(self._with_permalinks(conversations)),
            hidden=hidden,
            account=self._account(team, user),
            leaving=self._leaving,
        )
        view = build_home(voices.to(database, team, user), content)
        self._views.publish(user, view)

    def _publish(self, user: str, context: BoltContext, *, hidden: bool = False) -> None:
        self.publish(context.team_id or "", user, hidden=hidden)

    def _with_permalinks(
        self, conversations: Iterable[history.Conversation]
    ) -> Iterator[tuple[history.Conversation, str]]:
        for each in conversations:
            yield each, self._permalinks.to(each.channel, each.thread_ts)


def _is_home(event: Payload) -> bool:
    return event.get("tab") == "home"


def _nothing() -> None:
    """The other tab: without a listener, Bolt would tell Slack that the event failed."""
