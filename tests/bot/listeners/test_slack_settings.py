"""Settings in Slack: who is shown what, who may change it, and who may then ask."""

from __future__ import annotations

from typing import Any

import pytest
from desk import Desk, confirm
from sqlmodel import delete

from bot.views.settings.fields import DEFAULT
from core.dialogue.decision import Attention
from core.language.sentences import sentences
from core.manner import Length, Mode
from core.policy import audit, people, preferences
from core.policy.acl import OPEN_ID
from core.policy.people import Standing
from core.policy.preferences import Preferences
from core.settings.values import Askers
from core.storage.access_tables import ConfirmationRow
from core.storage.index_tables import PageRow, SpaceRow
from core.storage.people_tables import PreferencesRow
from sandbox.slack.workspace.values import TEAM_ID

SAY = sentences("en")

ALICE, BEN, CHLOE, GRETA = "U0ALICE", "U0BEN", "U0CHLOE", "U0GRETA"
LENA = "U0LENA"  # her Slack is German
GENERAL, ENGINEERING, HR = "C0GENERAL", "C0ENGINEER", "C0HR"
MODEL = {"LLM_BASE_URL": "http://127.0.0.1:1/v1", "LLM_MODEL": "small", "LLM_MODELS": "big"}


@pytest.fixture(scope="module")
def more_settings() -> dict[str, str]:
    return MODEL | {"GUESTS": "public", "EXTERNALS": "public"}


@pytest.fixture(scope="module", autouse=True)
def indexed(one_bot: Desk) -> None:
    with one_bot.database.session() as session:
        session.add_all(
            PageRow(id=key, space=key, record={}, acl_id=OPEN_ID) for key in ("ENG", "OPS")
        )
        session.add(PageRow(id="secret", space="BOARD", record={}, acl_id="few"))
        session.add(SpaceRow(key="ENG", name="Engineering"))


@pytest.fixture
def desk(desk: Desk) -> Desk:
    with desk.database.session() as session:
        session.exec(delete(PreferencesRow))
    confirm(desk.database, "ENG", "OPS")
    return desk


def opened(desk: Desk, who: str, where: str = "", *, user: str) -> dict[str, Any]:
    """The settings as they stand when Slack has said who this is."""
    desk.workspace.command(who, where, "/groundwire settings")
    desk.workspace.wait_until(
        lambda: SAY("settings-checking") not in str(desk.workspace.views(user)),
        what="the check",
    )
    (view,) = desk.workspace.views(user)
    return view


def fields(view: dict[str, Any]) -> dict[str, Any]:
    return {
        block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"
    }


def choose(desk: Desk, owner: str, **chosen: Any) -> None:
    preferences.save(desk.database, TEAM_ID, owner, Preferences(**chosen))


def chosen(desk: Desk, owner: str) -> Preferences:
    return preferences.load(desk.database, TEAM_ID, owner)


def test_the_command_alone_says_what_can_be_done(desk: Desk) -> None:
    assert desk.workspace.command("ben", "general", "/groundwire") == {"text": SAY("command-help")}
    (shown,) = desk.workspace.messages("general")
    assert shown.ephemeral_for == BEN
    # Afterwards, whose language to speak the next time.
    assert {call.method for call in desk.workspace.received()} <= {"users.info"}


def test_the_command_speaks_the_language_of_whoever_writes_it_as_soon_as_that_is_known(
    desk: Desk,
) -> None:
    desk.workspace.command("lena", "general", "/groundwire")
    desk.workspace.wait_until(lambda: people.locale(desk.database, TEAM_ID, LENA) == "de-DE")
    told = desk.workspace.command("lena", "general", "/groundwire")
    assert told == {"text": sentences("de")("command-help")}


def test_an_admin_changes_the_settings_of_a_channel(desk: Desk) -> None:
    view = opened(desk, "alice", "hr", user=ALICE)
    assert [each["value"] for each in fields(view)["spaces"]["options"]] == ["ENG", "OPS"]
    assert [each["value"] for each in fields(view)["model"]["options"]] == [DEFAULT, "small", "big"]

    filled = {
        "spaces": ["OPS"],
        "model": "big",
        "mode": "words",
        "evidence": "5",
        "length": "long",
        "language": "question",
    }
    answer = desk.workspace.submit(
        "alice", view["id"], filled | {"askers": "listed", "listed": [BEN], "mention": "any"}
    )
    assert SAY("settings-saved") in str(answer["view"])
    assert chosen(desk, HR) == Preferences(
        spaces=("OPS",),
        model="big",
        mode=Mode.WORDS,
        evidence=5,
        length=Length.LONG,
        language="",
        askers=Askers.LISTED,
        listed=(BEN,),
        mention=Attention.ANY,
    )


