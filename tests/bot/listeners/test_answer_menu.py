"""Votes and their reasons, the menu of an answer, the shortcut, and the suggested prompts."""

from __future__ import annotations

import json

import pytest
from counted_votes import votes
from desk import Desk, answer, confirm, record
from sqlmodel import col, delete, select

from bot.listeners.explain_shortcut import EXPLAIN_SHORTCUT
from bot.listeners.feedback import WHY_ACTION
from bot.views.answer_blocks import FEEDBACK_ACTION
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.feedback_forms import TEXT, WHAT
from core.language.sentences import sentences
from core.models import Evidence, Hit, Kind, Page, Record
from core.policy import people
from core.policy.acl import OPEN_ID
from core.policy.people import Standing
from core.states import DetailKind, Vote
from core.storage.access_tables import ConfirmationRow
from core.storage.index_tables import EvidenceRow, PageRow
from core.storage.tables import FeedbackHistoryRow, FeedbackRow
from core.turns import detail_requests, explanations, turn_store
from core.turns.sources import source_reports
from core.turns.turn import Turn
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")

LENA = "U0LENA"  # her Slack is German
ALICE, BEN, CHLOE = "U0ALICE", "U0BEN", "U0CHLOE"  # of whom Alice is an admin


@pytest.fixture
def desk(desk: Desk) -> Desk:
    with desk.database.session() as session:
        session.exec(delete(EvidenceRow))
        session.exec(delete(PageRow))
        session.exec(delete(ConfirmationRow))
    return desk


@pytest.fixture
def answered(desk: Desk) -> Message:
    """An answer to Ben that stands in its thread."""
    return answer(desk, desk.workspace.say("ben", "general", "who is on call?"))


def sourced() -> Record:
    """An answer whose first source stands on an indexed page."""
    page = Page(id="1", space="OPS", title="On-call guide", url="https://wiki.example/on-call")
    made = record()
    first, second = made.answer.sources
    sources = (
        first.model_copy(update={"evidence_ids": ("1-a",)}),
        second.model_copy(update={"evidence_ids": ("2-a",)}),
    )
    pieces = (Evidence(id=f"{n}-a", page_id=n, kind=Kind.PASSAGE, text="Ben.") for n in ("1", "2"))
    hits = tuple(
        Hit(evidence=piece, page=page.model_copy(update={"id": piece.page_id})) for piece in pieces
    )
    return made.model_copy(
        update={"hits": hits, "answer": made.answer.model_copy(update={"sources": sources})}
    )


def index(
    desk: Desk, page_id: str, space: str, title: str, heading: str, *, acl_id: str = OPEN_ID
) -> None:
    page = Page(id=page_id, space=space, title=title, url=f"https://wiki.example/{page_id}")
    piece = Evidence(
        id=f"{page_id}-x", page_id=page_id, kind=Kind.PASSAGE, text="…", heading_path=(heading,)
    )
    row = PageRow(
        id=page_id, space=space, title=title, record=page.model_dump(mode="json"), acl_id=acl_id
    )
    with desk.database.session() as session:
        session.add(row)
        session.flush()
        session.merge(
            EvidenceRow(
                id=piece.id,
                page_id=page_id,
                acl_id=acl_id,
                record=piece.model_dump(mode="json"),
                text_hash=page_id,
            )
        )


def vote(desk: Desk, user: str, message: Message, which: str) -> None:
    desk.workspace.click(user, message, FEEDBACK_ACTION, f"{which}:{desk.turn(message).id}")
    desk.settle()


def choose(desk: Desk, user: str, message: Message, choice: str) -> None:
    desk.workspace.click(user, message, MORE_ACTION, f"{choice}:{desk.turn(message).id}")
    desk.settle()


def opened(desk: Desk, user: str) -> str:
    """The id of the modal that this person looks at."""
    return str(desk.workspace.views(user)[-1]["id"])


def send(desk: Desk, user: str, chosen: list[str], text: str) -> None:
    """Send the open modal off."""
    desk.workspace.submit(
        user, opened(desk, f"U0{user.upper()}"), {WHAT: {WHAT: chosen}, TEXT: {TEXT: text}}
    )
    desk.settle()


def cast(desk: Desk, turn: Turn, user: str) -> FeedbackRow | None:
    with desk.database.reading() as session:
        return session.get(FeedbackRow, (turn.id, user))


