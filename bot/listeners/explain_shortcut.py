"""The message shortcut *Which evidence?*: what the button under an answer does, from the menu of the message."""

from __future__ import annotations

from typing import Any

from slack_bolt import App
from slack_sdk.errors import SlackClientError

from bot.listeners.explanations import ExplanationListeners
from bot.slack_api.parts import BotParts
from bot.slack_api.payloads import Payload
from bot.views import feedback_forms, messages
from core import logs
from core.turns import post_store, turn_store
from core.turns.turn import Turn

EXPLAIN_SHORTCUT = "which_evidence"

log = logs.get(__name__)


class ExplainShortcut:
    """Plain methods, as in bot.listeners.questions."""

    def __init__(self, parts: BotParts, why: ExplanationListeners) -> None:
        self._parts = parts
        self._why = why

    def register(self, app: App) -> None:
        app.shortcut(EXPLAIN_SHORTCUT)(self.which_evidence)

    def which_evidence(self, body: Payload, ack: Any) -> None:
        """It is offered on every message in Slack, wherever the bot is or is not: so a modal says when it is none of ours."""
        turn, user = self._turn_of(body), body["user"]["id"]
        if turn and not turn.is_forgotten and (user == turn.user or not turn.private):
            self._why.explain(turn.id, user)
        else:
            self._say(body["trigger_id"])
        ack()

    def _turn_of(self, body: Payload) -> Turn | None:
        post = post_store.at_place(self._parts.database, body["channel"]["id"], body["message_ts"])
        return turn_store.load(self._parts.database, post.turn_id) if post else None

    def _say(self, trigger_id: str) -> None:
        view = feedback_forms.build_notice(
            messages.BUTTON_EXPLAIN, messages.answer_menu.NOT_AN_ANSWER
        )
        try:
            self._parts.client.views_open(trigger_id=trigger_id, view=view)
        except (SlackClientError, OSError) as error:
            log.warning("shortcut.not_opened", error=str(error))
