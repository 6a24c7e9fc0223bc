"""Puts messages to the bot, one after the other: its own decision, then the product's pipeline."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bot.views.reasons import MOST_CHARACTERS, no_answer
from core.dialogue.decision import Decision, Outcome
from core.dialogue.message import Message
from core.language import spoken
from core.language.sentences import Sentences, sentences
from core.models import Record
from core.states import NoAnswer
from evaluation.answers.pose.conversation import Conversation, overheard, past_of
from evaluation.answers.pose.reply import Reply, answered
from evaluation.answers.pose.turns import Overheard, Posed, SaidToUs
from evaluation.dialogue.deciding import decided_with
from evaluation.harness.json_lines import Id
from sandbox.slack.render.emoji import with_emoji
from worker.pipeline import Pipeline
from worker.pipeline.steps import DEFAULT
from worker.question.rewrite import Past


@dataclass
class Posing:
    """The bot, as far as messages and answers go, with the threads that it has joined."""

    pipeline: Pipeline
    patience_s: float  # for each answer
    threads: dict[str, Conversation] = field(default_factory=lambda: defaultdict(Conversation))

    def replies(self, turns: Iterable[Posed]) -> Iterator[Reply]:
        """What becomes of each; those of one thread follow one another.

        Raises:
            AccessUnknown, StoreUnavailable: see worker.pipeline.Pipeline.
        """
        for turn in turns:
            started = time.perf_counter()
            reply = self._said(turn) if isinstance(turn, SaidToUs) else self._overheard(turn)
            yield replace(reply, seconds=round(time.perf_counter() - started, 4))

    def _said(self, turn: SaidToUs) -> Reply:
        known = Conversation() if turn.thread is None else self.threads[turn.thread]
        message = known.message(turn)
        decision = self._decided(message)
        reply = self._reply(turn.id, message, decision, known.past)
        known.said(turn, "" if decision.reaction else reply.text)
        return reply

    def _overheard(self, turn: Overheard) -> Reply:
        message = overheard(turn)
        decision = self._decided(message)
        past = []
        if decision.outcome is Outcome.ANSWER:
            past = past_of(turn, message.before, self._ask)
        return self._reply(turn.id, message, decision, past)

    def _decided(self, message: Message) -> Decision:
        return decided_with(message, self.pipeline.trusted(DEFAULT))

    def _reply(self, which: Id, message: Message, decision: Decision, past: list[Past]) -> Reply:
        """What was a question becomes a turn of `past`."""
        say = _say(message)
        if decision.outcome is not Outcome.ANSWER:
            return Reply(which, decision.outcome, _short(decision, say))
        question = decision.question or message.text
        if len(question) > MOST_CHARACTERS:
            return Reply(which, Outcome.CLARIFY, no_answer(say, NoAnswer.TOO_LONG))
        record = self._ask(question, past)
        past.append(Past.of(question, record))
        return answered(which, record)

    def _ask(self, question: str, past: Sequence[Past]) -> Record:
        return self.pipeline.answer(question, past, deadline=time.time() + self.patience_s)


def _say(message: Message) -> Sentences:
    """In the language of what is said, or was said before."""
    earlier = [line.text for line in reversed(message.before) if not line.by_bot]
    return sentences(spoken("", message.text, *earlier))


def _short(decision: Decision, say: Sentences) -> str:
    """A reaction as its emoji, else the sentence; nothing for silence."""
    if decision.reaction:
        return with_emoji(f":{decision.reaction}:")
    return say(decision.sentence) if decision.sentence else ""
