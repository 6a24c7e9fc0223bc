"""Secret keys of this installation: made when first needed, shared by its programs, never shown."""

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
    """A keyed hash: the same for the same text, and meaningless without the secret.

    >>> pseudonym(b"secret", "T1:U1") == pseudonym(b"secret", "T1:U1")
    True
    >>> pseudonym(b"secret", "T1:U1") == pseudonym(b"other", "T1:U1")
    False
    """
    return hmac.new(secret, text.encode(), sha256).hexdigest()[:16]