def history(desk: Desk, turn: Turn) -> list[tuple[str, str]]:
    with desk.database.reading() as session:
        rows = session.exec(
            select(FeedbackHistoryRow)
            .where(FeedbackHistoryRow.turn_id == turn.id)
            .order_by(col(FeedbackHistoryRow.at))
        ).all()
    return [(row.vote, row.reason) for row in rows]


def test_a_vote_toggled_five_times_ends_as_it_was_cast_last_with_its_history(
    desk: Desk, answered: Message
) -> None:
    turn = desk.turn(answered)
    for which in ("up", "down", "up", "down", "up"):
        vote(desk, "chloe", answered, which)

    assert votes(desk.database, turn.id) == {CHLOE: Vote.UP}
    assert [each for each, _ in history(desk, turn)] == ["up", "down", "up", "down", "up"]
    assert {user for user in (ALICE, BEN, CHLOE) if desk.ephemeral_messages(user)} == {
        CHLOE
    }  # nobody else hears of it


def test_a_vote_against_opens_a_modal_at_once_and_counts_when_that_is_closed(
    desk: Desk, answered: Message
) -> None:
    vote(desk, "chloe", answered, "down")
    assert desk.workspace.modal(CHLOE).startswith(SAY("why-title"))
    desk.workspace.close_modal(opened(desk, CHLOE))
    assert votes(desk.database, desk.turn(answered).id) == {CHLOE: Vote.DOWN}
    assert desk.ephemeral_messages(CHLOE) == [SAY("thanks")]


def test_a_vote_for_an_answer_opens_nothing(desk: Desk, answered: Message) -> None:
    vote(desk, "chloe", answered, "up")
    assert desk.workspace.views(CHLOE) == []


def test_the_reason_is_saved_with_the_vote(desk: Desk, answered: Message) -> None:
    turn = desk.turn(answered)
    vote(desk, "chloe", answered, "down")
    send(desk, "chloe", ["outdated", "wrong source"], "It is Ines now.")

    saved = cast(desk, turn, CHLOE)
    assert saved is not None
    assert (saved.vote, saved.by, saved.reason) == (
        "down",
        "button",
        "outdated, wrong source: It is Ines now.",
    )
    assert history(desk, turn) == [("down", ""), ("down", saved.reason)]
    assert desk.workspace.views(CHLOE) == []


def test_a_modal_sent_off_empty_changes_nothing(desk: Desk, answered: Message) -> None:
    vote(desk, "chloe", answered, "down")
    desk.workspace.submit("chloe", opened(desk, CHLOE), {})
    assert history(desk, desk.turn(answered)) == [("down", "")]


def test_a_reason_that_comes_after_another_vote_does_not_turn_it_back(
    desk: Desk, answered: Message
) -> None:
    turn = desk.turn(answered)
    vote(desk, "chloe", answered, "down")
    desk.workspace.react("chloe", answered, "+1")
    desk.settle()
    send(desk, "chloe", ["wrong"], "")
    assert votes(desk.database, turn.id) == {CHLOE: Vote.UP}


def test_whoever_votes_by_a_reaction_is_offered_to_say_why(desk: Desk, answered: Message) -> None:
    turn = desk.turn(answered)
    desk.workspace.react("chloe", answered, "-1")
    desk.settle()
    thanks = [m for m in desk.workspace.messages(answered.channel) if m.ephemeral_for == CHLOE]
    assert [m.plain().splitlines()[0] for m in thanks] == [SAY("thanks")]

    desk.workspace.click("chloe", thanks[0], WHY_ACTION)
    desk.settle()
    send(desk, "chloe", ["not understood"], "")
    saved = cast(desk, turn, CHLOE)
    assert saved is not None
    assert (saved.vote, saved.by, saved.reason) == ("down", "reaction", "not understood")


def test_when_slack_does_not_open_the_modal_the_vote_counts_and_a_button_offers_it(
    desk: Desk, answered: Message
) -> None:
    desk.workspace.fault("views.open", error="expired_trigger_id")
    vote(desk, "chloe", answered, "down")
    assert votes(desk.database, desk.turn(answered).id) == {CHLOE: Vote.DOWN}
    (thanks,) = [m for m in desk.workspace.messages(answered.channel) if m.ephemeral_for == CHLOE]
    assert thanks.has_button(WHY_ACTION)


