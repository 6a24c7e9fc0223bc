"""App Home for one person: public facts, as far as the gate lets them pass now, and one's own."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from bot import voices
from bot.gate import Gate
from bot.home import history
from bot.home.history import Conversation
from bot.views.block_kit import Block
from bot.views.home import HomeContent, build_home
from core.access.disclosure import EVERYBODY, NOTHING, Disclosure
from core.access.index_overview import NOTHING as UNKNOWN
from core.access.index_overview import ExamplePage, Overview, disclosed, examples, overview
from core.pages import PageKey
from core.policy.model_routing import Leaving
from core.storage.database import Database

IN_HOME = 3  # of the examples


class HomeViews(Protocol):
    """The Home tab in Slack, see bot.slack_api.views."""

    def publish(self, user: str, view: Block, *, shows: Disclosure) -> None: ...


class Links(Protocol):
    """Addresses of messages, see bot.slack_api.permalinks."""

    def to(self, channel: str, ts: str) -> str: ...


@dataclass(frozen=True)
class PersonParts:
    """What of the tab depends on who opens it, by team and user, and on the settings."""

    is_outsider: Callable[[str, str], bool]  # who may not ask is told nothing of the pages
    account: Callable[[str, str], Sequence[Block]]  # that this person has linked, or could
    leaving: Leaving
    cost_by_person: bool = False


class HomeTab:
    """Publishes the tab; what is not confirmed is left out of it."""

    def __init__(
        self,
        database: Database,
        views: HomeViews,
        links: Links,
        gate: Gate,
        person: PersonParts,
    ) -> None:
        self._database = database
        self._views = views
        self._links = links
        self._gate = gate
        self._person = person

    def publish(self, team: str, user: str, *, hidden: bool = False) -> bool:
        """Show what may be shown now; False when something was left out that a worker can confirm.

        `hidden`: with the conversations that the person has hidden.
        """
        database = self._database
        known, named = self._known_to(team, user)
        own = history.conversations_of(database, team, user, hidden=hidden)
        own = tuple(map(_for_everybody, own))
        stale = self._gate.stale(disclosed(known.spaces, named) | _asked_with(own))
        known = known.without(stale)
        named = tuple(each for each in named if each.pages.isdisjoint(stale))
        own = tuple(_without(each, stale) for each in own)
        content = HomeContent(
            overview=known,
            examples=named,
            conversations=list(self._with_links(own)),
            hidden=hidden,
            leaving=self._person.leaving,
            cost_by_person=self._person.cost_by_person,
            account=self._person.account(team, user),
        )
        view = build_home(voices.to(database, team, user), content)
        shows = disclosed(known.spaces, named) | _asked_with(own)
        self._views.publish(user, view, shows=shows)
        return not stale

    def _known_to(self, team: str, user: str) -> tuple[Overview, Sequence[ExamplePage]]:
        if self._person.is_outsider(team, user):
            return UNKNOWN, ()
        return overview(self._database), examples(self._database, IN_HOME)

    def _with_links(self, own: Iterable[Conversation]) -> Iterator[tuple[Conversation, str]]:
        for each in own:
            yield each, self._links.to(each.channel, each.thread_ts)


def _asked_with(own: Iterable[Conversation]) -> Disclosure:
    """What the questions give away that a button has asked."""
    shows = NOTHING
    for each in own:
        shows |= each.question_shows
    return shows


def _for_everybody(each: Conversation) -> Conversation:
    """Without a question about pages for some, which would have to be confirmed for each."""
    if each.question_shows.audience == EVERYBODY:
        return each
    return replace(each, question="", question_shows=NOTHING)


def _without(each: Conversation, stale: Container[PageKey]) -> Conversation:
    if not any(page in stale for page in each.question_shows.pages):
        return each
    return replace(each, question="", question_shows=NOTHING)
