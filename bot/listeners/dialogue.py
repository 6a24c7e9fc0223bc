"""Dialogue acts in Slack: what was said before a message, the decision on it, a short reply.

A message that is no question makes no turn, so it costs no limit and enters no conversation.
"""

from __future__ import annotations

from bot.access.locales import Locales
from bot.slack_api.errors import SlackError
from bot.slack_api.threads.heard import Heard
from bot.slack_api.threads.talk import SlackTalk
from core import logs
from core.dialogue.decide import decide, depends_on_others
from core.dialogue.decision import Attention, Decision
from core.dialogue.message import Line, Message, Place
from core.jobs import leases
from core.language import language, spoken
from core.language.sentences import sentences
from core.policy import people
from core.storage.database import Database
from core.turns import turn_rows
from core.turns.turn import Address

# Slack delivers an event again for about an hour: docs.slack.dev/apis/events-api#retries
REPEATED_S = 2 * 3600.0

log = logs.get(__name__)


class Dialogue:
    """Decides on messages; Slack is asked for what was said only where that could matter."""

    def __init__(self, database: Database, talk: SlackTalk, locales: Locales) -> None:
        self._database = database
        self._talk = talk
        self._locales = locales

    def decide(self, said: Heard, attention: Attention) -> Decision:
        known = turn_rows.said_in(self._database, said.where)
        message = Message(
            text=said.text,
            who=said.user,
            place=_place(said),
            mentions_bot=said.mentions_us,
            before=tuple(line for _, line in known),
        )
        if not depends_on_others(message, attention):
            return decide(message, attention)
        since = max((ts for ts, _ in known), default="")
        return decide(message.after(self._above(said.where, said.bot, since)), attention)

    def reply(self, said: Heard, decision: Decision) -> None:
        """A reaction or one sentence, once, however often Slack delivers the message."""
        where, user = said.where, said.user
        key = f"reply:{where.team}:{where.channel}:{where.ts}"
        if not leases.once(self._database, key, REPEATED_S):
            return
        log.info("replied", channel=where.channel, act=decision.act, user=user)
        try:
            if not (decision.reaction and self._talk.react(where, decision.reaction)):
                self._talk.say(where, self._sentence(said, decision))
        except SlackError as error:
            log.warning("reply.refused", channel=where.channel, error=str(error))

    def _above(self, where: Address, bot: str, since: str) -> tuple[Line, ...]:
        try:
            return self._talk.above(where, bot, since=since)
        except SlackError as error:
            log.warning("dialogue.unread", channel=where.channel, error=str(error))
            return ()

    def _sentence(self, said: Heard, decision: Decision) -> str:
        team, user = said.where.team, said.user
        if language(said.text) is None:  # it is spoken of in the locale of its asker
            self._locales.learn(team, user)
        say = sentences(spoken(people.locale(self._database, team, user), said.text))
        is_file = said.has_files and not said.text
        return say("files-only" if is_file else decision.sentence)


def _place(said: Heard) -> Place:
    if said.direct:
        return Place.DM
    return Place.THREAD if said.is_reply else Place.CHANNEL
