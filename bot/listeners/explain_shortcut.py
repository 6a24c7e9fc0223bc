"""The message shortcut *Why?*: explains an answer from the menu of its message."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot import voices
from bot.access.locales import Locales
from bot.access.turn_access import TurnAccess
from bot.listeners.explanations import ExplanationListeners
from bot.slack_api.payloads import Payload, actor_at, team_id, user_id
from bot.slack_api.views import SlackViews
from bot.views import feedback_forms
from core.access.disclosure import NOTHING
from core.storage.database import Database

EXPLAIN_SHORTCUT = "which_evidence"


class ExplainShortcut:
    """Slack offers it on every message, so a modal says when the message is none of ours."""

    def __init__(
        self,
        database: Database,
        views: SlackViews,
        explanations: ExplanationListeners,
        *,
        locales: Locales,
        access: TurnAccess,
    ) -> None:
        self._access = access
        self._database = database
        self._views = views
        self._explanations = explanations
        self._locales = locales

    def register(self, app: App) -> None:
        app.shortcut(EXPLAIN_SHORTCUT)(self.which_evidence)

    def which_evidence(self, body: Payload, ack: Any) -> None:
        turn, user = self._access.at_message(actor_at(body)), user_id(body)
        if turn:
            self._explanations.explain(turn, user)
        else:
            say = voices.to(self._database, team_id(body), user)
            notice = feedback_forms.build_notice(say, "button-explain", say("not-an-answer"))
            self._views.open(body["trigger_id"], notice, "explain_shortcut", shows=NOTHING)
            self._locales.learn(team_id(body), user)
        ack()
