"""Wires the delivery of hand-overs."""

from __future__ import annotations

from bot.access.candidates import Candidates
from bot.delivery.confirmer import Confirmer
from bot.delivery.hand_over.delivery import HandOverDelivery
from bot.delivery.hand_over.helpers_words import HelpersWords
from bot.delivery.hand_over.in_private import PrivateRequests
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.messages import SlackMessages
from bot.slack_api.sender import Sender
from bot.slack_api.views import SlackViews
from core.storage.database import Database


def build_hand_over(
    database: Database,
    messages: SlackMessages,
    sender: Sender,
    *,
    candidates: Candidates,
    confirmer: Confirmer,
    words: HelpersWords,
) -> HandOverDelivery:
    ephemeral = EphemeralMessages(database)
    private = PrivateRequests(
        database,
        messages,
        SlackViews(sender),
        candidates=candidates,
        confirmer=confirmer,
        ephemeral=ephemeral,
    )
    return HandOverDelivery(
        database,
        messages,
        candidates=candidates,
        private=private,
        confirmer=confirmer,
        ephemeral=ephemeral,
        words=words,
    )
