"""Guests, limits, budgets and forgetting, through all programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.home import history
from bot.views.answer_blocks import EXPLAIN_ACTION, FOLLOW_UP_ACTION
from bot.views.reasons import no_answer, no_explanation
from core.language.sentences import sentences
from core.models import Note
from core.states import NoAnswer, NoExplanation
from core.turns import erasure, turn_store
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID
from scenarios.conftest import PATIENCE_S, Running, is_final, run

SAY = sentences("en")

HOTEL = "What does a hotel in Porto cost?"
MARKER = "quokka-3180"
LIMIT = 3
SURE = (  # each with something to ask next
    "How much may a hotel in Porto cost per night?",
    "Who leads the Vision team?",
    "How do I deploy a gateway?",
)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The product with rate limits: few questions an hour, one model answer a day, no guests.

    People of other organizations may ask here.
    """
    settings = {
        "LIMIT_PERSON_PER_HOUR": str(LIMIT),
        "LIMIT_PERSON_TOKENS_PER_DAY": "1",
        "EXTERNALS": "public",
    }
    yield from run(tmp_path_factory.mktemp("strict"), model=True, settings=settings)


def said(running: Running, message: Message) -> str:
    return running.reply(message).plain()


def test_a_guest_is_refused_politely_and_learns_nothing(strict: Running) -> None:
    in_channel = said(strict, strict.ask(HOTEL, user="Greta"))
    in_private = said(strict, strict.workspace.direct("Greta", HOTEL))
    assert in_channel == in_private == no_answer(SAY, NoAnswer.GUEST)


def test_somebody_of_another_organization_is_answered_from_what_everybody_may_read(
    strict: Running,
) -> None:
    assert "110 EUR" in said(strict, strict.ask(HOTEL, user="Erik", channel="fjord-cranes"))


def with_suggestion(product: Running, answers: list[Message]) -> list[Message]:
    """Those of the answers that have a question to press, as they stand now."""
    now = map(product.workspace.message, answers)
    return [answer for answer in now if answer.has_button(f"{FOLLOW_UP_ACTION}_0")]


def test_a_limit_is_said_once_with_its_end_and_over_for_nobody_else(strict: Running) -> None:
    asked = [strict.ask(question, user="Ben") for question in SURE[:LIMIT]]
    answers = [strict.reply(message) for message in asked]
    beyond = [strict.ask(HOTEL, user="Ben") for _ in range(3)]
    strict.workspace.wait_until(
        lambda: any(map(strict.answers, beyond)), PATIENCE_S, "the one refusal"
    )
    (refused,) = [answer.plain() for message in beyond for answer in strict.answers(message)]
    assert refused.startswith(
        "You have asked as many questions as one person may within an hour. "
        "I answer you again from "
    )
    assert "UTC" in refused

    # Suggestions that were not ready at once come by an edit.
    strict.workspace.wait_until(lambda: bool(with_suggestion(strict, answers)), PATIENCE_S)
    [pressed, *_] = with_suggestion(strict, answers)
    strict.workspace.click("Ben", pressed, f"{FOLLOW_UP_ACTION}_0")
    whispers = strict.workspace.received
    strict.workspace.wait_until(lambda: bool(whispers("chat.postEphemeral")), what="a whisper")
    assert (
        whispers("chat.postEphemeral")[-1]
        .arguments["text"]
        .startswith("You have asked as many questions")
    )
    assert "110 EUR" in said(strict, strict.ask(HOTEL, user="Alice"))
    assert sum(len(strict.answers(message)) for message in beyond) == 1


def test_when_the_budget_is_used_up_answers_are_quoted_and_nothing_is_explained(
    strict: Running,
) -> None:
    first = strict.reply(strict.ask(HOTEL, user="Chloe"))
    assert SAY(f"note-{Note.BUDGET}") not in first.plain()
    second = said(strict, strict.ask("How many days of leave do I get?", user="Chloe"))
    assert SAY(f"note-{Note.BUDGET}") in second
    strict.workspace.click("Chloe", first, EXPLAIN_ACTION)
    explanation = strict.workspace.wait_for_reply(first, settled=is_final).plain()
    assert no_explanation(SAY, NoExplanation.BUDGET) in explanation


def test_a_forgotten_conversation_is_gone_from_slack_and_from_every_file(strict: Running) -> None:
    asked = strict.ask(f"Who feeds the {MARKER} in the harbour?", user="Dev")
    strict.reply(asked)
    (mine,) = history.conversations_of(strict.database, TEAM_ID, "U0DEV")
    (turn_id,) = erasure.forget(strict.database, mine.thread_id, "U0DEV").turns

    strict.workspace.wait_until(lambda: strict.answers(asked) == [], what="our messages to go")
    strict.workspace.wait_until(lambda: _is_taken_back(strict, turn_id), what="the end of it")
    assert strict.database.leave_no_trace(wait_s=10)
    assert [
        file.name for file in _files(strict.stack.folder) if MARKER.encode() in file.read_bytes()
    ] == []


def _is_taken_back(running: Running, turn_id: str) -> bool:
    turn = turn_store.load(running.database, turn_id)
    return turn is not None and turn.delivered


def _files(folder: Path) -> list[Path]:
    """Everything that the product has written: data, queue, vectors, logs; no stand-in's files."""
    return [
        file
        for file in folder.rglob("*")
        if file.is_file() and not file.name.startswith(("slack", "llm", "confluence"))
    ]
