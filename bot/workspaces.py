"""One bot for each workspace that has installed the app: what Slack sends goes to the right one.

Each has listeners, tokens, budgets and hearing of its own, so nothing of one can reach another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, select

from bot.app import build, build_for_nobody
from bot.catching_up.hearing import Hearing
from bot.slack_api.client import client
from bot.slack_api.errors import SlackError
from bot.slack_api.installed.installations import Installation
from bot.slack_api.payloads import Payload, names
from bot.wiring.ears import build_hearing
from bot.wiring.installed import Installed
from core import logs
from core.settings import Settings
from core.storage.database import Database
from core.storage.tables import ThreadRow

EVERY_S = 2.0  # installations are looked after
AGAIN_S = 300.0  # after Slack has refused a token it is asked once more

log = logs.get(__name__)


class Workspaces:
    """Takes what Slack sends to the app, from every workspace."""

    def __init__(self, chosen: Settings, database: Database, installed: Installed) -> None:
        self._chosen = chosen
        self._database = database
        self._installed = installed
        self._nobody = build_for_nobody(chosen, database)
        self._apps: dict[str, tuple[Installation, App]] = {}
        self._one_thread = threading.Lock()
        self.client = client(chosen)  # of the app, not of a workspace: it opens connections

    def dispatch(self, request: BoltRequest) -> BoltResponse:
        """Its workspace's own app hears it; that of nobody acknowledges what has none."""
        team = self._team(request)
        installation = self._installed.installations.find(team)
        if installation is None or installation.refused:
            log.info("workspace.not_installed", team=team)
            return self._nobody.dispatch(request)
        return self._app_of(installation).dispatch(request)

    def _app_of(self, installation: Installation) -> App:
        """Built anew when the app was installed again."""
        with self._one_thread:
            known = self._apps.get(installation.team)
            if known is None or known[0] != installation:
                app = self._built(installation)
                self._apps[installation.team] = installation, app
                return app
            return known[1]

    def _built(self, installation: Installation) -> App:
        def authorize(**_: object) -> AuthorizeResult:
            return AuthorizeResult(
                enterprise_id="",
                team_id=installation.team,
                bot_user_id=installation.bot,
                bot_id=installation.bot_id,
            )

        workspace = self._installed.of(installation.team)
        return build(self._chosen, self._database, workspace, authorize=authorize)

    def _team(self, request: BoltRequest) -> str:
        """In a channel that two of our workspaces share, Slack names any one of them.

        It sends such an event once, and names one installation that may see it:
        docs.slack.dev/changelog/2020-09-15-events-api-truncate-authed-users. So that a message and
        its mention, and a thread's replies, reach the same bot, we choose: see `_of_shared`.
        """
        team, event = request.context.team_id or "", request.body.get("event")
        if request.body.get("is_ext_shared_channel") and isinstance(event, dict):
            team = self._of_shared(event, team) or team
            request.context["team_id"] = team
        return team

    def _of_shared(self, event: Payload, named: str) -> str:
        """The workspace whose bot is mentioned, else the one that has joined the thread.

        That which Slack has named, if it is one of them: the channel may be shared with strangers
        only, and its ids may be the same as those of a channel in another workspace of ours.
        """
        installed = self._installed.installations.all()
        installed.sort(key=lambda each: each.team != named)
        for each in installed:
            if names(str(event.get("text") or ""), each.bot):
                return each.team
        thread = select(ThreadRow.team).where(
            ThreadRow.channel == str(event.get("channel") or ""),
            ThreadRow.thread_ts == str(event.get("thread_ts") or event.get("ts") or ""),
            col(ThreadRow.team).in_([each.team for each in installed]),
        )
        with self._database.reading() as session:
            joined = set(session.exec(thread).all())
        return next((each.team for each in installed if each.team in joined), "")


class Hearings:
    """Beats, catches up and renews tokens for each workspace, as long as the app is there."""

    def __init__(self, chosen: Settings, database: Database, installed: Installed) -> None:
        self._chosen = chosen
        self._database = database
        self._installed = installed
        self._of: dict[Installation, Hearing] = {}
        self._tried: dict[str, float] = {}  # when Slack was asked, by team
        self._look_again = threading.Event()

    def begin(self, connected: Callable[[], bool]) -> None:
        """From now on; `connected` says whether Slack reaches us."""
        threading.Thread(
            target=self._run, args=(connected,), name="workspaces", daemon=True
        ).start()

    def connected_anew(self) -> None:
        """A connection was made: nobody knows what was said before it."""
        for hearing in list(self._of.values()):
            hearing.connected_anew()

    def refused(self) -> dict[str, str]:
        """By team, what Slack has said since it takes no token of ours there any more."""
        installed = self._installed.installations.all()
        return {each.team: each.refused for each in installed if each.refused}

    def _run(self, connected: Callable[[], bool]) -> None:
        while True:
            try:
                self._look(connected)
            except SQLAlchemyError as error:
                log.warning("workspaces.database_unavailable", error=str(error))
            self._look_again.wait(EVERY_S)

    def _look(self, connected: Callable[[], bool]) -> None:
        now = self._installed.installations.all()
        working = [each for each in now if not each.refused]
        for each in now:
            if each.refused:
                self._try_again(each.team)
        for gone in [each for each in self._of if each not in working]:
            self._of.pop(gone).end()
        for each in working:
            self._renew(each.team)
            if each not in self._of:
                self._begin(each, connected)

    def _begin(self, installation: Installation, connected: Callable[[], bool]) -> None:
        workspace = self._installed.of(installation.team)
        hearing = build_hearing(self._chosen, self._database, workspace)
        hearing.connected_anew()
        hearing.begin(connected)
        self._of[installation] = hearing
        log.info("workspace.served", team=installation.team, name=installation.name)

    def _renew(self, team: str) -> None:
        try:
            self._installed.token(team).renew_ahead()
        except SlackError as error:
            log.warning("workspace.token_not_renewed", team=team, error=str(error))

    def _try_again(self, team: str) -> None:
        if time.monotonic() < self._tried.get(team, 0.0) + AGAIN_S:
            return
        self._tried[team] = time.monotonic()
        try:
            self._installed.rotation.try_again(team)
        except SlackError as error:
            log.warning("workspace.still_refused", team=team, error=str(error))