def test_the_menu_shows_each_source_with_a_line_of_what_it_says(desk: Desk) -> None:
    index(desk, "1", "OPS", "On-call guide", "Nights")
    confirm(desk.database, "1", "2")
    message = answer(desk, desk.workspace.say("ben", "general", "who is on call?"), sourced())
    choose(desk, "chloe", message, "sources")
    view_id = opened(desk, CHLOE)
    request = detail_requests.load(desk.database, view_id)
    assert request is not None
    assert request.what is DetailKind.SOURCES
    detail_requests.decide(desk.database, view_id, may_see=True, audience="")
    desk.speaker.details.show(view_id)
    shown = json.dumps(desk.workspace.views(CHLOE)[-1]["blocks"])
    assert shown.count("Ben.") == len(sourced().answer.sources)


def test_a_wrong_source_is_reported_with_the_evidence_behind_it(desk: Desk) -> None:
    index(desk, "1", "OPS", "On-call guide", "Who is on call")
    confirm(desk.database, "1", "2")
    message = answer(desk, desk.workspace.say("ben", "general", "who is on call?"), sourced())
    choose(desk, "chloe", message, "report")
    assert SAY("details-loading") in desk.workspace.modal(CHLOE)
    view_id = opened(desk, CHLOE)
    detail_requests.decide(desk.database, view_id, may_see=True, audience="")
    desk.speaker.details.show(view_id)
    boxes = desk.workspace.views(CHLOE)[-1]["blocks"][0]["element"]["options"]
    # The page of the second is not there any more: nothing is told of it but the number.
    assert [box["text"]["text"] for box in boxes] == ["[1] On-call guide › Who is on call", "[2]"]
    send(desk, "chloe", ["2"], "That is last year's.")

    (report,) = source_reports.of_turn(desk.database, desk.turn(message).id)
    assert (report.user, report.numbers, report.evidence_ids, report.text) == (
        CHLOE,
        (2,),
        ("2-a",),
        "That is last year's.",
    )
    assert desk.ephemeral_messages(CHLOE) == [SAY("thanks")]


def test_behind_the_scenes_opens_the_details_without_an_explanation(
    desk: Desk, answered: Message
) -> None:
    choose(desk, "chloe", answered, "behind")
    assert SAY("details-loading") in desk.workspace.modal(CHLOE)
    assert [task for task, _ in desk.queued("answer") + desk.queued("explain")] == ["worker.admit"]


@pytest.mark.parametrize("who", ["ben", "alice"])
def test_who_asked_and_an_admin_may_delete_an_answer(
    desk: Desk, answered: Message, who: str
) -> None:
    turn = desk.turn(answered)
    choose(desk, who, answered, "delete")
    assert SAY("delete-title") in desk.workspace.modal(f"U0{who.upper()}")
    desk.workspace.submit(who, opened(desk, f"U0{who.upper()}"), {})
    desk.settle()

    assert ("bot.take_back", turn.id) in desk.queued("speak")
    desk.speaker.deletion.delete_turn(turn.id)
    assert [m for m in desk.workspace.thread(answered.channel, answered.root_ts) if m.bot] == []
    gone = turn_store.load(desk.database, turn.id)
    assert gone is not None
    assert (gone.state, gone.question, gone.record) == ("forgotten", "", None)


def test_nobody_else_may_delete_it(desk: Desk, answered: Message) -> None:
    choose(desk, "chloe", answered, "delete")
    assert SAY("delete-refused", user=BEN).partition("<")[0] in desk.workspace.modal(CHLOE)
    assert "submit" not in desk.workspace.views(CHLOE)[-1]
    assert desk.turn(answered).record is not None


def test_whoever_is_no_admin_any_more_when_it_is_confirmed_may_not_delete_it(
    desk: Desk, answered: Message
) -> None:
    choose(desk, "alice", answered, "delete")
    people.remember(desk.database, TEAM_ID, ALICE, standing=Standing.MEMBER)
    said = desk.workspace.submit("alice", opened(desk, ALICE), {})
    people.remember(desk.database, TEAM_ID, ALICE, standing=Standing.MEMBER, is_admin=True)
    assert said["response_action"] == "update"
    assert desk.turn(answered).record is not None


