"""Wires what the bot says unasked: the weekly digest, and the welcome in a channel."""

from __future__ import annotations

from bot.access.account_holders import DigestReaders
from bot.delivery.unasked.digest import DigestDelivery
from bot.delivery.unasked.welcome import WelcomeDelivery
from bot.gate import Gate
from bot.slack_api.directory import Directory
from bot.slack_api.messages import SlackMessages
from bot.slack_api.permalinks import Permalinks
from core.policy.model_routing import leaving
from core.settings import Settings
from core.storage.database import Database


def build_digests(
    chosen: Settings,
    database: Database,
    messages: SlackMessages,
    directory: Directory,
    permalinks: Permalinks,
) -> DigestDelivery:
    gate = Gate(database, chosen.confirm_valid_s)
    readers = DigestReaders(database, directory)
    return DigestDelivery(database, messages, readers, permalinks, gate)


def build_welcomes(
    chosen: Settings, database: Database, messages: SlackMessages
) -> WelcomeDelivery:
    return WelcomeDelivery(database, messages, leaving(chosen), chosen.retention_days)
