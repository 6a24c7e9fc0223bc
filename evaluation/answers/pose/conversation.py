"""What was said before a message, as the bot knows it: lines for its decision, turns for the rest.

Of a written context the pages are not known that the bot's earlier answers came from; the last of
them is found again by asking its question once more, since a follow-up leans on that page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.dialogue.decide import decide
from core.dialogue.decision import Outcome
from core.dialogue.message import Line, Message, Place
from core.models import Record
from evaluation.answers.pose.naming_us import MENTION, addressed, is_bot
from evaluation.answers.pose.turns import Overheard, SaidToUs
from worker.question.rewrite import Past

ASKER = "asker"  # who says what the first form holds
US = "bot"
Ask = Callable[[str, Sequence[Past]], Record]


@dataclass
class Conversation:
    """Lines, oldest first, and the questions among them with what was answered."""

    lines: list[Line] = field(default_factory=list)
    past: list[Past] = field(default_factory=list)

    def message(self, turn: SaidToUs) -> Message:
        """What is said next: the first one in a thread mentions the bot, else it were not there."""
        found = addressed(turn.text, None)
        first = Place.DM if turn.thread is None else Place.CHANNEL
        return Message(
            found.text,
            ASKER,
            Place.THREAD if self.lines else first,
            mentions_bot=found.mentions_bot or (first is Place.CHANNEL and not self.lines),
            as_written=found.as_written,
            before=tuple(self.lines),
        )

    def said(self, turn: SaidToUs, reply: str) -> None:
        """It was, and the bot replied in words; an empty reply is none."""
        self.lines.append(Line(ASKER, addressed(turn.text, None).text))
        if reply:
            self.lines.append(Line(US, reply, by_bot=True))


def overheard(turn: Overheard) -> Message:
    """A message with its context."""
    found = addressed(turn.text, turn.bot)
    lines = []
    for each in turn.context:
        text = addressed(each.text, turn.bot if isinstance(turn.bot, str) else None).text
        lines.append(Line(each.who, text, is_bot(each.who, turn.bot)))
    return Message(
        found.text,
        turn.who,
        turn.place,
        mentions_bot=found.mentions_bot,
        as_written=found.as_written,
        before=tuple(lines),
    )


def past_of(turn: Overheard, lines: Sequence[Line], ask: Ask) -> list[Past]:
    """The questions in its context; `ask` answers one after some turns."""
    past: list[Past] = []
    questions = list(_answered_questions(turn, lines))
    for number, (question, answer) in enumerate(questions, start=1):
        is_last = number == len(questions)
        one = Past.of(question, ask(question, past)) if is_last else Past(question)
        past.append(replace(one, answer=answer))
    return past


def _answered_questions(turn: Overheard, lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Each question with the bot's line below it; a thanks that it replied to is none."""
    for place in range(1, len(lines)):
        said, reply = lines[place - 1], lines[place]
        if said.by_bot or not reply.by_bot:
            continue
        message = Message(
            said.text,
            said.who,
            turn.place,
            mentions_bot=True,  # or it would not have replied
            as_written=f"{MENTION} {said.text}",
            before=tuple(lines[: place - 1]),
        )
        decision = decide(message)
        if decision.outcome is Outcome.ANSWER:
            yield decision.question, reply.text
