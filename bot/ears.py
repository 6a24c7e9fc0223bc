"""Wires what hears people's questions: the listeners, what catches up, and who speaks first."""

from __future__ import annotations

import threading

from slack_sdk import WebClient

from bot.access.channel_rules import ChannelRules
from bot.access.locales import Locales
from bot.access.membership import Membership
from bot.catching_up.catch_up import CatchUp
from bot.catching_up.first_word import FirstWord
from bot.catching_up.hearing import Hearing
from bot.gate import Gate
from bot.listeners.dialogue import Dialogue
from bot.listeners.questions import QuestionListeners
from bot.slack_api.client import client
from bot.slack_api.directory import Directory
from bot.slack_api.messages import SlackMessages
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.sender import Sender
from bot.slack_api.threads.history import SlackHistory
from bot.slack_api.threads.talk import SlackTalk
from core.policy.rate_limits import Limits
from core.settings import Settings
from core.storage.database import Database


def build_questions(chosen: Settings, database: Database, web: WebClient) -> QuestionListeners:
    sender, directory = _sender(chosen, database, web), Directory(web)
    membership, locales = Membership(database, directory, chosen), Locales(database, directory)
    return QuestionListeners(
        database,
        SlackMessages(web, sender),
        membership=membership,
        rules=ChannelRules(database, directory, membership, chosen),
        limits=Limits.of(chosen),
        locales=locales,
        dialogue=Dialogue(database, SlackTalk(web, sender), locales),
    )


def build_hearing(chosen: Settings, database: Database) -> Hearing:
    """With a client of its own: what it waits for, nobody else does."""
    web, stop = client(chosen), threading.Event()
    history = SlackHistory(web, stop.wait)
    questions = build_questions(chosen, database, web)
    messages = SlackMessages(web, _sender(chosen, database, web))
    return Hearing(
        database,
        history,
        CatchUp(database, history, questions.hear, rest=stop.wait),
        FirstWord(database, messages),
        most_s=chosen.catch_up_s,
        stop=stop,
    )


def _sender(chosen: Settings, database: Database, web: WebClient) -> Sender:
    gate = Gate(database, chosen.confirm_valid_s)
    return Sender(web, gate, Outbox.of(chosen, database))
