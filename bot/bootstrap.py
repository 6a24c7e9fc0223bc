"""Builds the bot's real parts: Slack's client, the database, progress events, file uploads."""

from __future__ import annotations

from functools import cache

from bot.slack_api.client import client
from bot.slack_api.file_upload import FileUpload
from bot.slack_api.parts import BotParts
from core.jobs.progress_events import Events
from core.settings import Settings, settings
from core.storage.database import Database, open_database


def build(chosen: Settings, database: Database) -> BotParts:
    """The parts for these settings."""
    web = client(chosen)
    return BotParts(
        chosen,
        web,
        database,
        Events(chosen.redis_url),
        FileUpload(web, wanted=chosen.explain_picture),
    )


@cache
def parts() -> BotParts:
    """The parts of this process.

    Raises:
        SettingsError: there is no bot token.
    """
    chosen = settings()
    chosen.require("slack_bot_token")
    return build(chosen, open_database(chosen.sql_url))
