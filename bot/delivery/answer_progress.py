"""Shows an answer while it is generated: as a stream, or in a placeholder with a Stop button.

A stream is used where Slack itself shows a Stop button. A question that has a message already (it
was queued, a process died while delivering it, it is asked again) goes on in that message. What the
gate stops is held back until it is confirmed, or until the final text replaces it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from bot.delivery.progress_events import WorkerProgress
from bot.delivery.status import WorkStatus
from bot.delivery.stream import MOST, Stream
from bot.delivery.turn_message import TurnMessage
from bot.slack_api.errors import Dropped, Unconfirmed
from bot.slack_api.outbox.urgency import Urgency
from bot.views.block_kit import Block
from bot.views.mrkdwn import with_links
from bot.views.progress import build_progress, progress_text, question_above
from core import metrics
from core.access.disclosure import NOTHING, Disclosure
from core.language.sentences import Sentences
from core.markdown.growing import neutral_so_far
from core.markdown.writing import neutral
from core.storage import clock
from core.turns import disclosures
from core.turns.turn import Turn

HELD_S = 1.0  # until the gate is asked again about a text that it has stopped


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
        names_question: bool,
    ) -> None:
        """`names_question`: whether a question that a button asked may be shown above the text."""
        self._say = say
        self._turn = turn
        self._message = message
        self._stream = stream
        self._status = status
        self._names_question = names_question
        self._may_stream = True
        self._held_until = 0.0
        self._received = WorkerProgress()
        self._is_new = not self._message.resumed  # the asker has seen nothing of us yet
        if not self._is_new:
            status.inherit()

    def show(self, received: WorkerProgress, *, queued: bool) -> None:
        """Show how far the answer is."""
        self._received = received
        if time.monotonic() < self._held_until:
            return
        try:
            self._show(received, queued=queued)
        except Dropped:
            return
        except Unconfirmed:
            self._names_question = False
            self._held_until = time.monotonic() + HELD_S
            return
        self._measure_first()

    def wait(self, *, queued: bool) -> None:
        """Say that others come first; whoever goes on with the turn finds this message."""
        sentence = self._say("queued") if queued else self._say("in-line")
        self._show_text(sentence, shows=self._shows(WorkerProgress()))
        self._measure_first()

    def wait_in_line(self, ahead: int) -> None:
        """Say how many come first: by the status, since an answer then needs no update."""
        sentence = self._say("status-in-line", ahead=ahead)
        if self._message.is_posted() or not self._status.tell(sentence):
            with suppress(Dropped):
                self.wait(queued=False)
        self._measure_first()

    def finish(self, text: str, blocks: Sequence[Block], *, shows: Disclosure) -> None:
        """Replace all that was shown by the final text."""
        if self._stream.finish(blocks, shows=shows):
            self._status.mark_let_go()
        else:
            if not self._message.is_posted():
                self._status.mark_removed()
            self._message.finish(text, blocks, shows=shows)
        self._measure_first()

    def _show(self, received: WorkerProgress, *, queued: bool) -> None:
        if queued:
            self.wait(queued=True)
        elif self._stream.is_open:
            self._stream.grow(self._streamed(received), shows=self._shows(received))
        elif self._message.is_posted():
            self._show_progress(received)
        else:
            self._begin(received)

    def _measure_first(self) -> None:
        if self._is_new:
            metrics.FIRST_PROGRESS.observe(clock.now() - self._turn.asked_at)
        self._is_new = False

    def _begin(self, received: WorkerProgress) -> None:
        """No message yet: where Slack has its own Stop button, one comes with the first words.

        Where there is no room for a stream, the status is all there is before the answer.
        """
        self._status.show(received.stage)
        if self._needs_placeholder():
            self._show_progress(received)
            self._status.mark_removed()
        elif self._status.has_stop and (text := self._streamed(received)):
            self._stream_from(text, received)

    def _stream_from(self, text: str, received: WorkerProgress) -> None:
        if self._stream.has_room():
            self._may_stream = self._stream.start(text, shows=self._shows(received))
        if self._stream.is_open:
            self._status.mark_removed()

    def _needs_placeholder(self) -> bool:
        """Nothing else would show that we are at it; or nothing will grow, and there is room."""
        if not self._status.may_be_shown:
            return True
        may_grow = self._may_stream and self._status.may_have_stop
        return not may_grow and self._message.has_room()

    def _show_progress(self, received: WorkerProgress) -> None:
        sentence = progress_text(self._say, received.stage, received.text)
        self._show_text(sentence, shows=self._shows(received))

    def _show_text(self, sentence: str, *, shows: Disclosure) -> None:
        if self._names_question:
            sentence = question_above(self._say, self._turn.question, sentence)
        blocks = build_progress(self._say, self._turn.id, sentence)
        self._message.post(sentence, blocks, shows=shows, urgency=Urgency.FIRST)
        self._message.show_progress(sentence, blocks, shows=shows)

    def _shows(self, received: WorkerProgress) -> Disclosure:
        """What is given away by the text so far, under its question; by a stage, nothing."""
        shows = received.shows if received.text and received.shows else NOTHING
        if self._names_question:
            return disclosures.with_question(self._turn, shows)
        return disclosures.for_readers(self._turn, shows)

    def _streamed(self, received: WorkerProgress) -> str:
        """The text for a stream as it will stay: the part that will not change, with its links."""
        text = with_links(neutral_so_far(received.text), received.urls, MOST)
        if not text or not self._names_question:
            return text
        return f"**{self._say('question')}** {neutral(self._turn.question)}\n\n{text}"
