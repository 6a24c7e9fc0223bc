"""Abstention is recognized however models word it; an answer is never taken for one."""

from __future__ import annotations

import pytest
from wiki import HOTEL, LEAVE, hit

from worker.generation.abstention import NOT_FOUND, TranslatedStream, is_unanswered

HITS = [hit(LEAVE), hit(HOTEL)]
BARE = NOT_FOUND.rstrip(".")


@pytest.mark.parametrize(
    "reply",
    [
        NOT_FOUND,
        BARE,
        NOT_FOUND.lower(),
        f"“{NOT_FOUND}”",
        f'"{NOT_FOUND}"',
        f"**{NOT_FOUND}**",
        f"> *{BARE}*.",
        f"`{NOT_FOUND}`",
        f"{BARE}!",
        f"{NOT_FOUND} [1]",
        f"{BARE} [1][2].",
        f"{NOT_FOUND}\n\nHowever, the leave policy [1] may help.",
        f"I am sorry. {NOT_FOUND}",
        f"Nothing [7] fits.\n{NOT_FOUND}",
        "The pages that I can read don't answer this question.",
        "The pages I can read cannot answer your question.",
        "Die Seiten, die ich lesen kann, beantworten das nicht.",
        "Die Seiten, die ich lesen kann, beantworten diese Frage leider nicht.",
    ],
)
def test_the_sentence_is_found_in_every_dress(reply: str) -> None:
    assert is_unanswered(reply, HITS)


@pytest.mark.parametrize(
    "reply",
    [
        "A hotel in Porto costs up to 110 EUR [2].",
        f"A hotel in Porto costs up to 110 EUR [2]. {NOT_FOUND}",
        "The pages I can read do not answer this for Lisbon, "
        "but a hotel in Porto costs up to 110 EUR [2].",
        "Die Seiten, die ich lesen kann, beantworten das nicht für Lissabon; "
        "in Porto sind es 110 EUR [2].",
        "The pages answer this [1].",
    ],
)
def test_an_answer_to_part_of_the_question_is_an_answer(reply: str) -> None:
    assert not is_unanswered(reply, HITS)


GERMAN = "Keine Seite, die ich lesen kann, beantwortet das."


def streamed(reply: str) -> list[str]:
    """What is handed on of a reply that comes in pieces of five characters."""
    shown: list[str] = []
    show = TranslatedStream("de", shown.append)
    for start in range(0, len(reply), 5):
        show(reply[start : start + 5])
    return shown


@pytest.mark.parametrize("length", range(len(NOT_FOUND)))
def test_nobody_sees_the_english_sentence_begin(length: int) -> None:
    assert "".join(streamed(NOT_FOUND[:length])) == ""


def test_the_sentence_alone_is_not_handed_on() -> None:
    assert streamed(NOT_FOUND) == []


def test_the_sentence_before_others_is_seen_as_the_catalogue_says_it() -> None:
    assert "".join(streamed(f"{NOT_FOUND} Sorry.")) == f"{GERMAN} Sorry."


@pytest.mark.parametrize("reply", ["The pages say 110 EUR [2].", "Bis zu 110 EUR [2].", "Ja."])
def test_every_other_reply_is_handed_on_as_it_is(reply: str) -> None:
    assert "".join(streamed(reply)) == reply