def test_who_changed_which_setting_and_who_was_not_allowed_to_is_in_the_audit_log(
    desk: Desk,
) -> None:
    choose(desk, HR, tone="plain", length="long")
    view = opened(desk, "alice", "hr", user=ALICE)
    desk.workspace.submit("alice", view["id"], {"tone": "formal"})
    changed = list(audit.entries(desk.database))[-1]
    assert (changed.act, changed.team, changed.actor, changed.subject) == (
        "setting_changed",
        TEAM_ID,
        ALICE,
        HR,
    )
    assert changed.details == {"tone": ["plain", "formal"]}


def test_what_was_chosen_stands_in_the_form_again_and_is_kept_when_it_is_sent_off_untouched(
    desk: Desk,
) -> None:
    before = Preferences(
        spaces=("OPS", "ENG"), model="big", length=Length.SHORT, language="German", mention=False
    )
    preferences.save(desk.database, TEAM_ID, HR, before)
    desk.workspace.submit("alice", opened(desk, "alice", "hr", user=ALICE)["id"], {})
    assert chosen(desk, HR) == before


def test_spaces_are_named_when_a_worker_has_confirmed_them(desk: Desk) -> None:
    with desk.database.session() as session:
        session.exec(delete(ConfirmationRow))
    choose(desk, BEN, spaces=("OPS",))
    desk.workspace.command("ben", "", "/groundwire settings")
    desk.workspace.wait_until(lambda: bool(desk.queued("answer")), what="a worker is asked")
    (view,) = desk.workspace.views(BEN)
    assert SAY("settings-checking") in str(view)
    assert "Engineering" not in str(view)

    confirm(desk.database, "ENG")
    desk.workspace.wait_until(
        lambda: SAY("settings-checking") not in str(desk.workspace.views(BEN)),
        what="the form",
    )
    (view,) = desk.workspace.views(BEN)
    # The other one is a key that Ben has chosen.
    names = [each["text"]["text"] for each in fields(view)["spaces"]["options"]]
    assert names == ["OPS", "Engineering (ENG)"]


def test_the_modal_is_opened_before_slack_is_asked_anything(desk: Desk) -> None:
    opened(desk, "alice", "hr", user=ALICE)
    assert [call.method for call in desk.workspace.received()] == [
        "views.open",
        "users.info",
        "views.update",
    ]


def test_a_trigger_that_came_too_late_is_told(desk: Desk) -> None:
    desk.workspace.fault("views.open", error="expired_trigger_id")
    assert desk.workspace.command("ben", "", "/groundwire settings") == {
        "text": SAY("settings-not-opened")
    }


def test_whoever_made_the_channel_may_change_its_settings_too(desk: Desk) -> None:
    assert "submit" in opened(desk, "ben", "engineering", user=BEN)


def test_others_see_the_settings_and_cannot_change_them(desk: Desk) -> None:
    choose(desk, HR, spaces=("ENG",), askers="members")
    view = opened(desk, "ben", "hr", user=BEN)
    assert "submit" not in view
    assert not fields(view)
    assert "Engineering (ENG)" in str(view)
    assert SAY("settings-for-admins") in str(view)


def test_a_form_that_somebody_else_sends_off_changes_nothing(desk: Desk) -> None:
    view = opened(desk, "ben", "hr", user=BEN)
    answer = desk.workspace.submit("ben", view["id"], {})
    assert SAY("settings-for-admins") in str(answer["view"])
    assert chosen(desk, HR) == Preferences()


def test_who_is_no_admin_any_more_when_the_form_comes_back_changes_nothing(desk: Desk) -> None:
    view = opened(desk, "alice", "hr", user=ALICE)
    people.remember(desk.database, TEAM_ID, ALICE, standing=Standing.UNKNOWN)
    answer = desk.workspace.submit("alice", view["id"], {"length": "short"})
    people.remember(desk.database, TEAM_ID, ALICE, standing=Standing.MEMBER, is_admin=True)
    assert SAY("settings-unknown") in str(answer["view"])
    assert chosen(desk, HR) == Preferences()


@pytest.mark.parametrize(
    ("filled", "wrong", "most"),
    [
        ({"evidence": "99"}, "evidence", 30),
        ({"evidence": "many"}, "evidence", 30),
        ({"askers": "listed"}, "listed", 100),
        ({"askers": "listed", "listed": ["<!channel>"]}, "listed", 100),
    ],
)
def test_what_makes_no_sense_is_told_at_its_field(
    desk: Desk, filled: dict[str, Any], wrong: str, most: int
) -> None:
    view = opened(desk, "alice", "hr", user=ALICE)
    answer = desk.workspace.submit("alice", view["id"], filled)
    assert answer == {
        "response_action": "errors",
        "errors": {wrong: SAY(f"wrong-{wrong}", fewest=3, most=most)},
    }
    assert desk.workspace.views(ALICE)[0]["id"] == view["id"]


