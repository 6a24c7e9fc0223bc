"""A question asked again: as was chosen, beside its answer, under the same rules."""

from __future__ import annotations

import pytest
from consoled import Consoled, form_token, recorded
from sqlmodel import select
from starlette.testclient import TestClient
from wiki import page

from console.asked_again import chosen
from console.sessions import ConsoleRole
from core.manner import Context, Length, Manner, Mode
from core.models import Confidence, Page
from core.settings import Settings
from core.storage.access_tables import AuditRow
from core.turns.turn import Turn

MODELS = Settings(_env_file=None, llm_base_url="http://m/v1", llm_model="big", llm_models="small")


@pytest.fixture
def handbook(console: Consoled) -> Page:
    return console.write("1", "Handbook")


@pytest.fixture
def turn(console: Consoled, handbook: Page) -> Turn:
    return console.ask("Who is on call?", handbook)


def ask(browser: TestClient, turn: Turn, **form: str):  # type: ignore[no-untyped-def]
    token = form_token(browser.get("/").text)
    return browser.post(f"/questions/{turn.id}/again", data={"form_token": token, **form})


def test_both_answers_stand_side_by_side_with_their_evidence(console: Consoled, turn: Turn) -> None:
    console.now = recorded("Who is on call?", [page("2", "Rota")], found=True, badge=Confidence.LOW)
    shown = ask(console.inside(), turn, mode="words", evidence="5", model="none")
    assert shown.status_code == 200
    assert "It stands on Handbook." in shown.text
    assert "It stands on Rota." in shown.text
    assert "not sure" in shown.text
    ((question, manner, with_model),) = console.asked_again
    assert question == "Who is on call?"
    assert (manner.mode, manner.evidence, with_model) == (Mode.WORDS, 5, False)


def test_what_is_offered_first_is_how_it_was_answered(console: Consoled, turn: Turn) -> None:
    shown = console.inside().get(f"/questions/{turn.id}").text
    for usual in (Mode.BOTH, Context.AUTO, Length.NORMAL):
        assert f'<option value="{usual}" selected>' in shown


def test_nothing_of_it_is_kept_but_that_somebody_looked(console: Consoled, turn: Turn) -> None:
    console.now = recorded("Who?", [page("2", "Rota")], found=True, badge=None)
    ask(console.inside(), turn, length="short")
    with console.database.reading() as session:
        (row,) = session.exec(select(AuditRow)).all()
    assert (row.subject, row.details["again"]["length"]) == (turn.id, "short")
    shown = console.inside().get(f"/questions/{turn.id}").text
    assert "Rota" not in shown


def test_whatever_is_away_is_said(console: Consoled, turn: Turn) -> None:
    shown = ask(console.inside(), turn)
    assert shown.status_code == 503
    assert "could not be asked just now" in shown.text


def test_no_one_asks_again_what_they_may_not_read(console: Consoled, handbook: Page) -> None:
    console.now = recorded("Who?", [handbook], found=True, badge=None)
    private = console.ask("My salary?", handbook, private=True, channel="D1")
    open_one = console.ask("Who?", handbook)
    browser = console.inside()
    assert ask(browser, private).status_code == 404
    assert ask(console.inside(ConsoleRole.VIEWER), open_one).status_code == 403
    assert browser.post(f"/questions/{open_one.id}/again").status_code == 403
    console.site.readers["1"] = frozenset({"group:people"})
    assert ask(browser, open_one).status_code == 404
    assert console.asked_again == []


@pytest.mark.parametrize(
    ("form", "manner", "with_model"),
    [
        ({}, Manner(), True),
        (
            {"model": "small", "context": "pages"},
            Manner(model="small", context=Context.PAGES),
            True,
        ),
        ({"model": "none"}, Manner(), False),
        ({"model": "of others", "mode": "x", "evidence": "9" * 9}, Manner(), True),
        ({"evidence": "-1", "length": "long"}, Manner(length=Length.LONG), True),
        ({"evidence": "²"}, Manner(), True),
    ],
)
def test_what_a_form_says_is_one_of_what_is_offered(
    form: dict[str, str], manner: Manner, with_model: bool
) -> None:
    assert chosen(form, MODELS) == (manner, with_model)
