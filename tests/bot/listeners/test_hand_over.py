"""Ask a person: who is asked, once and where, who may close it, what is told of private ones."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from counted_votes import votes
from desk import Desk, answer, asked, confirm, meanwhile, record
from sqlmodel import SQLModel, col, delete, select, update

from bot.delivery.delete_messages import schedule_deletion
from bot.views.answer_blocks import FEEDBACK_ACTION, HAND_OVER_ACTION
from bot.views.answer_menu import MORE_ACTION, Choice
from bot.views.hand_over.request import (
    PAGE_NO_ACTION,
    PAGE_YES_ACTION,
    RESOLVED_ACTION,
    SPARE_ME_ACTION,
)
from core.jobs.afterwards import PutOff, put_off
from core.language.sentences import sentences
from core.models import Evidence, Hit, Kind, Note, Page, Record
from core.policy import preferences
from core.policy.acl import OPEN_ID
from core.policy.preferences import Preferences
from core.states import DetailState
from core.storage.access_tables import AfterwardsRow, ConfirmationRow, LinkedAccountRow
from core.storage.hand_over_tables import HandOverPersonRow, HandOverRow
from core.storage.index_tables import AccountRow, EvidenceRow, PageRow
from core.storage.people_tables import PreferencesRow
from core.storage.tables import PostRow
from core.turns import detail_requests, erasure, turn_store
from core.turns.hand_over import requests
from core.turns.hand_over.requests import Person
from core.turns.turn import Address, NewQuestion
from sandbox.slack.client import Message
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")

ALICE, BEN, CHLOE, GRETA = "U0ALICE", "U0BEN", "U0CHLOE", "U0GRETA"
GENERAL = "C0GENERAL"
OWNER = "user:owner-of-the-guide"
TITLE = "On-call guide"
FORGOTTEN = (
    HandOverPersonRow,
    HandOverRow,
    EvidenceRow,
    PageRow,
    AccountRow,
    LinkedAccountRow,
    ConfirmationRow,
    PreferencesRow,
)


@pytest.fixture(scope="module")
def more_settings() -> dict[str, str]:
    """Members and others may ask; a digest may be drafted."""
    return {
        "GUESTS": "public",
        "EXTERNALS": "public",
        "DIGEST_CHANNELS": "C0HR",
        "LLM_BASE_URL": "http://127.0.0.1:9/v1",
        "LLM_MODEL": "nobody-asks-it-here",
    }


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Chloe owns the page that the answers cite, and nobody was asked yet."""
    with desk.database.session() as session:
        for table in FORGOTTEN:
            session.exec(delete(table))
        page = guide()
        session.add(
            PageRow(
                id=page.id,
                space=page.space,
                title=page.title,
                record=page.model_dump(mode="json"),
                acl_id=OPEN_ID,
            )
        )
    confirm(desk.database, "1")
    return desk


@pytest.fixture
def linked(desk: Desk) -> Desk:
    save(desk, LinkedAccountRow(team=TEAM_ID, user=CHLOE, account=OWNER))
    return desk


def save(desk: Desk, row: SQLModel) -> None:
    with desk.database.session() as session:
        session.add(row)


def guide() -> Page:
    return Page(
        id="1",
        space="OPS",
        title=TITLE,
        url="https://wiki.example/on-call",
        owner="Chloe",
        owner_account=OWNER,
    )


def cited(**more: object) -> Record:
    """An answer that cites the guide."""
    made = record(**more)  # type: ignore[arg-type]
    piece = Evidence(id="1-a", page_id="1", kind=Kind.PASSAGE, text="Ben.")
    source = made.answer.sources[0].model_copy(update={"evidence_ids": ("1-a",)})
    answered = made.answer.model_copy(update={"sources": (source,)})
    return made.model_copy(
        update={"hits": (Hit(evidence=piece, page=guide()),), "answer": answered}
    )


