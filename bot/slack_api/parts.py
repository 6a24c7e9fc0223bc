"""The clients and stores that listeners and deliveries share."""

from __future__ import annotations

from dataclasses import dataclass, field

from slack_sdk import WebClient

from bot.slack_api.capabilities import Capabilities
from bot.slack_api.file_upload import FileUpload
from core.jobs.progress_events import Events
from core.settings import Settings
from core.storage.database import Database


@dataclass(frozen=True)
class BotParts:
    settings: Settings
    client: WebClient
    database: Database
    events: Events
    pictures: FileUpload
    capabilities: Capabilities = field(default_factory=Capabilities)
