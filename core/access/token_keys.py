"""Token keys: the operator's secrets, with which the tokens of people are encrypted in SQL.

Fernet, of the library `cryptography`: AES-128 in CBC mode with an HMAC, and the time it was made.
https://cryptography.io/en/latest/fernet/
"""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from core.errors import SettingsError
from core.settings import Settings


class Unreadable(Exception):
    """No key opens this, or it is older than it may be."""


class TokenKeys:
    """Seals with the first key, and opens with every one of them."""

    def __init__(self, keys: str) -> None:
        """Takes keys separated by commas.

        Raises:
            SettingsError: there is none, or one of them is no key.
        """
        try:
            found = [Fernet(key) for key in keys.replace(",", " ").split()]
            self._keys = MultiFernet(found)
        except ValueError as error:
            raise SettingsError(
                "TOKEN_KEYS holds something that is no key: put the output of "
                "`python -m worker keys new` there; several are separated by commas"
            ) from error

    @staticmethod
    def of(chosen: Settings) -> TokenKeys:
        chosen.require("token_keys")
        assert chosen.token_keys
        return TokenKeys(chosen.token_keys.get_secret_value())

    def seal(self, text: str) -> bytes:
        return self._keys.encrypt(text.encode())

    def open(self, sealed: bytes, *, within_s: int | None = None) -> str:
        """What was sealed, at most so many seconds ago.

        Raises:
            Unreadable: no key opens it, or it is older.
        """
        try:
            return self._keys.decrypt(sealed, ttl=within_s).decode()
        except InvalidToken as error:
            raise Unreadable from error


def new_key() -> str:
    """A key that nobody has."""
    return Fernet.generate_key().decode()
