"""Shows an answer while it is made: as a stream where Slack itself has a Stop button, else in a placeholder with ours.

A question whose message stands already (it was queued, somebody died while telling it, it is asked again) goes on in that message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.delivery.progress_events import Heard
from bot.delivery.status import WorkStatus
from bot.delivery.stream import Stream
from bot.delivery.turn_message import ANSWER, TurnMessage
from bot.slack_api.parts import BotParts
from bot.views import messages
from bot.views.answer_blocks import shown
from bot.views.block_kit import Block
from bot.views.mrkdwn import quiet, quiet_so_far
from bot.views.progress import build_progress, progress
from core import metrics
from core.turns.turn import Turn


class AnswerProgress:
    """The message of one answer, from the first sign of life to the final text."""

    def __init__(self, parts: BotParts, turn: Turn, presence: WorkStatus) -> None:
        self._turn = turn
        self._presence = presence
        self._voice = TurnMessage(parts.client, parts.database, turn, ANSWER)
        self._stream = Stream(parts, turn, self._voice)
        self._may_stream = True
        self._heard = Heard()
        self._is_new = not self._voice.resumed  # whoever asked has seen nothing of us yet
        if not self._is_new:
            presence.inherit()

    def show(self, heard: Heard, *, queued: bool) -> None:
        """Say how far it is."""
        self._heard = heard
        if queued:
            self.wait(queued=True)
        elif self._stream.is_open:
            self._stream.grow(self._streamed(heard))
        elif self._voice.stands():
            self._say(progress(heard.stage, heard.text))
            self._presence.show(heard.stage)
        else:
            self._begin(heard)
        self._count()

    def wait(self, *, queued: bool) -> None:
        """Say that others come first; whoever goes on with it finds the message."""
        self._say(messages.QUEUED if queued else messages.IN_LINE)
        self._count()

    def finish(self, text: str, blocks: Sequence[Block]) -> None:
        """Put the final text in the place of all that was shown."""
        if not self._stream.stop(self._streamed(self._heard, quiet), blocks):
            self._voice.finish(with_question(self._turn, text), blocks)
        self._count()

    def _count(self) -> None:
        if self._is_new:
            metrics.FIRST_PROGRESS.observe(time.time() - self._turn.asked_at)
        self._is_new = False

    def _begin(self, heard: Heard) -> None:
        """Nothing stands yet: where Slack has a Stop button of its own, a message comes with the first words."""
        self._presence.show(heard.stage)
        if not self._presence.has_stop or not self._may_stream:
            self._say(progress(heard.stage, heard.text))
            self._presence.lost()
            self._presence.show(heard.stage)
        elif text := self._streamed(heard):
            self._may_stream = self._stream.start(text)

    def _say(self, sentence: str) -> None:
        sentence = with_question(self._turn, sentence)
        blocks = build_progress(self._turn.id, sentence)
        self._voice.open(sentence, blocks)
        self._voice.progress(sentence, blocks)

    def _streamed(self, heard: Heard, quieted: Callable[[str], str] = quiet_so_far) -> str:
        """The text for a stream, before its end so far as it is sure."""
        text = quieted(heard.text)
        return (
            f"**{messages.ASKS}** {quiet(self._turn.question)}\n\n{text}"
            if text and self._turn.by_button
            else text
        )


def with_question(turn: Turn, text: str) -> str:
    """What is asked, where no message of a person says it; by name only in the final blocks, which notify nobody."""
    return f"{messages.asked_by_button(shown(turn.question))}\n{text}" if turn.by_button else text
