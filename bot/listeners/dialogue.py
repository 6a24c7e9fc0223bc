"""Dialogue acts in Slack: what was said before a message, the decision on it, a short reply.

A message that is no question makes no turn, so it costs no limit and enters no conversation.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from bot.access.locales import Locales
from bot.slack_api.errors import SlackError
from bot.slack_api.threads.heard import Heard
from bot.slack_api.threads.talk import SlackTalk
from core import logs
from core.dialogue.decide import decide, depends_on_others
from core.dialogue.decision import Attention, Decision
from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message, Place
from core.dialogue.parts import announces
from core.jobs import afterwards, leases
from core.jobs.afterwards import PutOff, put_off
from core.jobs.queue import TaskName
from core.language import language, spoken
from core.language.sentences import sentences
from core.policy import people
from core.policy.examined import Examined
from core.storage.database import Database
from core.turns import disclosures, turn_rows
from core.turns.turn import Address

# Slack delivers an event again for about an hour: docs.slack.dev/apis/events-api#retries
REPEATED_S = 2 * 3600.0
MOST_WAITING = 10  # messages of which a model is asked; with more, the bot decides by itself
MOST_LINES = 20  # kept of what was said before such a message

log = logs.get(__name__)


class SlackNeeded(Exception):
    """A message cannot be decided on or replied to before its event is acknowledged."""


class ModelNeeded(Exception):
    """A model that is asked what this message means may know better."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.place)
        self.message = message


@dataclass(frozen=True)
class Told:
    """A message as a worker has been given it, and what a model says that it means, if anything."""

    message: Message
    meant: Meaning | None


class Dialogue:
    """Decides on messages; Slack is asked for what was said only where that could matter.

    Without `talk`, where Slack would be asked or told something, SlackNeeded is raised.
    """

    def __init__(
        self,
        database: Database,
        talk: SlackTalk | None,
        locales: Locales,
        examined: Examined,
    ) -> None:
        self._database = database
        self._talk = talk
        self._locales = locales
        self._examined = examined

    def decide(
        self,
        said: Heard,
        attention: Attention,
        told: Told | None = None,
        *,
        may_ask: bool = False,
    ) -> Decision:
        """What becomes of it, by the bot itself or by what it was `told`.

        `may_ask`: whether a model may be asked: somebody says it who is known and may ask the bot.

        Raises:
            SlackNeeded, ModelNeeded: somebody else knows better; the latter not where it was told.
        """
        if told:
            return decide(told.message, attention, told.meant)
        message, since = self._known(said)
        decision = decide(message, attention)
        may_wait = may_ask and self._may_wait(said, decision)
        # A model is to see what was said, too.
        if message.place is Place.THREAD and (
            may_wait or depends_on_others(message, attention, decision)
        ):
            message = message.after(self._above(said.where, said.bot, since))
            decision = decide(message, attention)
            may_wait = may_ask and self._may_wait(said, decision)
        if may_wait:
            raise ModelNeeded(message)
        return decision

    def _may_wait(self, said: Heard, decision: Decision) -> bool:
        """Not what announces a question, which may come at any moment, nor behind many others."""
        if not decision.is_unsure or (said.direct and announces(said.text)):
            return False
        is_read = self._examined.has_passed()
        return is_read and afterwards.waiting(self._database, PutOff.MEANT) < MOST_WAITING

    def _known(self, said: Heard) -> tuple[Message, str]:
        """The message with what SQL knows was said before it, and when the last of that was."""
        is_first = said.where.ts == said.where.thread_ts
        known = () if is_first else turn_rows.said_in(self._database, said.where)
        message = Message(
            text=said.text,
            who=said.user,
            place=_place(said),
            mentions_bot=said.mentions_us,
            as_written=said.as_written,
            before=tuple(line for _, line in known) or _unknown(said),
        )
        return message, max((ts for ts, _ in known), default="")

    def reply(self, said: Heard, decision: Decision) -> None:
        """A reaction or one sentence, once, however often Slack delivers the message."""
        where, user, talk = said.where, said.user, self._required()
        key = f"reply:{where.team}:{where.channel}:{where.ts}"
        if not leases.once(self._database, key, REPEATED_S):
            return
        log.info("replied", channel=where.channel, act=decision.act, user=user)
        try:
            if not (decision.reaction and talk.react(where, decision.reaction)):
                talk.say(where, self._sentence(said, decision))
        except SlackError as error:
            log.warning("reply.refused", channel=where.channel, error=str(error))

    def _above(self, where: Address, bot: str, since: str) -> tuple[Line, ...]:
        try:
            return self._required().above(where, bot, since=since)
        except SlackError as error:
            log.warning("dialogue.unread", channel=where.channel, error=str(error))
            return ()

    def _required(self) -> SlackTalk:
        if self._talk is None:
            raise SlackNeeded
        return self._talk

    def _sentence(self, said: Heard, decision: Decision) -> str:
        team, user = said.where.team, said.user
        if language(said.text) is None:  # it is spoken of in the locale of its asker
            self._locales.learn(team, user)
        say = sentences(spoken(people.locale(self._database, team, user), said.text))
        is_file = said.has_files and not said.text
        return say("files-only" if is_file else decision.sentence)


def hear_later(database: Database, said: Heard) -> None:
    """Have a speaker decide on this message, who may ask Slack."""
    where = said.where
    put_off(database, PutOff.HEAR, team=where.team, once=_once(where), said=asdict(said))


def hear_when_told(database: Database, said: Heard, message: Message) -> None:
    """Have a worker ask a model what it means, and then a speaker decide.

    What the answers among the lines give away is known now; later they may be others.
    """
    where = said.where
    put_off(
        database,
        PutOff.MEANT,
        team=where.team,
        once=_once(where),
        first=TaskName.UNDERSTAND,
        said=asdict(said),
        message=asdict(replace(message, before=message.before[-MOST_LINES:])),
        pages=sorted(disclosures.pages_in(database, where)),
    )


def waits(database: Database, where: Address) -> bool:
    """Whether a model is asked what this message means."""
    return afterwards.load(database, f"{PutOff.MEANT}:{_once(where)}") is not None


def no_longer_told(database: Database, where: Address) -> None:
    """Stop waiting for what a model says of a message that is another now."""
    afterwards.done(database, f"{PutOff.MEANT}:{_once(where)}")


def _once(where: Address) -> str:
    return f"{where.team}:{where.channel}:{where.ts}"


def _place(said: Heard) -> Place:
    if said.direct:
        return Place.DM
    return Place.THREAD if said.is_reply else Place.CHANNEL


def _unknown(said: Heard) -> tuple[Line, ...]:
    """What a reply to us goes on with, while its question is not saved yet, or not any more."""
    return (Line("", "", by_bot=True),) if said.direct and said.is_reply else ()
