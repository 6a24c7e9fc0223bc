"""Wires the speaker: which delivery gets which parts; bot.wiring.listening wires the listeners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from slack_sdk import WebClient

from bot.access.admins import Admins
from bot.access.candidates import Candidates
from bot.access.channel_rules import ChannelRules
from bot.access.membership import Membership
from bot.access.vetting import Vetting
from bot.afterwards import Afterwards
from bot.delivery.answer_delivery import AnswerDelivery
from bot.delivery.answer_messages import AnswerMessages
from bot.delivery.confirmer import WAIT_S, Confirmer
from bot.delivery.delete_messages import MessageDeletion
from bot.delivery.details_modal import DetailsModal
from bot.delivery.explanation_delivery import ExplanationDelivery
from bot.delivery.hand_over.delivery import HandOverDelivery
from bot.delivery.hand_over.helpers_words import HelpersWords
from bot.delivery.home_tab import HomeTab, PersonParts
from bot.delivery.patience import Patience
from bot.gate import Gate
from bot.linking.tickets import Tickets
from bot.listeners.changes.edits import EditListeners
from bot.listeners.linking import AccountSection
from bot.listeners.questions import QuestionListeners
from bot.listeners.suggested_prompts import Prompts
from bot.slack_api.assistant import SlackAssistant
from bot.slack_api.capabilities import Capabilities
from bot.slack_api.directory import Directory
from bot.slack_api.file_upload import FileUpload
from bot.slack_api.installed.workspace import THE_ONLY, Workspace
from bot.slack_api.messages import SlackMessages
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.permalinks import Permalinks
from bot.slack_api.sender import Sender
from bot.slack_api.streams import SlackStreams
from bot.slack_api.threads.talk import SlackTalk
from bot.slack_api.views import SlackViews
from bot.views.block_kit import Block
from bot.wiring.handing_over import build_hand_over
from bot.wiring.listening import build_questions
from bot.wiring.unasked import build_digests, build_welcomes
from core.access.linked_accounts import LinkedAccounts
from core.access.sites import linked_accounts
from core.access.token_keys import TokenKeys
from core.jobs.progress_events import Events
from core.policy.model_routing import leaving
from core.settings import Settings
from core.storage.database import Database


@dataclass(frozen=True)
class Speaker:
    """What a process on the queue `speak` does in one workspace."""

    answers: AnswerDelivery
    explanations: ExplanationDelivery
    details: DetailsModal
    deletion: MessageDeletion
    home: HomeTab
    prompts: Prompts
    afterwards: Afterwards
    vetting: Vetting


def build_speaker(
    chosen: Settings,
    database: Database,
    web: WebClient,
    *,
    confirm_wait_s: float = WAIT_S,
    workspace: Workspace = THE_ONLY,
) -> Speaker:
    """The deliveries for these settings, each of which waits so long for a confirmation."""
    events, patience = Events(chosen.redis_url), Patience(database, chosen.answer_patience_s)
    gate, outbox = Gate(database, chosen.confirm_valid_s), Outbox.of(chosen, database, workspace)
    sender = Sender(web, gate, outbox)
    confirmer = Confirmer(database, gate, wait_s=confirm_wait_s)
    deletion = MessageDeletion(database, events, messages := SlackMessages(web, sender))
    shown, assistant = _shown(database, sender, messages, deletion=deletion, confirmer=confirmer)
    uploads = FileUpload(sender, wanted=chosen.explain_picture)
    membership, rules = _asking_slack(chosen, database, directory := Directory(web))
    home = home_tab(
        chosen, database, sender, permalinks=Permalinks(web), gate=gate, membership=membership
    )
    candidates = Candidates(database, directory, membership)
    wanted = chosen.has_digest and chosen.model_endpoint is not None
    words = HelpersWords(database, SlackTalk(web, sender), directory, wanted=wanted)
    hand_over = build_hand_over(
        database, messages, sender, candidates=candidates, confirmer=confirmer, words=words
    )
    return Speaker(
        answers=AnswerDelivery(database, events, patience, shown, confirmer),
        explanations=ExplanationDelivery(
            database, events, messages, uploads, deletion=deletion, confirmer=confirmer
        ),
        details=DetailsModal(database, SlackViews(sender)),
        deletion=deletion,
        home=home,
        prompts=Prompts(database, assistant, gate, membership.is_outsider),
        afterwards=_afterwards(
            chosen, database, web, sender=sender, events=events, home=home, hand_over=hand_over
        ),
        vetting=Vetting(database, events, membership, rules),
    )


def _afterwards(
    chosen: Settings,
    database: Database,
    web: WebClient,
    *,
    sender: Sender,
    events: Events,
    home: HomeTab,
    hand_over: HandOverDelivery,
) -> Afterwards:
    membership, _ = _asking_slack(chosen, database, directory := Directory(web))
    questions = questions_that_ask_slack(chosen, database, web, sender)
    messages = SlackMessages(web, sender)
    return Afterwards(
        database,
        sender,
        directory=directory,
        home=home,
        membership=membership,
        questions=questions,
        edits=EditListeners(database, events, questions),
        hand_over=hand_over,
        digest=build_digests(chosen, database, messages, directory, Permalinks(web)),
        welcome=build_welcomes(chosen, database, messages),
    )


def _shown(
    database: Database,
    sender: Sender,
    messages: SlackMessages,
    *,
    deletion: MessageDeletion,
    confirmer: Confirmer,
) -> tuple[AnswerMessages, SlackAssistant]:
    capabilities = Capabilities()
    assistant = SlackAssistant(sender, capabilities)
    streams = SlackStreams(sender, capabilities)
    shown = AnswerMessages(database, messages, streams, assistant, deletion, confirmer)
    return shown, assistant


def questions_that_ask_slack(
    chosen: Settings, database: Database, web: WebClient, sender: Sender
) -> QuestionListeners:
    """For whoever hears a question when nobody waits for an acknowledgement."""
    membership, rules = _asking_slack(chosen, database, Directory(web))
    messages, talk = SlackMessages(web, sender), SlackTalk(web, sender)
    return build_questions(
        chosen, database, messages, rules=rules, membership=membership, talk=talk
    )


def _asking_slack(
    chosen: Settings, database: Database, directory: Directory
) -> tuple[Membership, ChannelRules]:
    membership = Membership(database, directory, chosen)
    return membership, ChannelRules(database, Admins(database, directory), membership, chosen)


def home_tab(
    chosen: Settings,
    database: Database,
    sender: Sender,
    *,
    permalinks: Permalinks,
    gate: Gate,
    membership: Membership,
) -> HomeTab:
    """The Home tab, which listeners publish at once, and speakers when more is confirmed."""
    person = PersonParts(
        is_outsider=membership.is_outsider,
        account=_account_section(chosen, database, linked_accounts(chosen, database)),
        leaving=leaving(chosen),
        cost_by_person=chosen.console_cost_by_person,
    )
    return HomeTab(database, SlackViews(sender), permalinks, gate, person)


def _account_section(
    chosen: Settings, database: Database, accounts: LinkedAccounts | None
) -> Callable[[str, str], list[Block]]:
    """Nothing where nobody can link an account."""
    if accounts is None:
        return lambda _team, _user: []
    tickets = Tickets(database, TokenKeys.of(chosen))
    return AccountSection(database, accounts, tickets, chosen.public_url).blocks
