"""What listeners have put off until they had acknowledged, done by a speaker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot import voices
from bot.access.membership import Membership
from bot.delivery.hand_over.delivery import HandOverDelivery
from bot.delivery.home_tab import HomeTab
from bot.delivery.unasked.digest import DigestDelivery
from bot.delivery.unasked.welcome import WelcomeDelivery
from bot.listeners.changes.edits import EditListeners
from bot.listeners.dialogue import Told
from bot.listeners.direct_messages import DirectMessages
from bot.listeners.questions import QuestionListeners
from bot.slack_api.directory import Directory
from bot.slack_api.ephemeral import tell
from bot.slack_api.payloads import Payload
from bot.slack_api.sender import Sender
from bot.slack_api.threads.heard import read_back
from core.access import disclosure
from core.dialogue.likely import Meaning
from core.dialogue.message import read_back as message_of
from core.jobs import afterwards
from core.jobs.afterwards import PutOff
from core.jobs.leases import lease
from core.jobs.queue import TaskName, confirm_examples
from core.storage.database import Database
from core.turns.upkeep import team_erasure


class Afterwards:
    """Each row once, unless its speaker dies in the middle."""

    def __init__(
        self,
        database: Database,
        sender: Sender,
        *,
        directory: Directory,
        home: HomeTab,
        membership: Membership,
        questions: QuestionListeners,
        edits: EditListeners,
        hand_over: HandOverDelivery,
        digest: DigestDelivery,
        welcome: WelcomeDelivery,
    ) -> None:
        self._database = database
        self._sender = sender
        self._directory = directory
        self._home = home
        self._membership = membership
        self._questions = questions
        self._edits = edits
        self._hand_over = hand_over
        self._digest = digest
        self._welcome = welcome
        self._private = DirectMessages(sender, database, questions.ask_in_private)

    def do(self, row_id: str) -> None:
        with lease(self._database, f"{TaskName.AFTERWARDS}:{row_id}") as held:
            found = afterwards.load(self._database, row_id) if held else None
            if held is None:
                return
            if found:
                self._do(*found)
            afterwards.done(self._database, row_id)

    def _do(self, kind: PutOff, given: dict[str, Any]) -> None:
        doing: dict[PutOff, Callable[..., object]] = {
            PutOff.TELL: self._tell,
            PutOff.HOME: self._publish,
            PutOff.LEARN: self._learn,
            PutOff.HEAR: self._hear,
            PutOff.MEANT: self._hear_told,
            PutOff.EDIT: self._edits.read_later,
            PutOff.ASK: self._ask,
            PutOff.HAND_OVER: self._hand_over_now,
            PutOff.HAND_OVER_PREVIEW: self._preview,
            PutOff.DIGEST: self._show_digest,
            PutOff.WELCOME: self._welcome.welcome,
            PutOff.FORGET_TEAM: self._forget_team,
        }
        doing[kind](**given)

    def _tell(self, team: str, message: Payload) -> None:
        tell(self._sender, message)

    def _learn(self, team: str, user: str) -> None:
        self._membership.learn(team, user, self._directory)

    def _hear(self, team: str, said: Payload) -> None:
        self._questions.hear(read_back(said))

    def _hear_told(self, said: Payload, message: Payload, meant: str = "", **_: Any) -> None:
        told = Told(message_of(message), Meaning(meant) if meant else None)
        self._questions.hear(read_back(said), told=told)

    def _hand_over_now(self, team: str, turn_id: str) -> None:
        self._hand_over.deliver(turn_id)

    def _preview(self, team: str, turn_id: str, user: str, view: str) -> None:
        self._hand_over.preview(turn_id, user, view)

    def _show_digest(self, team: str, digest_id: str) -> None:
        self._digest.deliver(digest_id)

    def _forget_team(self, **given: Any) -> None:
        team_erasure.forget_conversations(self._database, **given)

    def _publish(self, team: str, user: str, which: str) -> None:
        """What is confirmed at once; the rest when a worker has asked the sources."""
        if not self._home.publish(team, user, hidden=which == "hidden"):
            confirm_examples(TaskName.PUBLISH_HOME, team, user, which)

    def _ask(
        self, team: str, user: str, question: str, shows: dict[str, Any], channel: str
    ) -> None:
        where = self._private.ask(team, user, question, shows=disclosure.read(shows))
        if where is None and channel:
            text = voices.to(self._database, team, user)("not-asked-in-private")
            tell(self._sender, {"channel": channel, "user": user, "text": text})
