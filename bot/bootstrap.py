"""Wires the bot: which listener and which delivery gets which parts; nothing else builds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from slack_sdk import WebClient
from starlette.routing import Route

from bot.access.admins import Admins
from bot.access.channel_rules import ChannelRules
from bot.access.membership import Membership
from bot.access.person_names import PersonNames
from bot.access.vetting import Vetting
from bot.afterwards import Afterwards
from bot.delivery.answer_delivery import AnswerDelivery
from bot.delivery.answer_messages import AnswerMessages
from bot.delivery.confirmer import WAIT_S, Confirmer
from bot.delivery.delete_messages import MessageDeletion
from bot.delivery.details_modal import DetailsModal
from bot.delivery.explanation_delivery import ExplanationDelivery
from bot.delivery.home_tab import HomeTab, PersonParts
from bot.delivery.patience import Patience
from bot.gate import Gate
from bot.linking.link_pages import Linking, LinkPages
from bot.linking.tickets import Tickets
from bot.listeners.linking import AccountSection
from bot.listeners.questions import QuestionListeners
from bot.listeners.suggested_prompts import Prompts
from bot.listening import build_questions
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.capabilities import Capabilities
from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from bot.slack_api.file_upload import FileUpload
from bot.slack_api.messages import SlackMessages
from bot.slack_api.permalinks import Permalinks
from bot.slack_api.sender import Sender
from bot.slack_api.streams import SlackStreams
from bot.slack_api.threads.talk import SlackTalk
from bot.slack_api.views import SlackViews
from bot.views.block_kit import Block
from core.access.linked_accounts import LinkedAccounts
from core.access.oauth import AtlassianApp
from core.access.sites import LinkBy, link_by, linked_accounts
from core.access.token_keys import TokenKeys
from core.jobs.progress_events import Events
from core.policy.model_routing import leaving
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
    afterwards: Afterwards
    vetting: Vetting


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
    assistant = SlackAssistant(sender, capabilities)
    streams = SlackStreams(sender, capabilities)
    shown = AnswerMessages(database, messages, streams, assistant, deletion, confirmer)
    patience = Patience(database, chosen.answer_patience_s)
    uploads = FileUpload(sender, wanted=chosen.explain_picture)
    membership, rules = _asking_slack(chosen, database, directory := Directory(web))
    home = home_tab(chosen, database, web, gate, membership)
    questions = _questions(chosen, database, web, sender=sender, membership=membership, rules=rules)
    return Speaker(
        answers=AnswerDelivery(database, events, patience, shown, confirmer),
        explanations=ExplanationDelivery(
            database, events, messages, uploads, deletion=deletion, confirmer=confirmer
        ),
        details=DetailsModal(database, SlackViews(sender)),
        deletion=deletion,
        home=home,
        prompts=Prompts(database, assistant, gate, membership.is_outsider),
        afterwards=Afterwards(
            database,
            sender,
            directory=directory,
            home=home,
            membership=membership,
            questions=questions,
        ),
        vetting=Vetting(database, events, membership, rules),
    )


def _asking_slack(
    chosen: Settings, database: Database, directory: Directory
) -> tuple[Membership, ChannelRules]:
    membership = Membership(database, directory, chosen)
    return membership, ChannelRules(database, Admins(database, directory), membership, chosen)


def _questions(
    chosen: Settings,
    database: Database,
    web: WebClient,
    *,
    sender: Sender,
    membership: Membership,
    rules: ChannelRules,
) -> QuestionListeners:
    """Those that may ask Slack."""
    messages, talk = SlackMessages(web, sender), SlackTalk(web, sender)
    return build_questions(
        chosen, database, messages, rules=rules, membership=membership, talk=talk
    )


def home_tab(
    chosen: Settings,
    database: Database,
    web: WebClient,
    gate: Gate,
    membership: Membership,
) -> HomeTab:
    person = PersonParts(
        is_outsider=membership.is_outsider,
        account=_account_section(chosen, database, linked_accounts(chosen, database)),
        leaving=leaving(chosen),
    )
    return HomeTab(database, SlackViews(Sender(web, gate)), Permalinks(web), gate, person)


def _account_section(
    chosen: Settings, database: Database, accounts: LinkedAccounts | None
) -> Callable[[str, str], list[Block]]:
    """Nothing where nobody can link an account."""
    if accounts is None:
        return lambda _team, _user: []
    tickets = Tickets(database, TokenKeys.of(chosen))
    return AccountSection(database, accounts, tickets, chosen.public_url).blocks


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
