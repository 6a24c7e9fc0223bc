"""Says in a channel what the bot is, once: the first time that it is invited there."""

from __future__ import annotations

from bot.delivery.unasked.parts import ChannelMessages
from bot.slack_api.errors import PlaceGone, SlackError, surely_not_done
from bot.views.unasked.welcome import build_welcome
from core import logs
from core.access.disclosure import NOTHING
from core.language.sentences import sentences
from core.policy import people
from core.policy.model_routing import Leaving
from core.storage.database import Database
from core.storage.loop_tables import WelcomeRow

log = logs.get(__name__)


class WelcomeDelivery:
    """Names no page, so nothing has to be confirmed."""

    def __init__(
        self,
        database: Database,
        messages: ChannelMessages,
        leaving: Leaving,
        retention_days: int,
    ) -> None:
        self._database = database
        self._messages = messages
        self._leaving = leaving
        self._retention_days = retention_days

    def welcome(self, team: str, channel: str, invited_by: str) -> None:
        """In the language of whoever has invited the bot.

        What may stand there, since Slack has not answered, is not said again.

        Raises:
            SlackError: to be tried again.
        """
        if not self._begin(team, channel):
            return
        say = sentences(people.locale(self._database, team, invited_by))
        built = build_welcome(say, self._leaving, self._retention_days)
        post_id = f"welcome-{team}-{channel}"
        try:
            self._messages.post_to(channel, built.text, built.blocks, post_id, shows=NOTHING)
        except PlaceGone as error:
            log.info("welcome.not_said", channel=channel, error=error.code)
        except SlackError as error:
            if surely_not_done(error):
                self._not_begun(team, channel)
            raise
        else:
            log.info("welcome.said", channel=channel)

    def _begin(self, team: str, channel: str) -> bool:
        """Note it before it is said: nobody is welcomed twice."""
        with self._database.one_at_a_time(f"welcome:{team}") as session:
            if session.get(WelcomeRow, (team, channel)):
                return False
            session.add(WelcomeRow(team=team, channel=channel))
            return True

    def _not_begun(self, team: str, channel: str) -> None:
        with self._database.session() as session:
            row = session.get(WelcomeRow, (team, channel))
            if row:
                session.delete(row)
