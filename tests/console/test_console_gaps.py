"""Gaps in the console that somebody calls fixed."""

from __future__ import annotations

from consoled import Consoled, form_token

from console.sessions import ConsoleRole
from core.digest import fixes
from core.language.sentences import sentences
from core.states import Cure

SAY = sentences("en")


def test_a_gap_that_is_called_fixed_waits_and_leaves_the_list_once_it_is_cured(
    console: Consoled,
) -> None:
    near = console.write("1", "Office rules")
    turn = console.ask("Dogs in the office?", near, found=False)
    browser = console.inside()
    page = browser.get("/gaps").text
    sent = {"form_token": form_token(page), "turns": turn.id}
    assert browser.post("/gaps/fixed", data=sent).is_success
    assert SAY("console-fix-waits") in browser.get("/gaps").text
    with console.database.reading() as session:
        fix = fixes.of_turns(session, [turn.id])[turn.id]
    fixes.save_outcomes(console.database, fix.id, {turn.id: (Cure.AS_BEFORE, None)})
    assert SAY("button-fixed") in browser.get("/gaps").text
    fixes.save_outcomes(console.database, fix.id, {turn.id: (Cure.ANSWERED, None)})
    assert "Dogs in the office?" not in browser.get("/gaps").text


def test_only_an_operator_calls_fixed_what_may_be_read(console: Consoled) -> None:
    near = console.write("1", "Office rules")
    own = console.ask("Dogs in private?", near, found=False, private=True)
    open_ = console.ask("Dogs in the office?", near, found=False)
    viewer = console.inside(ConsoleRole.VIEWER)
    page = viewer.get("/gaps").text
    assert SAY("button-fixed") not in page
    sent = {"form_token": form_token(page), "turns": open_.id}
    assert viewer.post("/gaps/fixed", data=sent).status_code == 403
    operator = console.inside()
    token = form_token(operator.get("/gaps").text)
    for turns in (own.id, "made-up", ""):
        sent = {"form_token": token, "turns": turns}
        assert operator.post("/gaps/fixed", data=sent).status_code == 404
    with console.database.reading() as session:
        assert fixes.of_turns(session, [own.id, open_.id]) == {}