def answered(desk: Desk, channel: str = "general", **more: object) -> Message:
    """An answer to Ben that stands in its thread."""
    question = desk.workspace.say("ben", channel, "who is on call?")
    return answer(desk, question, cited(**more))


def hand_over(desk: Desk, who: str, message: Message) -> None:
    choose_person(desk, who, message)
    desk.settle()


def choose_person(desk: Desk, who: str, message: Message) -> None:
    turn = desk.turn(message)
    desk.workspace.click(who, message, MORE_ACTION, f"{Choice.HAND_OVER}:{turn.id}")


def request(desk: Desk, message: Message) -> Message:
    """The request beside an answer."""
    desk.workspace.wait_until(lambda: len(said(desk, message)) == 2, what="the request")
    return said(desk, message)[-1]


def said(desk: Desk, message: Message) -> list[Message]:
    thread = desk.workspace.thread(message.channel, message.root_ts)
    return [each for each in thread if each.bot and not each.ephemeral_for]


def press(desk: Desk, who: str, message: Message, action: str) -> None:
    desk.workspace.click(who, message, action)
    desk.settle()


def whispered(desk: Desk, channel: str, user: str, action: str) -> Message:
    """What only this person sees, with this button."""

    def found() -> list[Message]:
        shown = desk.workspace.messages(channel)
        return [each for each in shown if each.ephemeral_for == user and each.has_button(action)]

    desk.workspace.wait_until(lambda: bool(found()), what="a word to one person")
    return found()[-1]


def told(desk: Desk, user: str, key: str) -> None:
    """Wait until this person alone was told this sentence."""
    do_the_rest(desk)
    desk.workspace.wait_until(lambda: SAY(key) in desk.ephemeral_messages(user), what=key)


def do_the_rest(desk: Desk) -> None:
    """What a speaker has put off itself: the one beside the bot has a queue of its own."""
    with desk.database.reading() as session:
        rows = session.exec(select(AfterwardsRow.id)).all()
    for row_id in rows:
        desk.speaker.afterwards.do(row_id)


def lose_place(desk: Desk, shown: Message) -> None:
    with desk.database.session() as session:
        session.exec(update(PostRow).where(col(PostRow.ts) == shown.ts).values(ts=None))


def choose(desk: Desk, owner: str, **chosen: object) -> None:
    preferences.save(desk.database, TEAM_ID, owner, Preferences.model_validate(chosen))


