"""The weekly digest in Slack: posted at most once, pressed by whom it is for, without old words."""

from __future__ import annotations

import pytest
from desk import Desk, asked, confirm, record
from sqlmodel import delete

from bot.views.block_kit import actions, button
from bot.views.unasked.digest import FIXED_ACTION, STOP_ACTION
from core.digest import digests
from core.digest.digest import Digest
from core.digest.digests import NewGap
from core.jobs.afterwards import PutOff, put_off
from core.language.sentences import sentences
from core.models import Note, Page
from core.pages import CONFLUENCE, PageKey
from core.policy import preferences
from core.policy.acl import OPEN_ID
from core.storage import clock
from core.storage.access_tables import ConfirmationRow, LinkedAccountRow
from core.storage.index_tables import PageRow
from core.storage.loop_tables import DigestRow, FixRow
from core.storage.people_tables import PreferencesRow
from core.turns import erasure, turn_store
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")
CHLOE, BEN = "U0CHLOE", "U0BEN"
OPERATORS = "C0HR"
OWNER = "user:owner-of-the-guide"
GUIDE = PageKey(CONFLUENCE, "1")
FORGOTTEN = (FixRow, DigestRow, PageRow, ConfirmationRow, LinkedAccountRow, PreferencesRow)


@pytest.fixture(scope="module")
def more_settings() -> dict[str, str]:
    return {"GUESTS": "public", "EXTERNALS": "public"}


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Chloe owns the guide, which everybody may read."""
    page = Page(id="1", space="OPS", title="On-call guide", url="https://wiki.example/on-call")
    row = PageRow(
        id=page.id,
        space=page.space,
        title=page.title,
        record=page.model_dump(mode="json"),
        acl_id=OPEN_ID,
    )
    with desk.database.session() as session:
        for table in FORGOTTEN:
            session.exec(delete(table))
        session.add(row)
        session.add(LinkedAccountRow(team=TEAM_ID, user=CHLOE, account=OWNER))
    confirm(desk.database, "1")
    return desk


def unanswered(desk: Desk, text: str, channel: str = "general") -> Message:
    question = desk.workspace.say("ben", channel, text)
    turn = asked(desk.database, question, question=text)
    turn_store.answer(
        desk.database, turn.id, record("Nothing.", question=text, notes=(Note.NOT_FOUND,))
    )
    return question


def this_week() -> int:
    return int(clock.now())


def made(desk: Desk, *messages: Message, whom: str = OPERATORS) -> Digest:
    turns = tuple(desk.turn(each).id for each in messages)
    gap = NewGap(turns, people=0, asked=len(turns), near=(GUIDE,))
    loaded = digests.load(
        desk.database, digests.save(desk.database, TEAM_ID, whom, this_week(), [gap])
    )
    assert loaded
    return loaded


def deliver(desk: Desk, digest: Digest) -> None:
    put_off(desk.database, PutOff.DIGEST, team=TEAM_ID, once=digest.id, digest_id=digest.id)
    desk.speaker.afterwards.do(f"{PutOff.DIGEST}:{digest.id}")


def shown(desk: Desk, channel: str, digest: Digest) -> list[Message]:
    now = digests.load(desk.database, digest.id)
    return [each for each in desk.workspace.messages(channel) if now and each.ts == now.ts]


def press(desk: Desk, who: str, message: Message, action: str, value: str) -> None:
    desk.workspace.click(who, message, action, value)
    desk.settle()


def is_marked(desk: Desk, digest: Digest) -> bool:
    now = digests.load(desk.database, digest.id)
    return bool(now and now.gaps[0].fix)


def test_it_is_posted_once_however_often_it_is_delivered(desk: Desk) -> None:
    digest = made(desk, unanswered(desk, "Sauna?"))
    for _ in range(3):
        deliver(desk, digest)
    (message,) = shown(desk, OPERATORS, digest)
    assert "Sauna?" in str(message.blocks)
    assert "https://wiki.example/on-call" in str(message.blocks)


def test_a_page_that_nobody_has_confirmed_is_not_named(desk: Desk) -> None:
    digest = made(desk, unanswered(desk, "Sauna?"))
    with desk.database.session() as session:
        session.exec(delete(ConfirmationRow))
    deliver(desk, digest)
    (message,) = shown(desk, OPERATORS, digest)
    assert "On-call guide" not in str(message.blocks)
    assert "Sauna?" in str(message.blocks)


def test_what_was_asked_in_a_closed_channel_is_told_nowhere_else(desk: Desk) -> None:
    desk.workspace.make_private("engineering")
    closed = unanswered(desk, "Among few?", channel="engineering")
    digest = made(desk, closed, unanswered(desk, "Among all?"))
    deliver(desk, digest)
    (message,) = shown(desk, OPERATORS, digest)
    assert "Among all?" in str(message.blocks)
    assert "Among few?" not in str(message.blocks) + message.text
    only = made(desk, closed, whom=OWNER)
    deliver(desk, only)
    assert shown(desk, desk.workspace.open_direct("chloe"), only) == []


def test_an_owner_gets_it_in_private_until_they_say_no(desk: Desk) -> None:
    question = unanswered(desk, "Sauna?")
    digest = made(desk, question, whom=OWNER)
    deliver(desk, digest)
    direct = desk.workspace.open_direct("chloe")
    (message,) = shown(desk, direct, digest)
    press(desk, "chloe", message, STOP_ACTION, digest.id)
    assert preferences.load(desk.database, TEAM_ID, CHLOE).no_digest is True
    gap = NewGap((desk.turn(question).id,), people=0, asked=1)
    week = this_week() + 7 * 86_400
    next_one = digests.load(desk.database, digests.save(desk.database, TEAM_ID, OWNER, week, [gap]))
    assert next_one
    deliver(desk, next_one)
    assert shown(desk, direct, next_one) == []


def test_members_call_a_gap_fixed_and_nobody_else_does(desk: Desk) -> None:
    digest = made(desk, unanswered(desk, "Sauna?"))
    deliver(desk, digest)
    (message,) = shown(desk, OPERATORS, digest)
    press(desk, "greta", message, FIXED_ACTION, f"{digest.id}:1")  # a guest
    assert not is_marked(desk, digest)
    press(desk, "ben", message, FIXED_ACTION, f"{digest.id}:1")
    assert is_marked(desk, digest)


def with_button(desk: Desk, action: str, value: str) -> Message:
    """Another message of the bot's with this button."""
    pressed = actions(button("Press", action, value))
    posted = desk.speaker.client.chat_postMessage(channel=OPERATORS, text="x", blocks=[pressed])
    found = desk.workspace.messages(OPERATORS)
    return next(each for each in found if each.ts == posted["ts"])


