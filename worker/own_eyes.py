"""Own eyes: asks Confluence with the token of the person who reads, and keeps that token fresh."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from pydantic import SecretStr

from core import logs
from core.access import own_tokens
from core.access.linked_accounts import Link, LinkedAccounts, Tokens
from core.access.oauth import AtlassianApp
from core.access.sites import LinkBy, link_by, linked_accounts
from core.confluence import connect_live, viewer_of
from core.errors import GrantRefused, SourceRefused, SourceUnreachable
from core.jobs.leases import lease
from core.models import Page
from core.page_source import Viewer
from core.settings import Settings
from core.storage import clock
from core.storage.database import Database

# A refresh token works once: whoever finds somebody else refreshing waits for what that brings.
PATIENCE_S = 15.0  # a little more than a refresh may take
LOOK_S = 0.05
MOST_VIEWERS = 256  # kept with their connections

ViewerOf = Callable[[Link, Tokens], Viewer]

log = logs.get(__name__)


def own_eyes(chosen: Settings, database: Database) -> Callable[[str], Viewer | None]:
    """From the principal of an account to its owner's eyes; nobody's where nobody can link one.

    Raises:
        SettingsError: half of what linking needs is set, or a key is wrong.
    """
    accounts = linked_accounts(chosen, database)
    if accounts is None:
        return lambda _account: None
    app = AtlassianApp.of(chosen) if link_by(chosen) is LinkBy.CONSENT else None
    return OwnEyes(database, accounts, app=app, viewer_of=partial(_viewer, chosen))


class OwnEyes:
    """From the principal of an account to a viewer with the tokens that its owner gave us."""

    def __init__(
        self,
        database: Database,
        accounts: LinkedAccounts,
        *,
        app: AtlassianApp | None,
        viewer_of: ViewerOf,
    ) -> None:
        """`app` is what refreshes tokens; without one there are only those that do not end."""
        self._database = database
        self._accounts = accounts
        self._app = app
        self._viewer_of = lru_cache(MOST_VIEWERS)(viewer_of)

    def __call__(self, account: str) -> Viewer | None:
        """None when nobody has linked this account, or what was linked does not count any more.

        Raises:
            SourceError: the tokens have to be refreshed, and that does not work.
        """
        for link in self._accounts.of_account(account):
            try:
                tokens = self.fresh(link)
            except GrantRefused:
                continue
            return _OwnerEyes(self, link, tokens)
        return None

    def viewer(self, link: Link, tokens: Tokens) -> Viewer:
        return self._viewer_of(link, tokens)

    def fresh(self, link: Link) -> Tokens:
        """The tokens of a link, refreshed when they are about to expire.

        Raises:
            GrantRefused: the link is undone, or its tokens do not count any more.
            SourceError: they have to be refreshed, and that does not work.
        """
        tokens = self._tokens(link)
        return tokens if tokens.is_fresh(clock.now()) else self.renewed(link, tokens)

    def renewed(self, link: Link, old: Tokens) -> Tokens:
        """Other tokens than these, of which the site did not want to know; errors as of `fresh`.

        One process at a time refreshes: a second use of the same refresh token would be refused,
        and the site would take it for stolen.
        """
        patience = time.monotonic() + PATIENCE_S
        while time.monotonic() < patience:
            with lease(self._database, f"link:{link.team}:{link.user}") as held:
                found = self._tokens(link)
                if found != old:
                    return found
                if held:
                    return self._refreshed(link, old)
            time.sleep(LOOK_S)
        raise SourceUnreachable("tokens are being refreshed for too long")

    def _refreshed(self, link: Link, old: Tokens) -> Tokens:
        try:
            if not old.refresh or self._app is None:
                own_tokens.holder(link.site, old)
                raise SourceRefused("the site refuses, although it knows this person's token")
            new = self._app.refresh(old)
        except GrantRefused:
            self._lost(link, old)
            raise
        self._accounts.renew(link, old, new)
        log.info("link.refreshed", team=link.team, user=link.user)
        return self._tokens(link)

    def _lost(self, link: Link, tokens: Tokens) -> None:
        """Home tells the person to link again, unless that has just happened."""
        if self._accounts.lose(link, tokens):
            log.warning("link.lost", team=link.team, user=link.user)

    def _tokens(self, link: Link) -> Tokens:
        tokens = self._accounts.tokens(link)
        if tokens is None:
            raise GrantRefused("this person has undone the link")
        return tokens


@dataclass(frozen=True)
class _OwnerEyes:
    """A person's eyes; a token that is refused before its end is refreshed once, or given up."""

    own: OwnEyes
    link: Link
    tokens: Tokens

    @property
    def requests(self) -> int:
        return self.own.viewer(self.link, self.tokens).requests

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        try:
            return self.own.viewer(self.link, self.tokens).visible(pages, most=most)
        except SourceRefused:
            tokens = self.own.renewed(self.link, self.tokens)
            return self.own.viewer(self.link, tokens).visible(pages, most=most)


def _viewer(chosen: Settings, link: Link, tokens: Tokens) -> Viewer:
    """An API token of Cloud goes with an e-mail, as the operator's own does."""
    if not tokens.username:
        return viewer_of(chosen, link.site, tokens.access)
    own = {
        "confluence_username": tokens.username,
        "confluence_token": SecretStr(tokens.access),
    }
    return connect_live(chosen.model_copy(update=own))
