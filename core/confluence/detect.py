"""Detects Confluence Cloud or Data Center: by the settings, else by the address, else by asking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import requests
from atlassian import ConfluenceV2
from atlassian.confluence import ConfluenceServer
from urllib3.util import Retry

from core import logs
from core.confluence.cloud import Cloud
from core.confluence.datacenter import DataCenter
from core.confluence.pace import RETRY, TIMEOUT_S
from core.confluence.transport import Transport
from core.errors import SettingsError, SourceError, SourceUnreachable
from core.page_source import PageSource
from core.settings import Settings
from core.settings.endpoints import is_atlassians
from core.settings.values import ConfluenceFlavor

log = logs.get(__name__)


@dataclass(frozen=True)
class Login:
    """Where somebody is known by a token: with an e-mail an API token, else one for a bearer."""

    url: str
    token: str = field(repr=False)
    username: str = ""


def connect(settings: Settings, *, retry: Retry = RETRY, timeout_s: int = TIMEOUT_S) -> PageSource:
    """The site that the settings name; it is asked only when they leave open which kind it is.

    Raises:
        SettingsError: a setting is missing, or they contradict each other or the site.
    """
    settings.require("confluence_url", "confluence_token", "confluence_spaces")
    login = indexer(settings)
    if is_cloud(settings, retry):
        settings.require("confluence_username")
        require_email("CONFLUENCE_USERNAME", "CONFLUENCE_TOKEN", login.username)
        client = cloud_client(login, timeout_s)
        return Cloud(transport(settings, client, retry, timeout_s), login.url)
    client = server_client(login, timeout_s)
    return DataCenter(transport(settings, client, retry, timeout_s), login.url)


def indexer(settings: Settings) -> Login:
    """The account that reads the site."""
    url = (settings.confluence_url or "").rstrip("/")
    token = settings.confluence_token.get_secret_value() if settings.confluence_token else ""
    return Login(url, token, settings.confluence_username)


def is_cloud(settings: Settings, retry: Retry) -> bool:
    """By the settings and the address; else the site is asked."""
    url = indexer(settings).url
    has_cloud_host = is_atlassians(url)
    if settings.confluence_flavor is ConfluenceFlavor.AUTO:
        if has_cloud_host or settings.confluence_username:
            return True
        return not _answers_as_server(settings, retry)
    if settings.confluence_flavor is ConfluenceFlavor.DATACENTER and has_cloud_host:
        raise SettingsError(
            f"CONFLUENCE_FLAVOR=datacenter, but {url} is Confluence Cloud: "
            "leave CONFLUENCE_FLAVOR empty"
        )
    return settings.confluence_flavor is ConfluenceFlavor.CLOUD


def require_email(username: str, token: str, given: str) -> None:
    """`username` and `token` are the names of the settings.

    Raises:
        SettingsError: it is none.
    """
    if "@" not in given:
        raise SettingsError(
            f"{username} is not an e-mail: Confluence Cloud takes the account's e-mail. "
            f"For Data Center leave it empty and set {token} to a personal access token"
        )


def _answers_as_server(settings: Settings, retry: Retry) -> bool:
    """Without an e-mail it should be Data Center; one request detects a forgotten e-mail.

    A site that is down proves nothing: it counts as Data Center, and whoever needs it first gets
    the error.
    """
    server = transport(settings, server_client(indexer(settings), TIMEOUT_S), retry, TIMEOUT_S)
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


def transport(
    settings: Settings,
    make: Callable[[requests.Session], Any],
    retry: Retry,
    timeout_s: int,
) -> Transport:
    per_second = settings.confluence_requests_per_second
    return Transport(
        make,
        per_second=per_second,
        retry=retry,
        timeout_s=timeout_s,
        file_hosts=settings.confluence_file_hosts,
    )


def cloud_client(login: Login, timeout_s: int) -> Callable[[requests.Session], Any]:
    known = (
        {"username": login.username, "password": login.token}
        if login.username
        else {"token": login.token}
    )
    return lambda session: ConfluenceV2(
        login.url,
        session=session,
        timeout=timeout_s,
        retry_with_header=False,
        **known,
    )


def server_client(login: Login, timeout_s: int) -> Callable[[requests.Session], Any]:
    make: Callable[..., Any] = ConfluenceServer
    return lambda session: make(
        login.url,
        token=login.token,
        session=session,
        timeout=timeout_s,
        retry_with_header=False,
    )