@pytest.mark.parametrize("choice", list(Choice))
def test_what_was_asked_in_private_is_nobody_elses(desk: Desk, choice: str) -> None:
    message = desk.workspace.direct("ben", "who is on call?")
    desk.settle()
    turn = desk.turn(message)
    turn_store.answer(desk.database, turn.id, record())
    desk.speaker.answers.deliver(turn.id)
    reply = desk.workspace.wait_for_reply(message, settled=lambda m: bool(m.blocks))
    choose(desk, "alice", reply, choice)
    assert desk.workspace.views(ALICE) == []
    assert desk.ephemeral_messages(ALICE) == [SAY("answer-unknown")]


def test_the_shortcut_explains_one_of_our_answers(desk: Desk, answered: Message) -> None:
    desk.workspace.shortcut("chloe", answered, EXPLAIN_SHORTCUT)
    desk.settle()
    request = explanations.load(desk.database, desk.turn(answered).id)
    assert request is not None
    assert request.requested_by == CHLOE
    assert desk.queued("explain") == [("worker.explain", desk.turn(answered).id)]


def test_on_any_other_message_the_shortcut_says_a_friendly_word(desk: Desk) -> None:
    lunch = desk.workspace.say("ben", "general", "lunch?")
    desk.workspace.shortcut("chloe", lunch, EXPLAIN_SHORTCUT)
    desk.settle()
    assert "none of my answers" in desk.workspace.modal(CHLOE)
    assert desk.queued("explain") == []


def test_prompts_are_asked_for_once_and_set_when_their_pages_are_confirmed(desk: Desk) -> None:
    index(desk, "1", "OPS", "On-call guide", "Who is on call <!channel>")
    index(desk, "2", "HR", "Salary bands", "L2", acl_id="some")
    channel = desk.workspace.open_direct("alice")
    desk.settle()
    desk.workspace.open_direct("alice")
    desk.settle()
    assert desk.queued("answer") == [("worker.confirm_examples", "bot.suggest_prompts")]
    desk.speaker.prompts.suggest(TEAM_ID, ALICE, channel)
    assert desk.workspace.received("assistant.threads.setSuggestedPrompts") == []
    confirm(desk.database, "1", "2")
    desk.speaker.prompts.suggest(TEAM_ID, ALICE, channel)
    calls = desk.workspace.received("assistant.threads.setSuggestedPrompts")
    assert len(calls) == 1
    assert "thread_ts" not in calls[0].arguments
    assert desk.workspace.state()["prompts"][channel]["prompts"] == [
        {
            "title": "What does “On-call guide” say about “Who is on call ‹!channel>”?",
            "message": "What does “On-call guide” say about “Who is on call ‹!channel>”?",
        }
    ]


def test_prompts_are_in_the_language_of_whoever_opens_the_messages(desk: Desk) -> None:
    index(desk, "1", "OPS", "On-call guide", "Who is on call")
    channel = desk.workspace.open_direct("lena")
    desk.settle()
    confirm(desk.database, "1")
    desk.speaker.prompts.suggest(TEAM_ID, LENA, channel)
    shown = desk.workspace.state()["prompts"][channel]
    assert shown["title"] == sentences("de")("prompts")
    assert shown["prompts"][0]["message"].startswith("Was sagt „On-call guide“")


def test_the_first_vote_of_somebody_is_thanked_for_in_their_language(
    desk: Desk, answered: Message
) -> None:
    desk.workspace.react("lena", answered, "-1")
    desk.settle()
    told = json.dumps(desk.workspace.received("chat.postEphemeral")[-1].arguments)
    assert sentences("de")("thanks") in told
    assert sentences("de")("button-why") in told


def test_a_workspace_that_does_not_know_prompts_is_asked_once(desk: Desk) -> None:
    index(desk, "1", "OPS", "On-call guide", "Who is on call")
    desk.workspace.fault("assistant.threads.setSuggestedPrompts", error="unknown_method")
    confirm(desk.database, "1")
    for user in (ALICE, BEN, CHLOE):
        desk.speaker.prompts.suggest(TEAM_ID, user, f"D0{user}")
    assert len(desk.workspace.received("assistant.threads.setSuggestedPrompts")) == 1
