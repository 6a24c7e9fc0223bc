"""Secrets of this installation: made when they are first needed, the same for all its programs, and never shown."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from sqlalchemy.exc import IntegrityError

from core.storage.database import Database
from core.storage.tables import KeyRow


def key(database: Database, name: str) -> bytes:
    """The secret of this name."""
    with database.reading() as session:
        if row := session.get(KeyRow, name):
            return bytes.fromhex(row.value)
    try:
        with database.session() as session:
            session.add(KeyRow(name=name, value=secrets.token_hex(32)))
    except IntegrityError:
        pass  # somebody else made it at the same moment
    return key(database, name)


def pseudonym(secret: bytes, text: str) -> str:
    """The same for the same text and secret, and without the secret nobody can tell whose it is.

    >>> pseudonym(b"secret", "T1:U1") == pseudonym(b"secret", "T1:U1") != pseudonym(b"other", "T1:U1")
    True
    """
    return hmac.new(secret, text.encode(), sha256).hexdigest()[:16]
