"""Shows an answer while it is generated: as a stream, or in a placeholder with a Stop button.

A stream is used where Slack itself shows a Stop button. A question that has a message already (it
was queued, a process died while delivering it, it is asked again) goes on in that message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.delivery.progress_events import WorkerProgress
from bot.delivery.status import WorkStatus
from bot.delivery.stream import Stream
from bot.delivery.turn_message import TurnMessage
from bot.views.answer_blocks import question_text
from bot.views.block_kit import Block
from bot.views.mrkdwn import sanitize, sanitize_partial
from bot.views.progress import build_progress, progress_text
from core import metrics
from core.language.sentences import Sentences
from core.turns.turn import Turn


class AnswerProgress:
    """The message of one answer, from the first progress to the final text."""

    def __init__(
        self,
        say: Sentences,
        turn: Turn,
        *,
        message: TurnMessage,
        stream: Stream,
        status: WorkStatus,
    ) -> None:
        self._say = say
        self._turn = turn
        self._message = message
        self._stream = stream
        self._status = status
        self._may_stream = True
        self._received = WorkerProgress()
        self._is_new = not self._message.resumed  # the asker has seen nothing of us yet
        if not self._is_new:
            status.inherit()

    def show(self, received: WorkerProgress, *, queued: bool) -> None:
        """Show how far the answer is."""
        self._received = received
        if queued:
            self.wait(queued=True)
        elif self._stream.is_open:
            self._stream.grow(self._streamed(received))
        elif self._message.is_posted():
            self._show_text(progress_text(self._say, received.stage, received.text))
            self._status.show(received.stage)
        else:
            self._begin(received)
        self._measure_first()

    def wait(self, *, queued: bool) -> None:
        """Say that others come first; whoever goes on with the turn finds this message."""
        self._show_text(self._say("queued") if queued else self._say("in-line"))
        self._measure_first()

    def finish(self, text: str, blocks: Sequence[Block]) -> None:
        """Replace all that was shown by the final text."""
        streamed = self._streamed(self._received, sanitize)
        if not self._stream.stop(streamed, blocks):
            self._message.finish(self._with_question(text), blocks)
        self._measure_first()

    def _measure_first(self) -> None:
        if self._is_new:
            metrics.FIRST_PROGRESS.observe(time.time() - self._turn.asked_at)
        self._is_new = False

    def _begin(self, received: WorkerProgress) -> None:
        """No message yet: where Slack has its own Stop button, one comes with the first words."""
        self._status.show(received.stage)
        if not self._status.has_stop or not self._may_stream:
            self._show_text(progress_text(self._say, received.stage, received.text))
            self._status.mark_removed()
            self._status.show(received.stage)
        elif text := self._streamed(received):
            self._may_stream = self._stream.start(text)

    def _show_text(self, sentence: str) -> None:
        sentence = self._with_question(sentence)
        blocks = build_progress(self._say, self._turn.id, sentence)
        self._message.post(sentence, blocks)
        self._message.show_progress(sentence, blocks)

    def _streamed(
        self,
        received: WorkerProgress,
        sanitizer: Callable[[str], str] = sanitize_partial,
    ) -> str:
        """The text for a stream; before its end, only the part that will not change."""
        text = sanitizer(received.text)
        if not text or not self._turn.by_button:
            return text
        return f"**{self._say('question')}** {sanitize(self._turn.question)}\n\n{text}"

    def _with_question(self, text: str) -> str:
        """The text under its question, where no message of a person asks it.

        The asker is named only in the final blocks, which notify nobody.
        """
        if not self._turn.by_button:
            return text
        return f"*{self._say('question')}* {question_text(self._turn.question)}\n{text}"
