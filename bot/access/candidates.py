"""Whom a question can be handed to: people of the channel's settings, or owners of its pages."""

from __future__ import annotations

from collections.abc import Iterator

from bot.access.account_holders import AccountHolders
from bot.access.membership import Membership
from bot.slack_api.directory import Directory
from bot.slack_api.errors import SlackError
from core import logs
from core.policy import preferences
from core.storage.database import Database
from core.turns.hand_over import owners, requests
from core.turns.hand_over.requests import Person
from core.turns.turn import Turn

log = logs.get(__name__)


class Candidates:
    """Members who are there, may be asked, and are not those who ask."""

    def __init__(self, database: Database, directory: Directory, membership: Membership) -> None:
        self._database = database
        self._directory = directory
        self._membership = membership
        self._holders = AccountHolders(database, directory)

    def of(self, turn: Turn, asked_by: str) -> Iterator[Person]:
        """Whom the channel's settings name, if one of them can be asked; else the owners.

        Slack is asked about each of them while they are gone through.
        """
        own = {turn.user, asked_by}
        named = list(self._free(turn, self._named(turn), own))
        yield from named or self._free(turn, self._owners(turn), own)

    def _named(self, turn: Turn) -> Iterator[Person]:
        """Nobody in private: no settings of a channel count there."""
        if turn.private:
            return
        chosen = preferences.load(self._database, turn.address.team, turn.address.channel)
        yield from map(Person, chosen.helpers)

    def _owners(self, turn: Turn) -> Iterator[Person]:
        if turn.record is None:
            return
        for account in owners.accounts(self._database, turn.record):
            if user := self._holders.of(turn.address.team, account):
                yield Person(user, account)

    def _free(self, turn: Turn, people: Iterator[Person], own: set[str]) -> Iterator[Person]:
        seen = set(own)
        for person in people:
            if person.user not in seen and self._may_be_asked(turn, person.user):
                yield person
            seen.add(person.user)

    def _may_be_asked(self, turn: Turn, user: str) -> bool:
        team = turn.address.team
        if preferences.load(self._database, team, user).spared:
            return False
        if not requests.has_time(self._database, team, user):
            return False
        try:
            return self._holders.is_member(team, user) and self._reads(turn, user)
        except SlackError as error:
            log.warning("hand_over.person_unknown", user=user, error=str(error))
            return False

    def _reads(self, turn: Turn, user: str) -> bool:
        """A mention reaches those alone who are in the channel."""
        return turn.private or self._directory.is_in(turn.address.channel, user)
