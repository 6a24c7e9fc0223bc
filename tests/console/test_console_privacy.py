"""Privacy: private questions, pages that are not open to everybody, groups that are too small."""

from __future__ import annotations

import pytest
from consoled import Consoled, form_token, recorded
from sqlmodel import select

from console.rooms.settings import shown_settings
from core.access.disclosure import of_pages
from core.pages import PageKey
from core.policy.audit import Act
from core.question import Completed
from core.states import HandOverState, PostKind, Vote, VoteBy
from core.storage.access_tables import AuditRow
from core.storage.hand_over_tables import HandOverPersonRow, HandOverRow
from core.turns import explanations, feedback, post_store, turn_store
from core.turns.sources import source_reports

SECRET = "Salary of the new director?"
EVERYWHERE = ("/", "/questions", "/questions?words=salary", "/gaps", "/pages", "/cost", "/settings")


def test_a_private_question_is_counted_and_nowhere_shown(console: Consoled) -> None:
    page = console.write("1", "Pay grades")
    private = console.ask(SECRET, page, private=True, channel="D1", found=False)
    console.vote(private, Vote.DOWN)
    browser = console.inside()
    for path in EVERYWHERE:
        assert "Salary" not in browser.get(path).text, path
    assert browser.get(f"/questions/{private.id}").status_code == 404
    assert browser.get(f"/questions/{private.id}/why.png").status_code == 404
    assert "<dd>1</dd>" in browser.get("/").text
    assert "1 question that was asked in private" in browser.get("/gaps").text


@pytest.mark.parametrize(
    ("by", "state", "shown"),
    [
        ("U1", HandOverState.ASKED, True),
        ("U1", HandOverState.RESOLVED, True),
        ("U1", HandOverState.SHOWN, False),  # its author looks at what would be sent
        ("U1", HandOverState.WAITING, False),
        ("U2", HandOverState.ASKED, False),
    ],
)
def test_what_its_author_has_handed_over_may_be_read(
    console: Consoled, by: str, state: HandOverState, shown: bool
) -> None:
    private = console.ask(SECRET, private=True, channel="D1")
    with console.database.session() as session:
        session.add(HandOverRow(turn_id=private.id, asked_by=by, state=state))
    browser = console.inside()
    assert (SECRET in browser.get("/questions").text) is shown
    assert (browser.get(f"/questions/{private.id}").status_code == 200) is shown


def test_what_was_said_before_a_private_question_is_not_handed_over_with_it(
    console: Consoled,
) -> None:
    page = console.write("1", "Insurance")
    private = console.ask("And abroad?", page, private=True, channel="D1", answered=False)
    before = "Is my depression covered?"
    record = recorded("And abroad?", [page], found=True, badge=None)
    completed = Completed(
        question="And abroad?", text="Is depression covered abroad?", context=(before,), by="m-1"
    )
    told = {"prompt": f"Earlier: {before}", "completed": completed}
    turn_store.answer(console.database, private.id, record.model_copy(update=told))
    with console.database.session() as session:
        session.add(HandOverRow(turn_id=private.id, asked_by="U1", state=HandOverState.ASKED))
    browser = console.inside()
    shown = browser.get(f"/questions/{private.id}").text
    assert "And abroad?" in shown
    assert "depression" not in shown
    form = {"form_token": form_token(browser.get("/").text)}
    again = browser.post(f"/questions/{private.id}/again", data=form)
    assert again.status_code == 404
    assert console.asked_again == []


@pytest.mark.parametrize(("by", "shown"), [("U1", True), ("U2", False)])
def test_what_its_author_has_reported_may_be_read(console: Consoled, by: str, shown: bool) -> None:
    page = console.write("1", "Pay grades")
    private = console.ask(SECRET, page, private=True, channel="D1")
    answered = turn_store.load(console.database, private.id)
    assert answered
    source_reports.record(console.database, answered, by, (1,), "That is wrong.")
    browser = console.inside()
    assert (SECRET in browser.get("/questions").text) is shown
    assert (browser.get(f"/questions/{private.id}").status_code == 200) is shown


def test_texts_of_an_answer_are_shown_only_while_all_its_pages_are_open(
    console: Consoled,
) -> None:
    page = console.write("1", "Pay grades")
    turn = console.ask("What is grade 7?", page)
    feedback.record(
        console.database, turn.id, "U1", Vote.DOWN, by=VoteBy.BUTTON, reason="It says 5,000 there"
    )
    browser = console.inside()
    open_now = browser.get(f"/questions/{turn.id}").text
    assert "What stands on Pay grades." in open_now
    assert "It says 5,000 there" in open_now
    console.site.readers["1"] = frozenset({"group:people"})
    closed = browser.get(f"/questions/{turn.id}").text
    assert "What is grade 7?" in closed
    assert "Pay grades" not in closed
    assert "It says 5,000 there" not in closed
    assert "Not everybody may read all of its pages now" in closed


def test_nothing_of_a_page_is_shown_while_its_site_does_not_answer(console: Consoled) -> None:
    page = console.write("1", "Pay grades")
    for user in ("U1", "U2", "U3"):
        turn = console.ask("What is grade 7?", page, user=user, found=False)
        console.ask("Grade 8?", page, user=user)
    console.site.down = True
    browser = console.inside()
    for path in ("/gaps", "/pages", "/pages/confluence/1", f"/questions/{turn.id}"):
        assert "Pay grades" not in browser.get(path).text, path


