"""The whole way in German: who asks in German, or uses Slack in German, reads German."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

import pytest
from babel.messages.pofile import read_po

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION
from core.language import FOLDER
from core.language.sentences import sentences
from core.states import NoAnswer
from sandbox.slack.client import Message
from scenarios.conftest import PATIENCE_S, Running

LENA, LENA_ID = "Lena", "U0LENA"  # her Slack is German
QUESTION = "Wann ist Urlaubssperre in der Montage?"
OFF_TOPIC = "Wie heißt die Hauptstadt von Peru?"
SAY = sentences("de")
TELLING = 9  # characters of a part of a sentence that are no accident


@cache
def english() -> frozenset[str]:
    """What stands between the values of English sentences, and in no German one."""
    return frozenset(parts("en")) - frozenset(parts("de"))


def parts(language: str) -> Iterator[str]:
    with (FOLDER / f"{language}.po").open("rb") as file:
        for message in read_po(file, locale=language):
            said = message.string or ""
            for form in [said] if isinstance(said, str) else said:
                for part in re.split(r"\{\w+\}|\n", form):
                    if len(part.strip()) >= TELLING:
                        yield part.strip()


def left_in(shown: object) -> list[str]:
    """The English parts that somebody reads there."""
    text = json.dumps(shown, ensure_ascii=False)
    return [part for part in english() if re.search(rf"\b{re.escape(part)}", text)]


@pytest.fixture(autouse=True)
def a_good_model(asking: Running) -> Iterator[None]:
    assert asking.model
    asking.model.reset()
    yield
    asking.model.reset()


def answered(running: Running, question: str, user: str = "Alice") -> Message:
    return running.reply(running.ask(question, user=user))


def test_a_german_question_is_answered_explained_and_looked_into_in_german(
    asking: Running,
) -> None:
    answer = answered(asking, QUESTION, LENA)
    assert SAY("vote-up") in answer.plain()
    assert SAY("button-explain") in json.dumps(answer.blocks, ensure_ascii=False)
    assert left_in(answer.blocks) == []

    asking.workspace.click(LENA, answer, EXPLAIN_ACTION)
    explanation = asking.reply(answer)
    assert "Diese Antwort kommt aus [1]" in explanation.plain()
    asking.workspace.wait_until(
        lambda: "[image:" in asking.workspace.message(explanation).plain(),
        PATIENCE_S,
        "the chart",
    )
    explanation = asking.workspace.message(explanation)
    assert SAY("picture-described") in json.dumps(explanation.blocks, ensure_ascii=False)
    assert left_in(explanation.blocks) == []

    asking.workspace.click(LENA, explanation, DETAILS_ACTION)
    modal = asking.workspace.wait_for_modal(LENA_ID, lambda shown: SAY("trace-title") in shown)
    assert left_in(modal) == []


def test_quoted_answers_quote_in_german(quoting: Running) -> None:
    quoted = answered(quoting, QUESTION, LENA)
    assert SAY("vote-up") in quoted.plain()
    assert left_in(quoted.blocks) == []


def test_what_no_page_answers_is_said_in_german(asking: Running) -> None:
    nothing = answered(asking, OFF_TOPIC, LENA)
    assert SAY("not-found") in nothing.plain()
    assert left_in(nothing.blocks) == []


def test_the_question_decides_and_not_who_asks(quoting: Running) -> None:
    assert SAY("vote-up") in answered(quoting, QUESTION, "Ben").plain()
    in_english = answered(quoting, "How many days of leave do I get?", LENA)
    assert sentences("en")("vote-up") in in_english.plain()


def test_a_question_without_a_language_is_answered_in_that_of_the_asker(quoting: Running) -> None:
    answered(quoting, QUESTION, LENA)  # by then Slack has said which that is
    assert SAY("vote-up") in answered(quoting, "Urlaubssperre Montage", LENA).plain()


def test_home_is_in_the_language_of_whoever_opens_it(quoting: Running) -> None:
    quoting.workspace.open_home(LENA)
    quoting.workspace.wait_until(
        lambda: quoting.workspace.home(LENA_ID) is not None, PATIENCE_S, "the Home tab"
    )
    home = quoting.workspace.home(LENA_ID)
    assert SAY("home-index") in json.dumps(home, ensure_ascii=False)
    assert left_in(home) == []


def test_settings_and_the_command_speak_the_language_of_their_reader(quoting: Running) -> None:
    answered(quoting, QUESTION, LENA)
    told = quoting.workspace.command(LENA, "general", "/groundwire")
    assert told["text"] == SAY("command-help")
    quoting.workspace.command(LENA, "general", "/groundwire settings")
    modal = quoting.workspace.wait_for_modal(
        LENA_ID, lambda shown: SAY("settings-for-admins") in shown
    )
    assert left_in(modal) == []


def test_why_there_is_no_answer_is_said_in_german(quoting: Running) -> None:
    reply = answered(quoting, f"Wie ist das mit dem Urlaub? {'Warum nicht? ' * 400}", "Ben")
    assert SAY(f"reason-{NoAnswer.TOO_LONG}", when="", most=4000) in reply.plain()
