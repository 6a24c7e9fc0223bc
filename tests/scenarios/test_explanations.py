"""Explanations with real processes: every way to ask for them, failures, and their details."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlmodel import select

from bot.views.answer_blocks import EXPLAIN_ACTION
from bot.views.explanation_blocks import DETAILS_ACTION, STOP_ACTION
from bot.views.reasons import no_explanation
from core.language.sentences import sentences
from core.states import NoExplanation
from core.storage.tables import TurnRow
from core.turns import explanations
from core.turns.explanations import Request
from sandbox.slack.client import Message, NothingCame
from scenarios.conftest import PATIENCE_S, Running, is_final

SAY = sentences("en")

QUESTION = "How much may a hotel in Porto cost per night?"
ALICE, BEN = "U0ALICE", "U0BEN"


@pytest.fixture(autouse=True)
def a_good_model(asking: Running) -> Iterator[None]:
    assert asking.model
    asking.model.reset()
    yield
    asking.model.reset()


def slow_after_some(asking: Running) -> None:
    """Let a first round of calls end, and the rest take so long that progress is seen on the way.

    A second for each was over in three rounds, sooner than a loaded machine showed any.
    """
    assert asking.model
    asking.model.fault(delay_s=1, times=8)
    asking.model.fault(delay_s=10, times=1000)


def calls(asking: Running) -> int:
    assert asking.model
    return len(asking.model.received())


def request(asking: Running, asked: Message) -> Request:
    with asking.database.reading() as session:
        turn = session.exec(select(TurnRow).where(TurnRow.ts == asked.ts)).one()
    found = explanations.load(asking.database, turn.id)
    assert found is not None
    return found


def answer(asking: Running, question: str = QUESTION) -> tuple[Message, Message]:
    """A question, and the answer as soon as it can be explained."""
    asked = asking.ask(question)
    is_explained = lambda m: is_final(m) and m.has_button(EXPLAIN_ACTION)  # noqa: E731
    return asked, asking.workspace.wait_for_reply(asked, PATIENCE_S, settled=is_explained)


def under_way(asking: Running, answered: Message) -> Message:
    """The message of an explanation that is being made."""
    asking.workspace.click("Alice", answered, EXPLAIN_ACTION)
    shown = asking.workspace.wait_for_reply(answered, settled=lambda m: m.has_button(STOP_ACTION))
    asking.workspace.wait_until(
        lambda: "of about" in asking.workspace.message(shown).text, what="progress"
    )
    return shown


def finished(asking: Running, shown: Message) -> Message:
    """The same message when it is final."""
    asking.workspace.wait_until(
        lambda: is_final(asking.workspace.message(shown)), PATIENCE_S, "the final message"
    )
    return asking.workspace.message(shown)


def with_chart(asking: Running, shown: Message) -> Message:
    asking.workspace.wait_until(
        lambda: "[image:" in asking.workspace.message(shown).plain(), what="the chart"
    )
    return asking.workspace.message(shown)


def details(asking: Running, user: str, shown: Message) -> str:
    """The text of the modal once a worker has decided; it is closed again."""
    asking.workspace.click(user, shown, DETAILS_ACTION)
    who = {"Alice": ALICE, "Ben": BEN}[user]
    text = asking.workspace.wait_for_modal(
        who, lambda text: bool(text) and SAY("details-loading") not in text
    )
    asking.workspace.close_modal(asking.workspace.views(who)[-1]["id"])
    return text


def test_an_explanation_by_button_has_verdicts_a_chart_and_details_for_all_readers_of_the_pages(
    asking: Running,
) -> None:
    asked, answered = answer(asking)
    asking.workspace.click("Alice", answered, EXPLAIN_ACTION)
    shown = with_chart(asking, asking.reply(answered))
    text = shown.plain()
    assert "This answer comes from [1] Travel policy" in text
    assert "In a test without [1] I said: " in text
    assert "test answers. What is named here rarely" in text
    assert "[image: Picture" in text
    assert len(asking.answers(asked)) == 2

    seen = details(asking, "Ben", shown)
    assert SAY("trace-title") in seen
    assert "Travel policy" in seen
    assert "tries without it" in seen
    assert "sandbox-toy" in seen
    assert "110 EUR" in seen


def test_two_who_react_at_the_same_time_get_one_explanation_computed_once(asking: Running) -> None:
    assert asking.model
    asked, answered = answer(asking)
    asking.model.fault(delay_s=0.3, times=1000)
    before = calls(asking)
    asking.workspace.react("Ben", answered, "mag")
    asking.workspace.react("Chloe", answered, "question")
    asking.workspace.click("Dev", answered, EXPLAIN_ACTION)
    asking.reply(answered)
    result = request(asking, asked).result
    assert result is not None
    assert calls(asking) - before == result.usage.calls
    assert len(asking.answers(asked)) == 2


def test_an_explanation_with_the_model_down_says_why_and_works_when_it_is_tried_again(
    asking: Running,
) -> None:
    assert asking.model
    asked, answered = answer(asking)
    asking.model.fault(status=503, times=1000)
    asking.workspace.click("Alice", answered, EXPLAIN_ACTION)
    failed = asking.reply(answered)
    assert "language model that made it does not answer" in failed.plain()
    asking.model.reset()
    asking.workspace.click("Ben", failed, EXPLAIN_ACTION)
    asking.workspace.wait_until(
        lambda: "comes from [1]" in asking.workspace.message(failed).plain(),
        PATIENCE_S,
        "the retry",
    )
    assert len(asking.answers(asked)) == 2


def test_an_explanation_is_stopped_by_whoever_asked_for_it_and_the_model_is_left_alone(
    asking: Running,
) -> None:
    asked, answered = answer(asking)
    slow_after_some(asking)
    shown = under_way(asking, answered)
    asking.workspace.click("Ben", shown, STOP_ACTION)
    asking.workspace.wait_until(
        lambda: any(
            SAY("explain-stop-refused", user=ALICE) == c.arguments["text"]
            for c in asking.workspace.received("chat.postEphemeral")
        ),
        what="a word to Ben",
    )
    asking.workspace.click("Alice", shown, STOP_ACTION)
    ended = finished(asking, shown)
    assert no_explanation(SAY, NoExplanation.STOPPED) in ended.plain()
    assert ended.has_button(EXPLAIN_ACTION)
    asking.workspace.wait_until(lambda: _is_quiet(asking), what="the model to be left alone")
    assert request(asking, asked).reason == "stopped"
    assert len(asking.answers(asked)) == 2


def _is_quiet(asking: Running) -> bool:
    """Whether nobody asks the model for two seconds."""
    before = calls(asking)
    try:
        asking.workspace.wait_until(lambda: calls(asking) > before, 2)
    except NothingCame:
        return True
    return False


def test_an_explainer_killed_midway_finishes_the_same_message_and_pays_for_no_finished_call_twice(
    asking: Running,
) -> None:
    asked, answered = answer(asking)
    slow_after_some(asking)
    shown = under_way(asking, answered)
    asking.stack.kill("explainer")
    kept = len(explanations.calls(asking.database, request(asking, asked).turn_id))
    assert kept > 0
    assert asking.model
    asking.model.reset()
    asking.stack.restart("explainer")
    assert "comes from [1]" in finished(asking, shown).plain()
    assert len(asking.answers(asked)) == 2
    result = request(asking, asked).result
    assert result is not None
    assert calls(asking) == result.usage.calls - kept


def test_a_speaker_killed_while_it_waits_finishes_the_same_message(asking: Running) -> None:
    asked, answered = answer(asking)
    slow_after_some(asking)
    shown = under_way(asking, answered)
    asking.stack.kill("speaker")
    assert asking.model
    asking.model.reset()
    asking.stack.restart("speaker")
    assert "[image: Picture" in with_chart(asking, finished(asking, shown)).plain()
    assert len(asking.answers(asked)) == 2


def test_what_was_made_from_a_page_that_is_gone_is_neither_explained_nor_shown(
    asking: Running,
) -> None:
    page = asking.site.create("HR", "Bicycles", "<p>The cellar has room for 31 bicycles.</p>")
    asking.sync()
    question = "How many bicycles does the cellar have room for?"
    _, first = answer(asking, question)
    asking.workspace.click("Alice", first, EXPLAIN_ACTION)
    explained = finished(asking, asking.reply(first))
    assert "31" in details(asking, "Ben", explained)
    asked, second = answer(asking, question)
    asking.site.trash(page["id"])
    asking.sync()

    blanked = asking.workspace.wait_for_reply(
        asked, PATIENCE_S, settled=lambda message: SAY("reason-closed") in message.plain()
    )
    assert (blanked.ts, blanked.has_button(EXPLAIN_ACTION)) == (second.ts, False)
    closed = asking.workspace.wait_for_reply(
        first,
        PATIENCE_S,
        settled=lambda message: no_explanation(SAY, NoExplanation.CLOSED) in message.plain(),
    )
    assert (closed.ts, closed.has_button(DETAILS_ACTION)) == (explained.ts, False)
    assert "31 bicycles" not in str(asking.workspace.thread(first.channel, first.root_ts))
