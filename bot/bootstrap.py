"""Wires the bot: which listener gets which parts; bot.speaker wires the deliveries."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Protocol

from slack_bolt import App
from slack_sdk import WebClient
from starlette.routing import Route

from bot.access.locales import Locales
from bot.access.membership import Membership
from bot.access.person_names import PersonNames
from bot.access.space_names import SpaceNames
from bot.access.turn_access import TurnAccess
from bot.delivery.details_modal import DetailsModal
from bot.ears import build_questions
from bot.gate import Gate
from bot.linking.link_pages import Linking, LinkPages
from bot.linking.tickets import Tickets
from bot.listeners.afterwards.edits import EditListeners
from bot.listeners.answer_menu import AnswerDeletion, AnswerMenuListeners
from bot.listeners.app_home import AppHomeListeners
from bot.listeners.direct_messages import DirectMessages
from bot.listeners.explain_shortcut import ExplainShortcut
from bot.listeners.explanations import ExplanationListeners
from bot.listeners.feedback import FeedbackListeners
from bot.listeners.linking import LinkListeners
from bot.listeners.question_buttons import OldButtons, QuestionButtons
from bot.listeners.questions import QuestionListeners
from bot.listeners.reactions import ReactionListeners
from bot.listeners.settings import SettingsListeners
from bot.listeners.slash_command import SlashCommand
from bot.listeners.stop import StopListeners
from bot.listeners.suggested_prompts import SuggestedPrompts
from bot.slack_api.directory import Directory
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.permalinks import Permalinks
from bot.slack_api.sender import Sender
from bot.slack_api.views import SlackViews
from bot.speaker import home_tab
from core.access.oauth import AtlassianApp
from core.access.sites import LinkBy, link_by, linked_accounts
from core.access.token_keys import TokenKeys
from core.jobs.progress_events import Events
from core.settings import Settings
from core.storage.database import Database


class Listeners(Protocol):
    """The listeners of one module."""

    def register(self, app: App) -> None: ...


def build_listeners(chosen: Settings, database: Database, web: WebClient) -> Iterator[Listeners]:
    """All that the bot listens to; those of buttons that no other listener knows come last."""
    gate = Gate(database, chosen.confirm_valid_s)
    sender = Sender(web, gate, Outbox.of(chosen, database))
    events, views, directory = Events(chosen.redis_url), SlackViews(sender), Directory(web)
    ephemeral, permalinks = EphemeralMessages(sender, database), Permalinks(web)
    membership, locales = Membership(database, directory, chosen), Locales(database, directory)
    access = TurnAccess(database, membership, ephemeral)
    questions = build_questions(chosen, database, web)
    private = DirectMessages(sender, database, questions.ask_in_private)
    own = SettingsListeners(database, views, directory, chosen, names=SpaceNames(database, gate))
    deletion = AnswerDeletion(database, events, directory)
    answers = _Answers(database, events, views, ephemeral, deletion, locales, access)
    home = home_tab(
        chosen, database, sender, permalinks=permalinks, gate=gate, membership=membership
    )
    yield EditListeners(database, events, questions)
    yield questions
    yield from answers.listeners(questions, chosen.explain_reaction_names)
    yield SuggestedPrompts(locales=locales, access=access)
    yield own
    yield SlashCommand(
        database, own, sender, direct_messages=private, permalinks=permalinks, locales=locales
    )
    yield AppHomeListeners(
        database, events, home=home, direct_messages=private, locales=locales, access=access
    )
    if accounts := linked_accounts(chosen, database):
        yield LinkListeners(database, accounts, home.publish)
    yield OldButtons(ephemeral)


def link_routes(chosen: Settings, database: Database, web: WebClient) -> list[Route]:
    """The pages on which people link accounts; none where nobody can.

    Raises:
        SettingsError: half of what linking needs is set, or a key is wrong.
    """
    by, accounts = link_by(chosen), linked_accounts(chosen, database)
    if by is None or accounts is None:
        return []
    linking = Linking(
        by=by,
        site=chosen.confluence_url or "",
        public_url=chosen.public_url,
        app=AtlassianApp.of(chosen) if by is LinkBy.CONSENT else None,
    )
    tickets, person = Tickets(database, TokenKeys.of(chosen)), PersonNames(Directory(web)).of
    return LinkPages(database, accounts, linking=linking, tickets=tickets, person=person).routes


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
        yield AnswerMenuListeners(
            database,
            views,
            ephemeral,
            details=details,
            deletion=self.deletion,
            locales=locales,
            access=access,
        )
        yield StopListeners(database, self.events, ephemeral, access)
        yield ExplainShortcut(database, views, explanations, locales=locales, access=access)