def test_the_owner_of_the_cited_page_is_asked_in_the_thread(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    assert shown.root_ts == message.root_ts
    assert f"<@{CHLOE}>" in shown.text
    assert f"<@{BEN}>" in shown.text
    assert "who is on call?" in shown.text.lower()
    assert f"https://wiki.example/on-call#who|{TITLE}" in shown.text
    assert SAY("hand-over-not-enough") in shown.text


def test_whoever_presses_again_or_at_the_same_time_asks_nobody_twice(linked: Desk) -> None:
    message = answered(linked)
    for who in ("ben", "alice", "ben"):
        hand_over(linked, who, message)
    shown = request(linked, message)
    assert [each.ts for each in said(linked, message)] == [message.ts, shown.ts]
    asked_again = whispered(linked, "general", BEN, RESOLVED_ACTION)
    assert SAY("hand-over-sent", person=f"<@{CHLOE}>") == asked_again.text


def test_a_speaker_that_does_it_once_more_posts_nothing(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    lose_place(linked, shown)  # it died before it had saved where
    turn = linked.turn(message)
    put_off(linked.database, PutOff.HAND_OVER, team=turn.address.team, turn_id=turn.id)
    do_the_rest(linked)
    assert [each.ts for each in said(linked, message)] == [message.ts, shown.ts]


def test_an_e_mail_that_the_site_shows_leads_to_the_owner(desk: Desk) -> None:
    save(desk, AccountRow(id=OWNER, name="Somebody", email="Chloe@example.com"))
    message = answered(desk)
    hand_over(desk, "ben", message)
    assert f"<@{CHLOE}>" in request(desk, message).text


def test_whom_the_channel_names_goes_before_the_owners(linked: Desk) -> None:
    choose(linked, GENERAL, helpers=[ALICE])
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    assert f"<@{ALICE}>" in shown.text
    assert f"<@{CHLOE}>" not in shown.text


def test_where_the_named_cannot_be_asked_the_owners_are(linked: Desk) -> None:
    choose(linked, GENERAL, helpers=[GRETA, "U0NOBODY", BEN])  # a guest, nobody, who asks
    message = answered(linked)
    hand_over(linked, "ben", message)
    assert f"<@{CHLOE}>" in request(linked, message).text


def test_a_guest_hands_nothing_over(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "greta", message)
    told(linked, GRETA, "hand-over-members")
    assert requests.load(linked.database, linked.turn(message).id) is None


@pytest.mark.parametrize(
    ("who", "user", "key"),
    [("ben", BEN, "hand-over-nobody"), ("alice", ALICE, "hand-over-nobody-admin")],
)
def test_where_nobody_can_be_asked_this_is_said_with_the_cure_and_can_be_tried_again(
    desk: Desk, who: str, user: str, key: str
) -> None:
    message = answered(desk)
    hand_over(desk, who, message)
    told(desk, user, key)
    choose(desk, GENERAL, helpers=[CHLOE])
    hand_over(desk, who, message)
    assert f"<@{CHLOE}>" in request(desk, message).text


def test_somebody_who_was_asked_enough_today_is_left_alone(linked: Desk) -> None:
    for _ in range(requests.MOST_A_DAY):
        turn = asked(linked.database, linked.workspace.say("lena", "general", "who is it?"))
        requests.ask(linked.database, turn.id, "U0LENA")
        assert requests.choose(linked.database, turn.id, TEAM_ID, [Person(CHLOE)])
    one_more = answered(linked)
    hand_over(linked, "ben", one_more)
    told(linked, BEN, "hand-over-nobody")
    assert len(said(linked, one_more)) == 1


def test_whoever_was_asked_can_choose_not_to_be_asked_again(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    press(linked, "ben", shown, SPARE_ME_ACTION)
    told(linked, BEN, "hand-over-not-asked")
    press(linked, "chloe", shown, SPARE_ME_ACTION)
    told(linked, CHLOE, "hand-over-spared")
    another = answered(linked)
    hand_over(linked, "ben", another)
    told(linked, BEN, "hand-over-nobody")
    assert not preferences.load(linked.database, TEAM_ID, BEN).spared


@pytest.mark.parametrize("who", ["ben", "chloe", "alice"])  # the asker, the asked, an admin
def test_those_whom_it_concerns_and_admins_close_it_and_say_what_the_page_should(
    linked: Desk, who: str
) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    user = f"U0{who.upper()}"
    press(linked, who, shown, RESOLVED_ACTION)
    closed = SAY("hand-over-resolved", who=f"<@{user}>")
    linked.workspace.wait_until(lambda: closed in linked.workspace.message(shown).text)
    assert not linked.workspace.message(shown).has_button(RESOLVED_ACTION)

    press(linked, who, whispered(linked, "general", user, PAGE_YES_ACTION), PAGE_YES_ACTION)
    page = SAY(
        "hand-over-page",
        people=f"<@{CHLOE}>",
        page=f"<https://wiki.example/on-call#who|{TITLE}>",
    )
    linked.workspace.wait_until(lambda: page in linked.workspace.message(shown).text)
    assert len(said(linked, message)) == 2


def test_where_the_page_need_not_say_it_nothing_is_added(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    press(linked, "chloe", shown, RESOLVED_ACTION)
    press(linked, "chloe", whispered(linked, "general", CHLOE, PAGE_NO_ACTION), PAGE_NO_ACTION)
    told(linked, CHLOE, "thanks")
    assert ":memo:" not in linked.workspace.message(shown).text


def helped(desk: Desk, pressed: str, channel: str = "general") -> list[str]:
    """Ben asks, Chloe writes what it is and closes it; what is kept of her words."""
    message = answered(desk, channel)
    desk.workspace.say("chloe", channel, "Before anybody was asked.", thread_ts=message.root_ts)
    hand_over(desk, "ben", message)
    shown = request(desk, message)
    desk.workspace.say("chloe", channel, "Lena & Ben take turns.", thread_ts=message.root_ts)
    desk.workspace.say("lena", channel, "I know nothing.", thread_ts=message.root_ts)
    press(desk, "chloe", shown, RESOLVED_ACTION)
    press(desk, "chloe", whispered(desk, channel, CHLOE, pressed), pressed)
    do_the_rest(desk)
    with desk.database.reading() as session:
        return [each for each in session.exec(select(HandOverRow.said)).all() if each]


def test_what_the_helper_wrote_is_kept_where_the_page_should_say_it(linked: Desk) -> None:
    assert helped(linked, PAGE_YES_ACTION) == ["Lena & Ben take turns."]


def test_nothing_is_kept_where_the_page_need_not_say_it(linked: Desk) -> None:
    assert helped(linked, PAGE_NO_ACTION) == []


def test_nothing_is_kept_of_a_channel_that_not_everybody_may_read(linked: Desk) -> None:
    linked.workspace.make_private("engineering")
    assert helped(linked, PAGE_YES_ACTION, "engineering") == []


def test_nobody_else_closes_it(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    shown = request(linked, message)
    press(linked, "lena", shown, RESOLVED_ACTION)
    hers = sentences("de")("hand-over-not-yours")
    linked.workspace.wait_until(lambda: bool(linked.ephemeral_messages("U0LENA")))
    assert linked.ephemeral_messages("U0LENA") == [hers]
    assert linked.workspace.message(shown).has_button(RESOLVED_ACTION)


def test_a_thumb_on_the_request_is_no_vote_on_the_answer(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    linked.workspace.react("chloe", request(linked, message), "+1")
    linked.settle()
    assert votes(linked.database, linked.turn(message).id) == {}


def test_there_is_a_button_where_nothing_was_found(linked: Desk) -> None:
    message = answered(linked, notes=(Note.NOT_FOUND,))
    press(linked, "ben", message, HAND_OVER_ACTION)
    shown = request(linked, message)
    assert SAY("hand-over-no-page") in shown.text
    assert SAY("hand-over-nearest") in shown.text
    assert not answered(linked).has_button(HAND_OVER_ACTION)


def test_there_is_a_button_beside_the_thanks_for_a_vote_against(linked: Desk) -> None:
    message = answered(linked)
    turn_id = linked.turn(message).id
    linked.workspace.click("ben", message, FEEDBACK_ACTION, f"down:{turn_id}")
    linked.settle()
    press(linked, "ben", whispered(linked, "general", BEN, HAND_OVER_ACTION), HAND_OVER_ACTION)
    assert f"<@{CHLOE}>" in request(linked, message).text


def test_what_the_pages_do_not_say_is_named_as_missing(linked: Desk) -> None:
    message = answered(linked, notes=(Note.UNSUPPORTED,), unsupported=("Ben never sleeps.",))
    hand_over(linked, "ben", message)
    missing = SAY("unsupported-sentence", sentence="Ben never sleeps.")
    assert missing in request(linked, message).text


def test_titles_that_are_not_confirmed_for_the_channel_are_left_out(linked: Desk) -> None:
    message = answered(linked)
    with linked.database.session() as session:
        session.exec(delete(ConfirmationRow))
    hand_over(linked, "ben", message)  # no worker is there who could say
    shown = request(linked, message)
    assert TITLE not in str(shown)
    assert "on call?" in shown.text


def test_a_forgotten_question_takes_its_request_along(linked: Desk) -> None:
    message = answered(linked)
    hand_over(linked, "ben", message)
    request(linked, message)
    turn = linked.turn(message)
    schedule_deletion(
        linked.speaker.events, erasure.forget_turn(linked.database, turn.id, turn.user)
    )
    assert requests.load(linked.database, turn.id) is None
    linked.speaker.deletion.delete_turn(turn.id)
    assert said(linked, message) == []


def in_private(desk: Desk) -> Message:
    """An answer to Ben in his direct messages, where he has asked by the command."""
    root = desk.speaker.client.chat_postMessage(channel=BEN, text="Your question:")
    channel, ts = str(root["channel"]), str(root["ts"])
    where = Address(TEAM_ID, channel, ts, ts)
    turn = turn_store.ask(
        desk.database, NewQuestion(where, BEN, "who is on call?", private=True, by_button=True)
    )
    assert turn is not None
    turn_store.answer(desk.database, turn.id, cited())
    desk.speaker.answers.deliver(turn.id)
    (_, shown) = desk.workspace.thread(channel, ts)
    return shown


@contextmanager
def a_worker(desk: Desk, turn_id: str, *, may_see: bool) -> Iterator[None]:
    """Decides what those may be told who are to be asked."""
    over = threading.Event()

    def work() -> None:
        name = f"hand-over-{turn_id}"
        while not over.wait(0.05):
            request = detail_requests.load(desk.database, name)
            if request and request.state is DetailState.WAITING:
                confirm(desk.database, "1")
                confirm(desk.database, "1", audience=request.user)
                detail_requests.decide(desk.database, name, may_see=may_see, audience=request.user)

    thread = meanwhile(work)
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("may_see", [True, False], ids=["a reader", "no reader"])
def test_a_private_request_names_pages_to_their_readers_alone_and_shows_its_author_no_other_words(
    linked: Desk, may_see: bool
) -> None:
    message = in_private(linked)
    with a_worker(linked, linked.turn(message).id, may_see=may_see):
        choose_person(linked, "ben", message)
        preview = linked.workspace.wait_for_modal(BEN, lambda text: "on call?" in text)
        assert linked.workspace.messages(linked.workspace.open_direct("chloe")) == []
        (view,) = linked.workspace.views(BEN)
        linked.workspace.submit("ben", view["id"], {})
        sent = wait_for_one(linked, "chloe")
    assert (TITLE in preview) is may_see
    assert (TITLE in sent.text) is may_see
    assert all(block["text"]["text"] in sent.text for block in view["blocks"][2:])
    assert f"<@{BEN}>" in sent.text
    assert "Ben is on call" not in str(sent)  # the answer
    assert [each.ts for each in said(linked, message)] == [message.root_ts, message.ts]


def wait_for_one(desk: Desk, who: str) -> Message:
    """The only message in this person's direct messages."""
    channel = desk.workspace.open_direct(who)
    desk.workspace.wait_until(lambda: bool(desk.workspace.messages(channel)), what="a request")
    (one,) = desk.workspace.messages(channel)
    return one


def test_a_private_request_is_found_again_by_the_next_speaker(linked: Desk) -> None:
    message = in_private(linked)
    turn = linked.turn(message)
    with a_worker(linked, turn.id, may_see=True):
        choose_person(linked, "ben", message)
        linked.workspace.wait_for_modal(BEN, lambda text: "on call?" in text)
        linked.workspace.submit("ben", linked.workspace.views(BEN)[0]["id"], {})
        sent = wait_for_one(linked, "chloe")
        with linked.database.session() as session:
            here = col(PostRow.ts) == sent.ts
            session.exec(update(PostRow).where(here).values(ts=None, channel=CHLOE))
        put_off(linked.database, PutOff.HAND_OVER, team=turn.address.team, turn_id=turn.id)
        do_the_rest(linked)
    assert wait_for_one(linked, "chloe").ts == sent.ts


def test_nobody_but_its_author_hands_over_a_private_question(linked: Desk) -> None:
    message = in_private(linked)
    hand_over(linked, "lena", message)
    assert linked.workspace.views("U0LENA") == []
    assert requests.load(linked.database, linked.turn(message).id) is None
