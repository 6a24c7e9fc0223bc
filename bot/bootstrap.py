"""Wires the bot: which listener and which delivery gets which parts; nothing else builds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from slack_bolt import App
from slack_sdk import WebClient

from bot.access.channel_rules import ChannelRules
from bot.access.locales import Locales
from bot.access.membership import Membership
from bot.access.space_names import SpaceNames
from bot.delivery.answer_delivery import AnswerDelivery
from bot.delivery.answer_messages import AnswerMessages
from bot.delivery.confirmer import WAIT_S, Confirmer
from bot.delivery.delete_messages import MessageDeletion
from bot.delivery.details_modal import DetailsModal
from bot.delivery.explanation_delivery import ExplanationDelivery
from bot.delivery.home_tab import HomeTab
from bot.delivery.patience import Patience
from bot.gate import Gate
from bot.listeners.answer_menu import AnswerDeletion, AnswerMenuListeners
from bot.listeners.app_home import AppHomeListeners
from bot.listeners.direct_messages import DirectMessages
from bot.listeners.explain_shortcut import ExplainShortcut
from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.listeners.question_buttons import OldButtons, QuestionButtons
from bot.listeners.questions import QuestionListeners
from bot.listeners.reactions import ReactionListeners
from bot.listeners.settings import SettingsListeners
from bot.listeners.slash_command import SlashCommand
from bot.listeners.stop import StopListeners
from bot.listeners.suggested_prompts import Prompts, SuggestedPrompts
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.capabilities import Capabilities
from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.file_upload import FileUpload
from bot.slack_api.messages import SlackMessages
from bot.slack_api.permalinks import Permalinks
from bot.slack_api.sender import Sender
from bot.slack_api.streams import SlackStreams
from bot.slack_api.views import SlackViews
from core.jobs.progress_events import Events
from core.policy.rate_limits import Limits
from core.settings import Settings, settings
from core.storage.database import Database, open_database


@dataclass(frozen=True)
class Speaker:
    """What a process on the queue `speak` does."""

    answers: AnswerDelivery
    explanations: ExplanationDelivery
    details: DetailsModal
    deletion: MessageDeletion
    home: HomeTab
    prompts: Prompts


class Listeners(Protocol):
    """The listeners of one module."""

    def register(self, app: App) -> None: ...


@cache
def speaker() -> Speaker:
    """The speaker of this process.

    Raises:
        SettingsError: there is no bot token.
    """
    chosen = settings()
    chosen.require("slack_bot_token")
    return build_speaker(chosen, open_database(chosen.sql_url), client(chosen))


def build_speaker(
    chosen: Settings,
    database: Database,
    web: WebClient,
    *,
    confirm_wait_s: float = WAIT_S,
) -> Speaker:
    """The deliveries for these settings, each of which waits so long for a confirmation."""
    events, capabilities = Events(chosen.redis_url), Capabilities()
    gate = Gate(database, chosen.confirm_valid_s)
    sender, confirmer = Sender(web, gate), Confirmer(database, gate, wait_s=confirm_wait_s)
    messages = SlackMessages(web, sender)
    deletion = MessageDeletion(database, events, messages)
    streams = SlackStreams(sender, capabilities)
    assistant = SlackAssistant(sender, capabilities)
    shown = AnswerMessages(database, messages, streams, assistant, deletion, confirmer)
    patience = Patience(database, chosen.answer_patience_s)
    uploads = FileUpload(sender, wanted=chosen.explain_picture)
    views = SlackViews(sender)
    return Speaker(
        answers=AnswerDelivery(database, events, patience, shown, confirmer),
        explanations=ExplanationDelivery(
            database, events, messages, uploads, deletion=deletion, confirmer=confirmer
        ),
        details=DetailsModal(database, views),
        deletion=deletion,
        home=HomeTab(database, views, Permalinks(web), gate),
        prompts=Prompts(database, assistant, gate),
    )


def build_listeners(chosen: Settings, database: Database, web: WebClient) -> Iterator[Listeners]:
    """All that the bot listens to; those of buttons that no other listener knows come last."""
    gate = Gate(database, chosen.confirm_valid_s)
    sender = Sender(web, gate)
    events, views, directory = Events(chosen.redis_url), SlackViews(sender), Directory(web)
    ephemeral, permalinks = EphemeralMessages(sender, database), Permalinks(web)
    details, deletion = DetailsModal(database, views), AnswerDeletion(database, events, directory)
    membership, locales = Membership(database, directory, chosen), Locales(database, directory)
    rules = ChannelRules(database, directory, membership, chosen)
    own_messages, limits = SlackMessages(web, sender), Limits.of(chosen)
    questions = QuestionListeners(
        database, own_messages, membership=membership, rules=rules, limits=limits, locales=locales
    )
    private = DirectMessages(sender, database, questions.ask_in_private)
    explanations = ExplanationListeners(
        database, ephemeral, membership=membership, details=details, locales=locales
    )
    feedback = FeedbackListeners(database, views, ephemeral, locales)
    own = SettingsListeners(database, views, directory, chosen, names=SpaceNames(database, gate))
    yield questions
    yield ReactionListeners(database, explanations, feedback, chosen.explain_reaction_names)
    yield QuestionButtons(database, events, ephemeral, questions)
    yield explanations
    yield feedback
    yield AnswerMenuListeners(
        database, views, ephemeral, details=details, deletion=deletion, locales=locales
    )
    yield StopListeners(database, events, ephemeral)
    yield ExplainShortcut(database, views, explanations, locales)
    yield SuggestedPrompts(locales)
    yield own
    yield SlashCommand(
        database, own, sender, direct_messages=private, permalinks=permalinks, locales=locales
    )
    home = HomeTab(database, views, permalinks, gate)
    yield AppHomeListeners(database, events, home=home, direct_messages=private, locales=locales)
    yield OldButtons(ephemeral)
