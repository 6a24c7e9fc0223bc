"""What is said to the bot goes through its own decision, and only questions are remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.dialogue.decision import Outcome
from core.manner import Manner
from core.models import Answer, Record
from core.question import Completed
from evaluation.answers.pose.posing import Posing
from evaluation.answers.pose.reply import Reply
from evaluation.answers.pose.turns import Overheard, Posed, SaidToUs
from worker.question.rewrite import Past


class Pipeline:
    """Remembers what it was asked, and after which questions."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def trusted(self, _manner: Manner) -> None:
        """No model."""

    def answer(self, question: str, past: Sequence[Past], **_: Any) -> Record:
        self.asked.append((question, [each.question for each in past]))
        completed = Completed(question=question, text=question)
        return Record(completed=completed, answer=Answer(text="25 days"))


def posed(*turns: Posed) -> tuple[Pipeline, list[Reply]]:
    pipeline = Pipeline()
    posing = Posing(pipeline, 60.0)  # type: ignore[arg-type]
    return pipeline, list(posing.replies(turns))


def test_turns_of_a_thread_follow_one_another_and_thanks_are_no_turn() -> None:
    pipeline, replies = posed(
        SaidToUs(id=1, thread="a", text="How long is leave in Porto?"),
        SaidToUs(id=2, thread="b", text="Who leads the Vision team?"),
        SaidToUs(id=3, thread="a", text="thanks!"),
        SaidToUs(id=4, thread="a", text="And how long is it in Aarhus?"),
        SaidToUs(id=5, text="How long is parental leave?"),
    )
    assert [reply.act for reply in replies] == [
        Outcome.ANSWER,
        Outcome.ANSWER,
        Outcome.BRIEF,
        Outcome.ANSWER,
        Outcome.ANSWER,
    ]
    assert [before for _, before in pipeline.asked] == [[], [], ["How long is leave in Porto?"], []]


def test_nothing_is_asked_again_for_a_message_that_is_left_in_silence() -> None:
    context = [{"who": "ana", "text": "@bot how long is leave?"}, {"who": "bot", "text": "25 days"}]
    fields = {"id": 1, "place": "channel", "context": context, "who": "ana", "text": "lunch?"}
    pipeline, (reply,) = posed(Overheard.model_validate(fields))
    assert (reply.act, reply.text, pipeline.asked) == (Outcome.SILENT, "", [])


def test_the_name_of_the_bot_is_no_part_of_the_question() -> None:
    fields = {"id": 1, "place": "channel", "context": [], "who": "ana", "bot": "U0BOT"}
    text = "<@U0BOT> how long is leave in Porto?"
    pipeline, _ = posed(Overheard.model_validate({**fields, "text": text}))
    assert pipeline.asked == [("how long is leave in Porto?", [])]


def test_how_long_it_took_is_told() -> None:
    _, (reply,) = posed(SaidToUs(id=1, text="How long is leave in Porto?"))
    assert reply.seconds >= 0
