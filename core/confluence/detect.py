"""Detects Confluence Cloud or Data Center: by the settings, else by the address, else by asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import requests
from atlassian import ConfluenceV2
from atlassian.confluence import ConfluenceServer
from urllib3.util import Retry

from core import logs
from core.confluence.cloud import Cloud
from core.confluence.datacenter import DataCenter
from core.confluence.pace import RETRY
from core.confluence.transport import Transport
from core.errors import SettingsError, SourceError, SourceUnreachable
from core.page_source import PageSource
from core.settings import Settings
from core.settings.values import ConfluenceFlavor

log = logs.get(__name__)

CLOUD_HOSTS = (".atlassian.net", ".jira.com", "api.atlassian.com")


def connect(settings: Settings, *, retry: Retry = RETRY) -> PageSource:
    """The site that the settings name; it is asked only when they leave open which kind it is.

    Raises:
        SettingsError: a setting is missing, or they contradict each other or the site.
    """
    settings.require("confluence_url", "confluence_token", "confluence_spaces")
    if _is_cloud(settings, retry):
        settings.require("confluence_username")
        _require_email(settings)
        return Cloud(_transport(settings, _cloud_client(settings), retry), _url(settings))
    return DataCenter(_transport(settings, _server_client(settings), retry), _url(settings))


def _is_cloud(settings: Settings, retry: Retry) -> bool:
    host = urlsplit(_url(settings)).hostname or ""
    has_cloud_host = host.endswith(CLOUD_HOSTS)
    if settings.confluence_flavor is ConfluenceFlavor.AUTO:
        if has_cloud_host or settings.confluence_username:
            return True
        return not _answers_as_server(settings, retry)
    if settings.confluence_flavor is ConfluenceFlavor.DATACENTER and has_cloud_host:
        raise SettingsError(
            f"CONFLUENCE_FLAVOR=datacenter, but {host} is Confluence Cloud: "
            "leave CONFLUENCE_FLAVOR empty"
        )
    return settings.confluence_flavor is ConfluenceFlavor.CLOUD


def _require_email(settings: Settings) -> None:
    if "@" not in settings.confluence_username:
        raise SettingsError(
            "CONFLUENCE_USERNAME is not an e-mail: Confluence Cloud takes the account's e-mail. "
            "For Data Center leave it empty and set CONFLUENCE_TOKEN to a personal access token"
        )


def _answers_as_server(settings: Settings, retry: Retry) -> bool:
    """Without an e-mail it should be Data Center; one request detects a forgotten e-mail.

    A site that is down proves nothing: it counts as Data Center, and whoever needs it first gets
    the error.
    """
    server = _transport(settings, _server_client(settings), retry)
    try:
        server.get("rest/api/space", limit="1")
    except SourceUnreachable as error:
        log.warning("flavor.assumed", flavor=ConfluenceFlavor.DATACENTER.value, error=str(error))
    except SourceError as error:
        raise SettingsError(
            "CONFLUENCE_USERNAME is empty, so this should be Data Center, "
            f"and it does not answer as such: {error}. "
            "For Confluence Cloud set CONFLUENCE_USERNAME to the account's e-mail"
        ) from error
    return True


def _transport(
    settings: Settings,
    make: Callable[[requests.Session], Any],
    retry: Retry,
) -> Transport:
    return Transport(make, per_second=settings.confluence_requests_per_second, retry=retry)


def _cloud_client(settings: Settings) -> Callable[[requests.Session], Any]:
    return lambda session: ConfluenceV2(
        _url(settings),
        username=settings.confluence_username,
        password=_token(settings),
        session=session,
        timeout=60,
        retry_with_header=False,
    )


def _server_client(settings: Settings) -> Callable[[requests.Session], Any]:
    make: Callable[..., Any] = ConfluenceServer
    return lambda session: make(
        _url(settings),
        token=_token(settings),
        session=session,
        timeout=60,
        retry_with_header=False,
    )


def _url(settings: Settings) -> str:
    return (settings.confluence_url or "").rstrip("/")


def _token(settings: Settings) -> str:
    return settings.confluence_token.get_secret_value() if settings.confluence_token else ""
