"""What people see of an explanation: real Redis and SQL, and the stand-in for Slack."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from desk import Speaker, a_speaker, explanation, meanwhile, said, settings
from matplotlib.figure import Figure
from sqlmodel import Session

from bot.delivery import explanation_delivery
from bot.slack_api.errors import UPLOAD_REFUSED
from bot.views import explanation_blocks, explanation_text
from bot.views.reasons import no_explanation
from core.jobs.progress_events import Event, EventKind, explain_channel
from core.language.sentences import sentences
from core.states import NoExplanation
from core.storage.tables import ExplanationRow
from core.turns import explanations
from core.turns.turn import Turn
from sandbox.slack.client import Message, Workspace

SAY = sentences("en")

UPLOADS = ("files.getUploadURLExternal", "files.completeUploadExternal")


def picture() -> bytes:
    out = io.BytesIO()
    Figure(figsize=(1, 1)).savefig(out, format="png")
    return out.getvalue()


@pytest.fixture
def illustrated(speaker: Speaker, done: Turn) -> Turn:
    """A turn that a worker has explained, with a chart."""
    explanations.request(speaker.database, done.id, "U0BEN")
    explanations.save(speaker.database, explanation(done.id), picture())
    return done


def images(message: Message) -> list[str]:
    return [block["alt_text"] for block in message.blocks if block["type"] == "image"]


def row(session: Session, turn: Turn) -> ExplanationRow:
    return session.get_one(ExplanationRow, turn.id)


def test_an_explanation_shows_how_far_it_is_and_then_its_result_in_a_message_of_its_own(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    speaker.answers.deliver(done.id)
    explanations.request(speaker.database, done.id, "U0BEN")
    speaking = meanwhile(lambda: speaker.explanations.deliver(done.id))
    workspace.wait_until(lambda: len(said(workspace, question)) == 2)
    speaker.events.publish(explain_channel(done.id), Event(EventKind.COUNT, done=3, total=12))
    workspace.wait_until(
        lambda: said(workspace, question)[1].text == f"{SAY('explaining')} 3 of about 12 answers"
    )
    assert said(workspace, question)[1].has_button(explanation_blocks.STOP_ACTION)
    speaker.events.publish(explain_channel(done.id), Event(EventKind.COUNT, done=8, total=12))
    workspace.wait_until(
        lambda: "8 of about 12 answers, about " in said(workspace, question)[1].text
    )
    explanations.save(speaker.database, explanation(done.id))
    speaker.events.publish(explain_channel(done.id), Event(EventKind.DONE))
    speaking.join()

    answer, shown = said(workspace, question)
    assert answer.text.startswith("Ben is on call")
    assert "On-call guide" in shown.blocks[0]["text"]["text"]
    assert shown.text.startswith("This answer comes from [1]")
    assert not shown.has_button(explanation_blocks.STOP_ACTION)
    speaker.explanations.deliver(done.id)
    assert len(said(workspace, question)) == 2


def test_a_turn_that_is_not_known_has_no_explanation_and_is_no_error(
    workspace: Workspace, speaker: Speaker
) -> None:
    speaker.explanations.deliver("no-such-turn")
    assert workspace.received("chat.postMessage") == []


@pytest.mark.parametrize(
    ("key", "again"),
    [
        (NoExplanation.MODEL_DOWN, True),
        (NoExplanation.GAVE_UP, True),
        (NoExplanation.STOPPED, True),
        (NoExplanation.NO_SCORES, False),
        (NoExplanation.CLOSED, False),
        (NoExplanation.BUDGET, False),
        (NoExplanation.FORGOTTEN, False),
        (NoExplanation.NOTHING_TO_EXPLAIN, False),
    ],
)
def test_an_explanation_that_failed_is_told_its_reason_and_may_be_tried_again_where_that_may_help(
    workspace: Workspace,
    speaker: Speaker,
    question: Message,
    done: Turn,
    key: NoExplanation,
    again: bool,
) -> None:
    explanations.request(speaker.database, done.id, "U0BEN")
    explanations.fail(speaker.database, done.id, key)
    speaker.explanations.deliver(done.id)
    (shown,) = said(workspace, question)
    assert shown.blocks[0]["text"]["text"] == no_explanation(SAY, key)
    assert shown.has_button("explain") is again


def test_an_explanation_that_is_tried_again_comes_into_the_same_message(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    explanations.request(speaker.database, done.id, "U0BEN")
    explanations.fail(speaker.database, done.id, NoExplanation.MODEL_DOWN)
    speaker.explanations.deliver(done.id)
    assert explanations.request(speaker.database, done.id, "U0ALICE")
    speaking = meanwhile(lambda: speaker.explanations.deliver(done.id))
    workspace.wait_until(
        lambda: said(workspace, question)[0].has_button(explanation_blocks.STOP_ACTION),
        what="progress in the old message",
    )
    explanations.save(speaker.database, explanation(done.id))
    speaking.join()
    (shown,) = said(workspace, question)
    assert shown.text.startswith("This answer comes from [1]")


def test_an_explanation_that_takes_too_long_is_closed_with_a_reason(
    workspace: Workspace, speaker: Speaker, question: Message, done: Turn
) -> None:
    explanations.request(speaker.database, done.id, "U0BEN")
    with speaker.database.session() as session:
        row(session, done).requested_at -= 2 * explanation_delivery.PATIENCE_S
    speaker.explanations.deliver(done.id)

    request = explanations.load(speaker.database, done.id)
    assert request is not None
    assert (request.state, request.delivered, len(said(workspace, question))) == ("failed", True, 1)


def test_an_explanation_for_a_place_that_is_gone_is_given_up(
    workspace: Workspace, speaker: Speaker, illustrated: Turn
) -> None:
    workspace.fault("chat.postMessage", error="is_archived")
    speaker.explanations.deliver(illustrated.id)
    with speaker.database.reading() as session:
        assert row(session, illustrated).delivered_at is not None


def test_the_chart_is_shown_in_the_message_once_slack_has_looked_at_the_file(
    workspace: Workspace, speaker: Speaker, question: Message, illustrated: Turn
) -> None:
    speaker.explanations.deliver(illustrated.id)
    (shown,) = said(workspace, question)
    assert images(shown) == [explanation_text.alt_text(SAY, explanation(illustrated.id))]
    updates = [
        call for call in workspace.received("chat.update") if "slack_file" in str(call.arguments)
    ]
    assert [call.error for call in updates] == ["invalid_blocks"] * (len(updates) - 1) + [""]
    assert all(
        "channel" not in str(call.arguments) for call in workspace.received(UPLOADS[1])
    )  # a file shared nowhere


@pytest.mark.parametrize(
    "error", ["missing_scope", "file_uploads_disabled", "not_allowed_token_type"]
)
def test_where_files_may_not_be_uploaded_the_message_comes_without_and_nobody_tries_again(
    workspace: Workspace, speaker: Speaker, question: Message, illustrated: Turn, error: str
) -> None:
    assert error in UPLOAD_REFUSED
    workspace.fault(UPLOADS[0], error=error)
    speaker.explanations.deliver(illustrated.id)
    again(speaker, illustrated)
    (shown,) = said(workspace, question)
    assert images(shown) == []
    assert shown.text.startswith("This answer comes from [1]")
    assert len(workspace.received(UPLOADS[0])) == 1


def again(speaker: Speaker, turn: Turn) -> None:
    """A second delivery, whose predecessor died before it saved that all was posted."""
    with speaker.database.session() as session:
        row(session, turn).delivered_at = None
    speaker.explanations.deliver(turn.id)


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("upload", {"status": 500}),
        (UPLOADS[0], {"error": "fatal_error"}),
        (UPLOADS[1], {"error": "file_update_failed"}),
        (UPLOADS[1], {"status": 500, "times": 9}),
    ],
)
def test_an_upload_that_fails_costs_the_chart_and_nothing_else(
    workspace: Workspace,
    speaker: Speaker,
    question: Message,
    illustrated: Turn,
    method: str,
    fault: dict[str, Any],
) -> None:
    workspace.fault(method, **fault)
    speaker.explanations.deliver(illustrated.id)
    (shown,) = said(workspace, question)
    assert images(shown) == []
    request = explanations.load(speaker.database, illustrated.id)
    assert request is not None
    assert request.delivered
    again(speaker, illustrated)
    if fault.get("times", 1) == 1:
        assert len(images(said(workspace, question)[0])) == 1


def test_a_delivery_that_is_repeated_after_the_upload_leaves_one_message_with_one_chart(
    workspace: Workspace, speaker: Speaker, question: Message, illustrated: Turn
) -> None:
    for _ in range(2):
        again(speaker, illustrated)
    (shown,) = said(workspace, question)
    assert len(images(shown)) == 1


def test_no_chart_is_uploaded_where_none_is_wanted(
    tmp_path: Path, workspace: Workspace, speaker: Speaker, question: Message, illustrated: Turn
) -> None:
    without = a_speaker(
        settings(tmp_path, workspace.url, speaker.settings.redis_url, explain_picture=False),
        speaker.database,
    )
    without.explanations.deliver(illustrated.id)
    assert images(said(workspace, question)[0]) == []
    assert workspace.received(UPLOADS[0]) == []
