"""Wires what catches up, and who says the first word; bot.wiring.listening wires what listens."""

from __future__ import annotations

import threading

from bot.catching_up.catch_up import CatchUp
from bot.catching_up.first_word import FirstWord
from bot.catching_up.hearing import Hearing
from bot.gate import Gate
from bot.slack_api.client import client
from bot.slack_api.installed.workspace import THE_ONLY, Workspace
from bot.slack_api.messages import SlackMessages
from bot.slack_api.outbox.outbox import Outbox
from bot.slack_api.sender import Sender
from bot.slack_api.threads.history import SlackHistory
from bot.wiring.speaker import questions_that_ask_slack
from core.settings import Settings
from core.storage.database import Database


def build_hearing(chosen: Settings, database: Database, workspace: Workspace = THE_ONLY) -> Hearing:
    """With a client of its own: what it waits for, nobody else does."""
    web, stop = client(chosen, workspace), threading.Event()
    gate, outbox = Gate(database, chosen.confirm_valid_s), Outbox.of(chosen, database, workspace)
    sender, history = Sender(web, gate, outbox), SlackHistory(web, stop.wait)
    questions = questions_that_ask_slack(chosen, database, web, sender)
    return Hearing(
        database,
        history,
        CatchUp(database, history, questions.hear, rest=stop.wait),
        FirstWord(database, SlackMessages(web, sender)),
        most_s=chosen.catch_up_s,
        stop=stop,
    )
