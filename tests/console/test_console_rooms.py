"""What stands in the rooms, with numbers counted by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from consoled import URL, Consoled, form_token
from starlette.testclient import TestClient
from wiki import page

from console.app import build
from console.parts import Ailment
from console.rendering import written
from console.sessions import ConsoleRole
from core.models import Confidence
from core.states import NoAnswer, Vote
from core.turns import turn_store

ROOMS = ("/", "/questions", "/gaps", "/pages", "/sync", "/cost", "/pairs", "/settings")


def figures(text: str) -> dict[str, str]:
    found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text)
    return {name: re.sub(r"<[^>]+>", "", value) for name, value in found}


@pytest.mark.parametrize("path", ROOMS)
@pytest.mark.parametrize("language", ["en", "de-AT"])
def test_an_empty_console_says_so_in_every_room(
    console: Consoled, path: str, language: str
) -> None:
    shown = console.inside(language=language).get(path)
    assert shown.status_code == 200
    assert f'lang="{language[:2]}"' in shown.text


def test_today_counts_what_became_of_questions(console: Consoled) -> None:
    handbook = page("1", "Handbook")
    right = console.ask("One?", handbook, badge=Confidence.HIGH)
    console.vote(right, Vote.UP)
    console.vote(right, Vote.DOWN, user="U2")
    console.vote(console.ask("Two?", handbook), Vote.DOWN)
    console.ask("Three?", found=False, user="U2")
    late = console.ask("Four?", answered=False, user="U3")
    turn_store.fail(console.database, late.id, NoAnswer.LATE)
    console.ask("Five?", answered=False)
    shown = figures(console.inside().get("/").text)
    assert shown["Questions"] == "4"
    assert (shown["Answered"], shown["Not found"], shown["Too late"]) == ("2", "1", "1")
    assert (shown["Green badge"], shown["Green, voted down"]) == ("1", "1")
    assert shown["Votes"] == "👍 1 · 👎 2"
    assert (shown["People"], shown["Waiting now"]) == ("&lt; 3", "1")


def test_the_doctor_says_what_is_broken_and_its_cure(console: Consoled) -> None:
    console.ailments = (
        Ailment("ok", "the database answers", ""),
        Ailment("wrong", "Redis is away", "start it"),
    )
    browser = console.inside()
    token = form_token(browser.get("/").text)
    browser.post("/look", data={"form_token": token})
    for _ in range(500):
        shown = browser.get("/").text
        if "Redis is away" in shown:
            break
    assert "Redis is away" in shown
    assert "start it" in shown
    assert "the database answers" not in shown


@pytest.mark.parametrize(
    ("asked_for", "found"),
    [
        ("", {"Dogs?", "Hotels?", "Late?", "Cats?"}),
        ("outcome=not_found", {"Dogs?"}),
        ("outcome=failed", {"Late?"}),
        ("outcome=down", {"Hotels?", "Cats?"}),
        ("outcome=green_down", {"Cats?"}),
        ("outcome=reported", set()),
        ("outcome=nonsense", {"Dogs?", "Hotels?", "Late?", "Cats?"}),
        ("words=hOtEl", {"Hotels?"}),
        ("words=hotel+dogs", set()),
        ("before=never", {"Dogs?", "Hotels?", "Late?", "Cats?"}),
    ],
)
def test_questions_are_searched_and_filtered(
    console: Consoled, asked_for: str, found: set[str]
) -> None:
    console.ask("Dogs?", found=False)
    console.vote(console.ask("Hotels?"), Vote.DOWN)
    console.vote(console.ask("Cats?", badge=Confidence.HIGH), Vote.DOWN)
    late = console.ask("Late?", answered=False)
    turn_store.fail(console.database, late.id, NoAnswer.LATE)
    shown = console.inside().get(f"/questions?{asked_for}").text
    assert set(re.findall(r'<a href="/questions/\w+">(.*?)</a>', shown)) == found


def test_older_questions_are_a_page_further(console: Consoled) -> None:
    for number in range(60):
        console.ask(f"Question {number}?")
    browser = console.inside()
    first = browser.get("/questions").text
    older = re.search(r'href="(/questions\?[^"]*before=[^"]+)"', first)
    assert older
    second = browser.get(older[1].replace("&amp;", "&")).text
    numbers = re.findall(r">Question (\d+)\?</a>", first + second)
    assert numbers == [str(number) for number in reversed(range(60))]
    assert "before=" not in second


def test_one_answer_tells_its_way_its_sources_and_what_people_said(console: Consoled) -> None:
    written = console.write("1", "Handbook", version="1")
    turn = console.ask("Who is on call?", written)
    console.vote(turn, Vote.DOWN)
    console.write("1", "Handbook", "Another.", version="2")
    shown = console.inside().get(f"/questions/{turn.id}").text
    assert "It stands on Handbook." in shown
    assert "worker/retrieval/retriever.py" in shown
    assert "version 1" in shown
    assert "version 2" in shown
    assert "👎" in shown


def test_text_of_a_page_is_no_markup(console: Consoled) -> None:
    title = "<script>alert(1)</script>"
    written = console.write("1", title, url="javascript:alert(1)")
    for user in ("U1", "U2", "U3"):
        turn = console.ask(f"{title}?", written, user=user, found=False)
        console.ask("Known?", written, user=user)
    browser = console.inside()
    for path in ("/questions", "/gaps", "/pages", "/pages/confluence/1", f"/questions/{turn.id}"):
        shown = browser.get(path)
        assert shown.status_code == 200
        assert "<script" not in shown.text, path
        assert 'href="javascript' not in shown.text, path
        assert "&lt;script&gt;" in shown.text, path


def test_an_answer_is_written_as_people_saw_it_and_links_nowhere() -> None:
    text = "**110 EUR** [1]\n\n| City | Limit |\n|---|---|\n| Porto | 110 |\n\n"
    text += "[here](https://evil.example) ![x](https://evil.example/x.png) <img src=x> <https://e.example>"
    shown = written(text)
    assert "<strong>110 EUR</strong> [1]" in shown
    assert "<td>Porto</td>" in shown
    assert "<a " not in shown
    assert "<img" not in shown


def test_gaps_stand_together_by_meaning_with_the_nearest_pages_and_their_owners(
    console: Consoled,
) -> None:
    near = console.write("1", "Office rules", owner="Ines")
    for user in ("U1", "U2", "U3"):
        console.ask(f"Dogs in the office, says {user}?", near, user=user, found=False)
    bad = console.ask("Parking at the airport?", near)
    console.vote(bad, Vote.DOWN)
    console.ask("Hotels?", near)
    shown = console.inside().get("/gaps").text
    headings = re.findall(r"<h2>(.*?)</h2>", shown)
    assert headings == ["Dogs in the office, says U3?", "Parking at the airport?"]
    assert "3 people" in shown
    assert "Office rules" in shown
    assert "Ines" in shown
    assert "Hotels" not in shown


def test_pages_are_counted_by_what_people_said_worst_first(console: Consoled) -> None:
    good = console.write("1", "Good page", owner="Ines")
    bad = console.write("2", "Bad page", owner="Rui")
    for user in ("U1", "U2", "U3"):
        console.vote(console.ask("Good?", good, user=user), Vote.UP, user)
        console.vote(console.ask("Bad?", bad, user=user), Vote.DOWN, user)
    shown = console.inside().get("/pages").text
    assert shown.index("Bad page") < shown.index("Good page")
    assert shown.index(">Rui<") < shown.index(">Ines<")
    row = re.search(r"Bad page.*?</tr>", shown, re.S)
    assert row
    assert re.findall(r"<td>(.*?)</td>", row[0])[:4] == ["3", "0", "3", "0"]


@pytest.mark.parametrize(
    ("changed", "is_old"), [("2019-03-01", True), ("2999-01-01", False), ("", False)]
)
def test_a_page_that_nobody_has_changed_for_two_years_is_called_old(
    console: Consoled, changed: str, is_old: bool
) -> None:
    used = console.write("1", "Travel", updated_at=changed)
    for user in ("U1", "U2", "U3"):
        console.ask("Hotels?", used, user=user)
    assert ("<strong>old</strong>" in console.inside().get("/pages").text) is is_old


def test_cost_adds_up_by_model_and_price(console: Consoled) -> None:
    prices = console.settings.model_copy(update={"prices": "m-1=10/100", "currency": "EUR"})
    dear = Consoled(console.store, console.site, settings=prices)
    for user in ("U1", "U2", "U3"):
        dear.ask("Known?", page("1", "Handbook"), user=user)
    shown = dear.inside().get("/cost").text
    assert figures(shown)["Answers"] == "3"
    # 3 · (1,000 · 10 + 100 · 100) / 1,000,000
    assert shown.count("0.06 EUR") >= 3
    assert "3,300" in shown
    assert "No model has a price" not in shown
    assert "No model has a price" in console.inside().get("/cost").text


def test_nobody_is_a_line_of_the_bill_unless_the_operator_has_said_so(
    console: Consoled,
) -> None:
    near = console.write("1", "Travel")
    console.ask("Hotels?", near, user="U1")
    assert "T1/U1" not in console.inside().get("/cost").text
    chosen = console.settings.model_copy(update={"console_cost_by_person": True})
    app = build(replace(console.parts, settings=chosen), console.sessions)
    for role, sees in ((ConsoleRole.OPERATOR, True), (ConsoleRole.VIEWER, False)):
        browser = TestClient(app, URL)
        browser.get(f"/in?link={console.sessions.link(role)}")
        assert ("T1/U1" in browser.get("/cost").text) is sees


@pytest.mark.parametrize("ground", ["", "&ground=dark"])
@pytest.mark.parametrize("chart", ["questions", "cost"])
def test_charts_are_pictures_for_both_grounds(console: Consoled, chart: str, ground: str) -> None:
    console.ask("Known?", page("1", "Handbook"))
    shown = console.inside().get(f"/charts/{chart}.svg?days=30{ground}")
    assert shown.headers["content-type"] == "image/svg+xml"
    assert shown.text.lstrip().startswith("<?xml")


def test_a_period_is_one_of_those_that_are_offered(console: Consoled) -> None:
    console.ask("Known?")
    for days in ("1", "30", "90", "365", "-1", "x", "9" * 50):
        shown = console.inside().get(f"/?days={days}")
        assert figures(shown.text)["Questions"] == "1"
