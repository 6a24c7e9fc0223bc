"""The message shortcut *Which evidence?*: explains an answer from the menu of its message."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.locales import Locales
from bot.listeners.explanations import ExplanationListeners
from bot.slack_api.payloads import Payload, team_id, user_id
from bot.slack_api.views import SlackViews
from bot.views import feedback_forms
from core.access.disclosure import NOTHING
from core.storage.database import Database
from core.turns import post_store, turn_store
from core.turns.turn import Turn

EXPLAIN_SHORTCUT = "which_evidence"


class ExplainShortcut:
    """Slack offers it on every message, so a modal says when the message is none of ours."""

    def __init__(
        self,
        database: Database,
        views: SlackViews,
        explanations: ExplanationListeners,
        locales: Locales,
    ) -> None:
        self._database = database
        self._views = views
        self._explanations = explanations
        self._locales = locales

    def register(self, app: App) -> None:
        app.shortcut(EXPLAIN_SHORTCUT)(self.which_evidence)

    def which_evidence(self, body: Payload, ack: Any) -> None:
        turn, user = self._turn_of(body), user_id(body)
        if turn and (user == turn.user or not turn.private):
            self._explanations.explain(turn.id, user)
        else:
            say = voices.to(self._database, team_id(body), user)
            notice = feedback_forms.build_notice(say, "button-explain", say("not-an-answer"))
            self._views.open(body["trigger_id"], notice, "explain_shortcut", shows=NOTHING)
            self._locales.learn(team_id(body), user)
        ack()

    def _turn_of(self, body: Payload) -> Turn | None:
        channel, ts = body["channel"]["id"], body["message_ts"]
        post = post_store.at_place(self._database, channel, ts)
        turn = turn_store.load(self._database, post.turn_id) if post else None
        return None if turn is None or turn.is_forgotten else turn
