"""Other accounts' eyes on Confluence: the witness's, and those of people who linked theirs.

Somebody waits for what they see, so they are not throttled to the pace of a sync, and a site that
is slow is an error after LIVE_TIMEOUT_S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.confluence.cloud_access import CloudAccess
from core.confluence.datacenter_access import DataCenterAccess
from core.confluence.detect import (
    Login,
    cloud_client,
    connect,
    indexer,
    is_cloud,
    require_email,
    server_client,
    transport,
)
from core.confluence.pace import LIVE_PER_SECOND, LIVE_RETRY, LIVE_TIMEOUT_S
from core.errors import SettingsError, SourceRefused
from core.models import Page
from core.page_source import PageSource, Viewer
from core.settings import Settings


@dataclass(frozen=True)
class Eyes:
    """A viewer that says whose token it is when the site refuses it."""

    viewer: Viewer
    refused: str  # an operator's sentence

    @property
    def requests(self) -> int:
        return self.viewer.requests

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        try:
            return self.viewer.visible(pages, most=most)
        except SourceRefused as error:
            raise SourceRefused(self.refused) from error


def connect_live(settings: Settings) -> PageSource:
    """As `connect`, for what somebody waits for."""
    return connect(_live(settings), retry=LIVE_RETRY, timeout_s=LIVE_TIMEOUT_S)


def witness(settings: Settings) -> Viewer | None:
    """The ordinary account that sees what everybody may see; None where none is configured.

    Raises:
        SettingsError: half of it is missing, or it is the account that reads the site.
    """
    if settings.confluence_witness_token is None and not settings.confluence_witness_username:
        return None
    settings.require("confluence_url", "confluence_witness_token")
    reader, token = indexer(settings), settings.confluence_witness_token
    named = settings.confluence_witness_username
    login = Login(reader.url, token.get_secret_value() if token else "", named)
    if login.token == reader.token or (named and named.lower() == reader.username.lower()):
        raise SettingsError(
            "CONFLUENCE_WITNESS_TOKEN is of the account that reads the site: the witness has to "
            "be another one, which sees what everybody may see and nothing else"
        )
    on_cloud = is_cloud(settings, LIVE_RETRY)
    if on_cloud:
        require_email("CONFLUENCE_WITNESS_USERNAME", "CONFLUENCE_WITNESS_TOKEN", named)
    refused = (
        "Confluence refuses the witness: check CONFLUENCE_WITNESS_USERNAME, "
        "CONFLUENCE_WITNESS_TOKEN and what this account may see"
    )
    return Eyes(_viewer(settings, login, on_cloud=on_cloud), refused)


def viewer_of(settings: Settings, base_url: str, access_token: str) -> Viewer:
    """Whoever has this token, on the site of the settings at this address.

    On Cloud that is the gateway, which alone takes tokens of OAuth:
    https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/
    """
    login = Login(base_url.rstrip("/"), access_token)
    on_cloud = is_cloud(settings, LIVE_RETRY)
    refused = "Confluence refuses the token of a linked account"
    return Eyes(_viewer(settings, login, on_cloud=on_cloud), refused)


def _viewer(settings: Settings, login: Login, *, on_cloud: bool) -> Viewer:
    live = _live(settings)
    if on_cloud:
        client = cloud_client(login, LIVE_TIMEOUT_S)
        return CloudAccess(transport(live, client, LIVE_RETRY, LIVE_TIMEOUT_S))
    client = server_client(login, LIVE_TIMEOUT_S)
    return DataCenterAccess(transport(live, client, LIVE_RETRY, LIVE_TIMEOUT_S))


def _live(settings: Settings) -> Settings:
    pace = max(LIVE_PER_SECOND, settings.confluence_requests_per_second)
    return settings.model_copy(update={"confluence_requests_per_second": pace})
