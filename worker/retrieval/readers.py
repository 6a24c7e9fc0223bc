"""Access control: maps who asks in Slack to what they may read in Confluence.

An answer in a channel is read by everybody there, so it uses only what everybody may read;
restricted pages are for direct messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import yaml

from core.errors import SettingsError
from core.policy import acl, people
from core.policy.acl import EVERYBODY, Reader
from core.settings import Settings
from core.settings.values import PermissionMode
from core.storage.database import Database
from core.turns.turn import Turn


def _nobody(_team: str, _user: str) -> str:
    """Where nobody can link an account."""
    return ""


class Readers:
    """From a person in Slack to the Confluence account, and to what that account may read.

    The account that the person has linked comes first, then the operator's list, then the e-mail.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        linked: Callable[[str, str], str] = _nobody,
    ) -> None:
        """`linked` knows the account that somebody has linked, by team and user."""
        self._aware = settings.permission_mode is PermissionMode.AWARE
        self._exceptions = _exceptions(settings.accounts_file) if self._aware else {}
        self._database = database
        self._linked = linked

    def of(self, turn: Turn, user: str = "") -> Reader:
        """Who reads a turn's evidence; `user` is who asks for it now, if not who asked first."""
        if not self._aware or not turn.private:
            return EVERYBODY
        team, asker = turn.address.team, user or turn.user
        if account := self._linked_by(team, asker):
            return acl.reader(self._database, account)
        return self.of_email(people.email(self._database, team, asker))

    def of_email(self, email: str) -> Reader:
        """No account, or more than one: what everybody may read."""
        account = self._exceptions.get(email.lower())
        account = account or acl.account_of(self._database, email)
        return acl.reader(self._database, account) if account else EVERYBODY

    def _linked_by(self, team: str, user: str) -> str:
        """Of members alone: guests read what everybody may, whatever they have linked."""
        is_member = people.is_member(self._database, team, user)
        return self._linked(team, user) if is_member else ""


def _exceptions(file: Path | None) -> Mapping[str, str]:
    """Accounts by e-mail in Slack, where Confluence knows another e-mail, or shows none."""
    if file is None:
        return {}
    try:
        accounts = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(f"ACCOUNTS_FILE={file} cannot be read: {error}") from error
    if not isinstance(accounts, dict):
        raise SettingsError(
            f"ACCOUNTS_FILE={file}: write one line for each person, `mail@example.com: account id`"
        )
    return {str(email).lower(): f"user:{account}" for email, account in accounts.items()}
