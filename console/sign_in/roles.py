"""Who may sign in to the console, and as what: as the settings name them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from console.sessions import ConsoleRole
from core.errors import SettingsError
from core.settings import Settings
from core.settings.values import words

_PERSON = re.compile(r"T[A-Z0-9]{2,30}/[UW][A-Z0-9]{2,30}")
HERE = ("127.0.0.1", "localhost")


def roles(chosen: Settings) -> dict[str, ConsoleRole]:
    """By TEAM/USER; whoever is named twice is an operator.

    Raises:
        SettingsError: an entry is none, or something that belongs to it is missing.
    """
    found = dict.fromkeys(words(chosen.console_viewers), ConsoleRole.VIEWER)
    found |= dict.fromkeys(words(chosen.console_operators), ConsoleRole.OPERATOR)
    for each in found:
        if not _PERSON.fullmatch(each):
            raise SettingsError(f"CONSOLE_OPERATORS, CONSOLE_VIEWERS: {each}: write TEAM/USER")
    if chosen.console_url:
        _check_address(chosen.console_url)
        chosen.require("console_client_id", "console_client_secret")
        if not found:
            raise SettingsError("CONSOLE_URL: nobody may sign in: set CONSOLE_OPERATORS")
    return found


def _check_address(url: str) -> None:
    """Secrets go there: over TLS, unless it is this machine."""
    address = urlsplit(url)
    is_safe = address.scheme == "https" or address.hostname in HERE
    if not is_safe or not address.hostname or address.path not in ("", "/"):
        raise SettingsError("CONSOLE_URL: write https://HOST, without a path")
