"""Wires what listens to Slack; bot.wiring.speaker wires what speaks."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Protocol

from slack_bolt import App
from slack_sdk import WebClient

from bot.access.admins import Admins
from bot.access.channel_rules import ChannelRules
from bot.access.locales import Locales
from bot.access.membership import Membership
from bot.access.space_names import SpaceNames
from bot.access.turn_access import TurnAccess
from bot.aside import Aside
from bot.delivery.details_modal import DetailsModal
from bot.gate import Gate
from bot.home.private_questions import PrivateQuestions
from bot.listeners.answer_menu import AnswerDeletion, AnswerMenuListeners
from bot.listeners.app_home import AppHomeListeners
from bot.listeners.changes.edits import EditListeners
from bot.listeners.changes.uninstalled import OnlyWorkspace, UninstallListeners
from bot.listeners.dialogue import Dialogue
from bot.listeners.explain_shortcut import ExplainShortcut
from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.listeners.hand_over.listeners import HandOverListeners
from bot.listeners.linking import LinkListeners
from bot.listeners.question_buttons import OldButtons, QuestionButtons
from bot.listeners.questions import QuestionListeners
from bot.listeners.reactions import ReactionListeners
from bot.listeners.settings import SettingsListeners
from bot.listeners.slash_command import SlashCommand
from bot.listeners.stop import StopListeners
from bot.listeners.suggested_prompts import SuggestedPrompts
from bot.listeners.unasked.digest import DigestListeners
from bot.listeners.unasked.joined import JoinedListeners
from bot.slack_api.client import hasty
from bot.slack_api.directory import Directory
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.installed.workspace import THE_ONLY, Workspace
from bot.slack_api.messages import SlackMessages
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.sender import Sender
from bot.slack_api.threads.talk import SlackTalk
from bot.slack_api.views import SlackViews
from bot.to_work import ToWork
from core.access.sites import linked_accounts
from core.jobs.progress_events import Events
from core.policy.examined import Examined
from core.policy.rate_limits import Limits
from core.settings import Settings
from core.storage.database import Database


class Listeners(Protocol):
    """The listeners of one module."""

    def register(self, app: App) -> None: ...


def build_listeners(
    chosen: Settings,
    database: Database,
    web: WebClient,
    aside: Aside,
    *,
    workspace: Workspace = THE_ONLY,
) -> Iterator[Listeners]:
    """All that the bot listens to; those of buttons that no other listener knows come last."""
    gate = Gate(database, chosen.confirm_valid_s)
    outbox, at_once = Outbox.of(chosen, database, workspace), hasty(chosen, workspace)
    views, sender = SlackViews(Sender(at_once, gate, outbox)), Sender(web, gate, outbox)
    events, ephemeral = Events(chosen.redis_url), EphemeralMessages(database)
    membership, locales = Membership(database, None, chosen), Locales(database)
    access = TurnAccess(database, membership, ephemeral)
    questions = build_questions(
        chosen,
        database,
        SlackMessages(web, sender),
        rules=ChannelRules(database, None, membership, chosen),
        membership=membership,
        aside=aside,
    )
    admins, slow_views = Admins(database, Directory(web)), SlackViews(sender)
    names, private = SpaceNames(database, gate), PrivateQuestions(database)
    own = SettingsListeners(database, views, admins, chosen, names=names, slow_views=slow_views)
    answers = _Answers(
        database, events, views, ephemeral, AnswerDeletion(database, events), locales, access
    )
    yield EditListeners(database, events, questions)
    yield questions
    yield from answers.listeners(questions, chosen.explain_reaction_names)
    yield SuggestedPrompts(locales=locales)
    yield own
    yield SlashCommand(database, own, sender, private=private, locales=locales)
    yield AppHomeListeners(database, events, private=private, locales=locales, access=access)
    if accounts := linked_accounts(chosen, database):
        yield LinkListeners(database, accounts)
    yield from _unasked(database, ephemeral)
    yield UninstallListeners(database) if workspace.team else OnlyWorkspace()
    yield OldButtons(ephemeral)


def _unasked(database: Database, ephemeral: EphemeralMessages) -> Iterator[Listeners]:
    yield JoinedListeners(database)
    yield DigestListeners(database, ephemeral)


def build_questions(
    chosen: Settings,
    database: Database,
    messages: SlackMessages,
    *,
    rules: ChannelRules,
    membership: Membership,
    aside: Aside | None = None,
    talk: SlackTalk | None = None,
) -> QuestionListeners:
    """Those of the bot ask Slack nothing; with `talk`, those of a speaker may."""
    locales = Locales(database)
    return QuestionListeners(
        database,
        ToWork(database, messages, aside or Aside()),
        membership=membership,
        rules=rules,
        limits=Limits.of(chosen),
        locales=locales,
        dialogue=Dialogue(database, talk, locales, Examined(database, chosen)),
    )


@dataclass(frozen=True)
class _Answers:
    """The parts of what listens under answers."""

    database: Database
    events: Events
    views: SlackViews
    ephemeral: EphemeralMessages
    deletion: AnswerDeletion
    locales: Locales
    access: TurnAccess

    def listeners(
        self, questions: QuestionListeners, explain_names: Container[str]
    ) -> Iterator[Listeners]:
        database, views, ephemeral = self.database, self.views, self.ephemeral
        locales, access = self.locales, self.access
        details = DetailsModal(database, views)
        explanations = ExplanationListeners(
            database, ephemeral, access=access, details=details, locales=locales
        )
        feedback = FeedbackListeners(database, views, ephemeral, locales=locales, access=access)
        yield ReactionListeners(
            database, explanations, feedback, explain_names=explain_names, access=access
        )
        yield QuestionButtons(database, self.events, ephemeral, questions=questions, access=access)
        yield explanations
        yield feedback
        hand_over = HandOverListeners(database, views, ephemeral, access=access)
        yield hand_over
        yield AnswerMenuListeners(
            database,
            views,
            ephemeral,
            details=details,
            deletion=self.deletion,
            hand_over=hand_over,
            locales=locales,
            access=access,
        )
        yield StopListeners(database, self.events, ephemeral, access)
        yield ExplainShortcut(database, views, explanations, locales=locales, access=access)
