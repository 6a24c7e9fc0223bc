"""What is printed of an answer: as it is read, with the pages that are shown."""

from __future__ import annotations

import pytest
from wiki import HOTEL, LEAVE, hit, page

from core.dialogue.decision import Outcome
from core.models import Answer, Confidence, Copy, Note, Record, Source
from core.question import Completed
from evaluation.answers.pose.reply import PageShown, answered, as_read

FOUND = hit(LEAVE, page("1", "Leave"))
COPY = hit(HOTEL, page("2", "Leave, copied"))
WITH_COPY = FOUND.model_copy(update={"copies": (Copy(evidence=COPY.evidence, page=COPY.page),)})
SOURCE = Source(
    number=1,
    title="Leave",
    url=f"{FOUND.page.url}#porto",
    evidence_ids=(FOUND.evidence.id,),
    also=((COPY.page.title, COPY.page.url),),
)


def record(answer: Answer) -> Record:
    completed = Completed(question="And in Porto?", text="Leave in Porto?")
    return Record(completed=completed, answer=answer, hits=(WITH_COPY,))


def test_an_answer_is_printed_with_its_pages_badge_and_completed_question() -> None:
    reply = answered(
        7, record(Answer(text="**25** days [1]", sources=(SOURCE,), confidence="high"))
    )
    assert (reply.id, reply.act, reply.text) == (7, Outcome.ANSWER, "25 days [1]")
    assert (reply.badge, reply.not_found) == ("high", False)
    assert reply.understood_as == "Leave in Porto?"


def test_pages_that_say_the_same_come_after_the_sources() -> None:
    reply = answered(7, record(Answer(text="25 days [1]", sources=(SOURCE,))))
    assert reply.sources == (
        PageShown("1", "Leave", SOURCE.url),
        PageShown("2", "Leave, copied", COPY.page.url),
    )


def test_a_page_that_no_hit_knows_is_named_by_its_address() -> None:
    elsewhere = Source(number=1, title="Far", url="https://wiki.example/pages/99/Far#here")
    assert answered(7, record(Answer(text="x", sources=(elsewhere,)))).sources[0].page_id == "99"


def test_what_was_not_found_has_the_nearest_pages_and_no_badge() -> None:
    missing = Answer(
        text="No page answers this.",
        sources=(SOURCE,),
        notes=(Note.NOT_FOUND,),
        confidence=Confidence.HIGH,
    )
    reply = answered(7, record(missing))
    assert (reply.act, reply.not_found, reply.badge) == (Outcome.ANSWER, True, None)
    assert reply.sources[0].page_id == "1"


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        ("up to **110 EUR** a night", "up to 110 EUR a night"),
        (r"2 \* 3 \_ 4", "2 * 3 _ 4"),
        ("`a**b**c` and\n```\n**x** \\*\n```", "`a**b**c` and\n```\n**x** \\*\n```"),
        ("2 ** 3 ** 4", "2 ** 3 ** 4"),
        ("| **a** | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ],
)
def test_an_answer_is_printed_as_it_is_read(markdown: str, read: str) -> None:
    assert as_read(markdown) == read