@pytest.mark.parametrize("value", ["1", "made-up:1", "{}:²", "{}:9", "{}:x", "{}:1"])
def test_an_id_opens_a_digest_only_where_it_stands(desk: Desk, value: str) -> None:
    of_owner = made(desk, unanswered(desk, "Sauna?"), whom=OWNER)
    deliver(desk, of_owner)
    given = value.format(of_owner.id)
    press(desk, "chloe", with_button(desk, FIXED_ACTION, given), FIXED_ACTION, given)
    stop = with_button(desk, STOP_ACTION, of_owner.id)
    press(desk, "chloe", stop, STOP_ACTION, of_owner.id)
    assert not is_marked(desk, of_owner)
    assert preferences.load(desk.database, TEAM_ID, CHLOE).no_digest is None


@pytest.mark.parametrize("number", ["0" * 30 + "1", "9" * 30])
def test_a_made_up_number_of_a_gap_is_answered_and_marks_nothing(desk: Desk, number: str) -> None:
    digest = made(desk, unanswered(desk, "Sauna?"))
    value = f"{digest.id}:{number}"
    message = with_button(desk, FIXED_ACTION, value)
    digests.save_place(desk.database, digest.id, OPERATORS, message.ts)
    press(desk, "ben", message, FIXED_ACTION, value)
    assert not is_marked(desk, digest)
    assert desk.ephemeral_messages(BEN) == [SAY("answer-unknown")]


def test_a_question_that_is_forgotten_leaves_the_message(desk: Desk) -> None:
    question = unanswered(desk, "Sauna?")
    digest = made(desk, question)
    deliver(desk, digest)
    erasure.forget_turn(desk.database, desk.turn(question).id, BEN)
    deliver(desk, digest)
    (message,) = shown(desk, OPERATORS, digest)
    assert "Sauna?" not in str(message.blocks) + message.text
    assert SAY("digest-nothing-left") in str(message.blocks)


def test_what_may_have_been_sent_by_somebody_who_died_is_not_sent_again(desk: Desk) -> None:
    digest = made(desk, unanswered(desk, "Sauna?"))
    assert digests.begin(desk.database, digest.id, "")
    before = len(desk.workspace.messages(OPERATORS))
    deliver(desk, digest)
    assert len(desk.workspace.messages(OPERATORS)) == before
    assert digests.to_be_shown(desk.database) == []