def test_a_restricted_page_is_named_in_no_room(console: Consoled) -> None:
    page = console.write("1", "Pay grades")
    for user in ("U1", "U2", "U3"):
        console.ask("What is grade 7?", page, user=user, found=False)
        console.ask("Grade 8?", page, user=user)
    browser = console.inside()
    assert "Pay grades" in browser.get("/gaps").text
    assert "Pay grades" in browser.get("/pages").text
    assert "Ben." in browser.get("/pages/confluence/1").text
    console.site.readers["1"] = frozenset({"group:people"})
    for path in EVERYWHERE:
        assert "Pay grades" not in browser.get(path).text, path
    assert browser.get("/pages/confluence/1").status_code == 404


def test_a_question_that_a_button_asked_says_words_of_a_page(console: Consoled) -> None:
    page = console.write("1", "Pay grades")
    shows = of_pages([PageKey("confluence", "1")])
    turn = console.ask("What does Pay grades say?", page, by_button=True, shows=shows)
    browser = console.inside()
    assert "Pay grades" not in browser.get("/questions").text
    assert "What does Pay grades say?" in browser.get(f"/questions/{turn.id}").text
    console.site.readers["1"] = frozenset({"group:people"})
    assert "Pay grades" not in browser.get(f"/questions/{turn.id}").text


def test_a_page_that_fewer_than_three_people_asked_about_is_not_named(
    console: Consoled,
) -> None:
    few, many = console.write("1", "Rare page"), console.write("2", "Known page")
    for user in ("U1", "U2"):
        console.ask("Rare?", few, user=user)
    for user in ("U1", "U2", "U3"):
        console.ask("Known?", many, user=user)
    shown = console.inside().get("/pages").text
    assert "Known page" in shown
    assert "Rare page" not in shown
    assert "1 page was used by fewer than three people" in shown


def test_channels_of_fewer_than_three_people_cost_together(console: Consoled) -> None:
    for user in ("U1", "U2", "U3"):
        console.ask("Known?", user=user, channel="CMANY")
        console.ask("Known too?", user=user, channel="CMANY")
        console.ask("Known here?", user=user, channel="CALSO")
    console.ask("Rare?", user="U1", channel="CFEW")
    console.ask("Private?", user="U1", channel="DPRIVATE", private=True)
    shown = console.inside().get("/cost").text
    assert "CMANY" in shown
    assert "CFEW" not in shown
    assert "DPRIVATE" not in shown
    # One person alone has asked in both: nobody can tell, since a larger one is with them.
    assert "CALSO" not in shown


def test_a_gap_of_fewer_than_three_people_has_no_numbers_of_private_questions(
    console: Consoled,
) -> None:
    console.ask("Dogs in the office?", user="U1", found=False)
    console.ask("Dogs, may I bring them?", user="U2", found=False, private=True, channel="D2")
    browser = console.inside()
    assert "asked once" in browser.get("/gaps").text
    console.ask("Dogs at work?", user="U3", found=False)
    shown = browser.get("/gaps").text
    assert "3 people" in shown
    assert "asked 3 times" in shown
    assert "bring them" not in shown


def test_nobody_is_named_outside_the_audit_log(console: Consoled) -> None:
    page = console.write("1", "Handbook")
    who = ("U0ASKED", "U0VOTED", "U0REPORTED", "U0WHY", "U0HELPED", "D0ASKED")
    turn = console.ask("Who?", page, user=who[0], private=True, channel=who[5])
    answered = turn_store.load(console.database, turn.id)
    assert answered
    feedback.record(console.database, turn.id, who[1], Vote.DOWN, by=VoteBy.BUTTON)
    source_reports.record(console.database, answered, who[2], (1,), "That is wrong.")
    explanations.request(console.database, turn.id, who[3])
    post_store.ensure(console.database, turn, PostKind.ANSWER)
    with console.database.session() as session:
        asked = HandOverRow(turn_id=turn.id, asked_by=who[0], state=HandOverState.ASKED)
        session.add(asked)
        session.add(HandOverPersonRow(turn_id=turn.id, user=who[4], team="T1"))
    browser = console.inside()
    for path in ("/", "/questions", f"/questions/{turn.id}", "/gaps", "/pages", "/cost"):
        shown = browser.get(path).text
        assert [each for each in who if each in shown] == [], path
    assert "That is wrong." in browser.get(f"/questions/{turn.id}").text


def test_every_look_into_an_answer_is_in_the_audit_log(console: Consoled) -> None:
    turn = console.ask("Who is on call?")
    browser = console.inside()
    browser.get("/questions")
    browser.get("/questions/unknown")
    browser.get(f"/questions/{turn.id}")
    with console.database.reading() as session:
        (row,) = session.exec(select(AuditRow)).all()
    assert (row.act, row.subject) == (Act.LOOKED_INTO, turn.id)
    browser.get(f"/questions/{turn.id}/why.png")
    with console.database.reading() as session:
        assert len(session.exec(select(AuditRow)).all()) == 2
    assert turn.id in browser.get("/settings").text


def test_secrets_are_not_among_the_settings(console: Consoled) -> None:
    chosen = console.settings.model_copy(
        update={
            "redis_url": "redis://:pa55@host/0",
            "database_url": "postgresql+psycopg://u:pa55@h/d?password=pa55",
        }
    )
    shown = {each.name: each.value for each in shown_settings(chosen)}
    assert "pa55" not in str(shown)
    assert shown["REDIS_URL"] == "redis://…host/0"
