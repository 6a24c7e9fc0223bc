"""What the scripts say."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.llm.scripted import NO_ANSWER, echo, tokens, toy


def prompt(text: str) -> list[dict[str, Any]]:
    return [
        {"role": "system", "content": "Answer from the evidence."},
        {"role": "user", "content": text},
    ]


def test_the_toy_quotes_the_best_sentence_with_its_number() -> None:
    evidence = (
        "[1] Onboarding takes a week. Laptops are ordered early.\n"
        "[2] Certificates last 90 days.\n\n"
    )
    text = f"{evidence}Question: How long do certificates last?"
    assert toy(prompt(text)) == "Certificates last 90 days. [2]"


def test_the_toy_does_not_quote_a_title() -> None:
    text = (
        "[1] Travel policy › Hotels in Porto\nThe limit is 110 EUR in Porto.\n"
        "Question: What are the limits for hotels in Porto?"
    )
    assert toy(prompt(text)) == "The limit is 110 EUR in Porto. [1]"


@pytest.mark.parametrize(
    "text",
    [
        "Question: How long?",
        "[1] Bread is baked.\nQuestion: Who leads the team?",
        "no question",
        "",
    ],
)
def test_without_evidence_or_a_shared_word_the_toy_does_not_know(text: str) -> None:
    assert toy(prompt(text)) == NO_ANSWER


def test_the_toy_quotes_a_piece_and_not_what_stands_around_it() -> None:
    pieces = (
        "[1] Travel › Hotels\n    (before: Hotels in Porto have a limit.)\n"
        "    The limit in Porto is 110 EUR.\n    (after: Porto!)\n"
    )
    text = f"<<<EVIDENCE\n{pieces}\nEVIDENCE>>>\n\nQuestion: Which limit have hotels in Porto?"
    assert toy(prompt(text)) == "The limit in Porto is 110 EUR. [1]"


def test_the_toy_keeps_a_question_that_says_enough() -> None:
    text = (
        "Task: complete the question\nEarlier question: How long is parental leave?\n"
        "Earlier answer: 12 weeks.\n"
    )
    assert (
        toy(prompt(f"{text}Question: Who leads the Vision team?")) == "Who leads the Vision team?"
    )
    assert (
        toy(prompt(f"{text}Question: And in Porto?")) == "How long is parental leave? And in Porto?"
    )


def test_the_toy_completes_a_question_with_the_one_before_it() -> None:
    text = (
        "Task: complete the question\nQuestion: How much is a hotel in Porto?\n"
        "Question: And in Aarhus?"
    )
    assert toy(prompt(text)) == "How much is a hotel in Porto? And in Aarhus?"


def test_a_message_in_parts_is_read_as_its_text() -> None:
    assert (
        echo(
            [
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "a "}, {"type": "text", "text": "b"}],
                }
            ]
        )
        == "a b"
    )


@pytest.mark.parametrize("text", ["", "one", " two  words\n", "a\n\nb c", "  "])
def test_the_tokens_of_a_text_give_it_back(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_the_toy_finds_no_filters() -> None:
    prompt = "Task: find the filters\nA question to a wiki\n\nQuestion: What is new in ENG?"
    assert toy([{"role": "user", "content": prompt}]) == "[]"