def test_what_is_gone_is_shown_as_gone_and_is_not_chosen_again(desk: Desk) -> None:
    choose(desk, HR, spaces=("OLD", "ENG"), model="older")
    view = opened(desk, "alice", "hr", user=ALICE)
    assert SAY("stale-space", space="OLD") in str(view)
    assert SAY("stale-model", model="older") in str(view)
    assert [each["value"] for each in fields(view)["spaces"]["initial_options"]] == ["ENG"]
    assert fields(view)["model"]["initial_option"]["value"] == DEFAULT


def test_everybody_has_settings_of_their_own_for_direct_messages(desk: Desk) -> None:
    view = opened(desk, "greta", user=GRETA)
    assert {"askers", "listed", "mention"}.isdisjoint(fields(view))
    desk.workspace.submit("greta", view["id"], {"tone": "formal"})
    assert chosen(desk, GRETA).tone == "formal"
    methods = [call.method for call in desk.workspace.received()]
    assert "users.info" not in methods[: methods.index("views.open")]


@pytest.mark.parametrize(
    ("rule", "may", "may_not"),
    [
        ({"askers": "members"}, ["ben", "alice"], ["greta"]),
        ({"askers": "admins"}, ["alice", "chloe"], ["ben", "greta"]),
        ({"askers": "listed", "listed": (GRETA,)}, ["greta", "alice"], ["ben"]),
    ],
)
def test_only_those_ask_in_a_channel_who_may(
    desk: Desk, rule: dict[str, Any], may: list[str], may_not: list[str]
) -> None:
    choose(desk, HR, **rule)
    said = {
        who: desk.workspace.say(who, "hr", "@groundwire who is on call?")
        for who in (*may, *may_not)
    }
    desk.settle()
    reason = f"only_{rule['askers']}"
    assert {who: desk.turn(message).reason for who, message in said.items()} == dict.fromkeys(
        may, None
    ) | dict.fromkeys(may_not, reason)


def test_who_may_not_ask_is_left_alone_in_a_thread_of_others(desk: Desk) -> None:
    choose(desk, HR, askers="members")
    first = desk.workspace.say("ben", "hr", "@groundwire who is on call?")
    desk.settle()
    desk.workspace.say("greta", "hr", "and next week?", first.ts)
    desk.settle()
    assert len(desk.turns(first)) == 1


def test_nobody_asks_while_it_is_not_known_who_they_are(desk: Desk) -> None:
    choose(desk, GENERAL, askers="members")
    people.remember(desk.database, TEAM_ID, "U0DEV", standing=Standing.UNKNOWN)
    desk.workspace.fault("users.info", error="internal_error", times=9)
    message = desk.workspace.say("dev", "general", "@groundwire who is on call?")
    desk.settle()
    assert not desk.turn(message).vetted
    assert desk.queued("answer") == []


def test_where_admins_want_it_a_follow_up_has_to_mention_the_bot(desk: Desk) -> None:
    choose(desk, HR, mention=True)
    first = desk.workspace.say("ben", "hr", "@groundwire who is on call?")
    desk.settle()
    desk.workspace.say("ben", "hr", "thank you all", first.ts)
    desk.workspace.say("ben", "hr", "@groundwire and in May?", first.ts)
    desk.settle()
    assert [turn.question for turn in desk.turns(first)] == ["who is on call?", "and in May?"]


def test_a_question_behind_the_command_is_asked_in_private(desk: Desk) -> None:
    told = desk.workspace.command("ben", "hr", "/groundwire who is on call?")
    assert told == {"text": SAY("asked-in-private")}
    desk.settle()
    (root,) = desk.workspace.messages("D0BEN")
    turn = desk.turn(root)
    assert (turn.question, turn.private, turn.by_button, turn.user) == (
        "who is on call?",
        True,
        True,
        BEN,
    )
    assert turn.vetted
    assert "who is on call" not in root.text  # which stays when the question is forgotten


def test_a_question_that_cannot_be_asked_in_private_says_so(desk: Desk) -> None:
    desk.workspace.fault("chat.postMessage", error="messages_tab_disabled")
    desk.workspace.command("ben", "general", "/groundwire who?")
    desk.settle()
    assert desk.ephemeral_messages(BEN) == [SAY("not-asked-in-private")]
