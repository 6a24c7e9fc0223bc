"""Abstention is recognized however models word it; an answer is never taken for one."""

from __future__ import annotations

import pytest
from wiki import HOTEL, LEAVE, hit

from worker.generation.abstention import NOT_FOUND, is_unanswered

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
