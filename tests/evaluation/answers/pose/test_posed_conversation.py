"""What was said before a message becomes lines for the decision and turns for its completion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiki import LEAVE, hit, page

from core.dialogue.message import Place
from core.models import Answer, Record, Source
from core.question import Completed
from evaluation.answers.pose.conversation import Conversation, overheard, past_of
from evaluation.answers.pose.turns import Overheard, SaidToUs
from worker.question.rewrite import Past

FOUND = hit(LEAVE, page("1", "Leave"))


class Wiki:
    """Answers everything from one page, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def ask(self, question: str, past: Sequence[Past]) -> Record:
        self.asked.append((question, len(past)))
        source = Source(number=1, title="Leave", url="", evidence_ids=(FOUND.evidence.id,))
        return Record(
            completed=Completed(question=question, text=question),
            answer=Answer(text="found anew", sources=(source,)),
            hits=(FOUND,),
        )


def turn(*context: tuple[str, str], place: str = "thread", **more: Any) -> Overheard:
    said = [{"who": who, "text": text} for who, text in context]
    fields = {"id": 1, "place": place, "context": said, "who": "ana", "text": "and in Porto?"}
    return Overheard.model_validate({**fields, "bot": "helper", **more})


def test_each_question_with_an_answer_below_it_is_a_turn() -> None:
    asked = turn(
        ("ana", "@helper how long is leave?"),
        ("bot", "25 days"),
        ("ben", "who approves it?"),
        ("helper", "The lead"),
    )
    wiki = Wiki()
    past = past_of(asked, overheard(asked).before, wiki.ask)
    assert [(each.question, each.answer) for each in past] == [
        ("how long is leave?", "25 days"),
        ("who approves it?", "The lead"),
    ]


def test_only_the_page_of_the_last_answer_is_found_again() -> None:
    asked = turn(
        ("ana", "how long is leave?"), ("bot", "25"), ("ben", "who approves?"), ("bot", "-")
    )
    wiki = Wiki()
    first, last = past_of(asked, overheard(asked).before, wiki.ask)
    assert wiki.asked == [("who approves?", 1)]
    assert (first.title, last.title) == ("", "Leave")
    assert last.page == {FOUND.page.key}


def test_thanks_and_talk_without_an_answer_are_no_turns() -> None:
    asked = turn(
        ("bot", "Hello"),
        ("ana", "thanks!"),
        ("bot", "You are welcome"),
        ("ana", "is it raining?"),
        ("ben", "it is"),
    )
    assert past_of(asked, overheard(asked).before, Wiki().ask) == []


def test_a_message_knows_its_place_and_its_lines() -> None:
    message = overheard(turn(("ana", "@helper hi"), ("bot", "Hello"), place="dm", text="@ben see"))
    assert (message.place, message.mentions_bot, message.text) == (Place.DM, False, "@ben see")
    assert [(line.text, line.by_bot) for line in message.before] == [("hi", False), ("Hello", True)]


def test_the_first_message_of_a_thread_mentions_the_bot_and_later_ones_do_not() -> None:
    known, said = Conversation(), SaidToUs(id=1, thread="t", text="leave Porto")
    first = known.message(said)
    known.said(said, "25 days")
    second = known.message(said)
    assert (first.place, first.mentions_bot) == (Place.CHANNEL, True)
    assert (second.place, second.mentions_bot) == (Place.THREAD, False)
    assert [line.by_bot for line in second.before] == [False, True]


def test_a_direct_message_of_its_own_needs_no_mention() -> None:
    message = Conversation().message(SaidToUs(id=1, text="leave Porto"))
    assert (message.place, message.mentions_bot) == (Place.DM, False)
