"""Sites: in which way people link their accounts there, as the settings say it; nobody is asked."""

from __future__ import annotations

from enum import StrEnum
from urllib.parse import urlsplit

from core.access.linked_accounts import LinkedAccounts
from core.access.token_keys import TokenKeys
from core.access.token_store import TokenStore
from core.errors import SettingsError
from core.settings import Settings
from core.settings.endpoints import is_atlassians
from core.settings.values import ConfluenceFlavor, PermissionMode
from core.storage.database import Database


class LinkBy(StrEnum):
    """How somebody proves which account is theirs."""

    CONSENT = "consent"  # Cloud: OAuth 2.0, at Atlassian
    API_TOKEN = "api-token"  # noqa: S105  (Cloud without an app: on a page of ours)
    PERSONAL_TOKEN = "personal-token"  # noqa: S105  (Data Center: on a page of ours)


def link_by(chosen: Settings) -> LinkBy | None:
    """None where nobody can link an account.

    In the public mode nobody is answered from more than what everybody may read.

    Raises:
        SettingsError: half of what linking needs is set.
    """
    is_aware = chosen.permission_mode is PermissionMode.AWARE
    if not (is_aware and chosen.public_url and chosen.token_keys):
        return None
    chosen.require("confluence_url")
    check_public_url(chosen.public_url)
    if not is_cloud(chosen):
        return LinkBy.PERSONAL_TOKEN
    if not chosen.atlassian_client_id:
        return LinkBy.API_TOKEN
    chosen.require("atlassian_client_secret")
    return LinkBy.CONSENT


def linked_accounts(chosen: Settings, database: Database) -> LinkedAccounts | None:
    """None where nobody can link an account.

    Raises:
        SettingsError: half of what linking needs is set, or a key is wrong.
    """
    if link_by(chosen) is None:
        return None
    store = TokenStore(database, TokenKeys.of(chosen))
    store.check()
    return LinkedAccounts(database, store)


def is_cloud(chosen: Settings) -> bool:
    """As core.confluence.detect finds out, without asking."""
    if chosen.confluence_flavor is not ConfluenceFlavor.AUTO:
        return chosen.confluence_flavor is ConfluenceFlavor.CLOUD
    return is_atlassians(chosen.confluence_url or "") or bool(chosen.confluence_username)


def check_public_url(url: str) -> None:
    """Tokens and tickets travel there: only a browser on this machine may do without TLS."""
    address = urlsplit(url)
    is_local = address.hostname in ("127.0.0.1", "::1", "localhost")
    if address.scheme != "https" and not (address.scheme == "http" and is_local):
        raise SettingsError(
            "PUBLIC_URL is not https: people's browsers send tokens there, so put a proxy with "
            "TLS before the bot, and its address here"
        )
