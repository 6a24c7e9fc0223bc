"""The registration table: which listener gets which event, button, shortcut, command and modal."""

from __future__ import annotations

import re

from slack_bolt import App

from bot.listeners.answer_menu import AnswerMenuListeners
from bot.listeners.app_home import AppHomeListeners
from bot.listeners.explain_shortcut import ExplainShortcut
from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.listeners.question_buttons import QuestionButtons
from bot.listeners.questions import QuestionListeners
from bot.listeners.reactions import ReactionListeners
from bot.listeners.settings import SettingsListeners
from bot.listeners.slash_command import SlashCommand
from bot.listeners.stop import StopListeners
from bot.listeners.suggested_prompts import SuggestedPrompts
from bot.slack_api.direct_messages import DirectMessages
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.parts import BotParts
from bot.slack_api.permalinks import Permalinks


def register(app: App, parts: BotParts) -> None:
    """All that the bot listens to; of several listeners that match, Bolt calls the first."""
    ephemeral = EphemeralMessages(parts.client, parts.database)
    explanations = ExplanationListeners(parts, ephemeral)
    feedback = FeedbackListeners(parts, ephemeral)
    questions = QuestionListeners(parts)
    buttons = QuestionButtons(parts, ephemeral, questions)
    settings = SettingsListeners(parts)
    direct_messages = DirectMessages(parts.client, questions.ask_in_private)
    permalinks = Permalinks(parts.client)
    for listeners in (
        questions,
        ReactionListeners(parts, explanations, feedback),
        buttons,
        explanations,
        feedback,
        AnswerMenuListeners(parts, ephemeral),
        StopListeners(parts, ephemeral),
        ExplainShortcut(parts, explanations),
        SuggestedPrompts(parts),
        settings,
        SlashCommand(settings, direct_messages, permalinks),
        AppHomeListeners(parts, direct_messages, permalinks),
    ):
        listeners.register(app)
    app.action(re.compile(".*"))(buttons.old_button)
