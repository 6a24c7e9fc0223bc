"""The details modal: within Slack's limits, and nothing in it means anything but itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import effect, explanation, record

from bot.views import details
from bot.views.explained.difference import SAME_WORDS, difference
from core.attribution import Cause, Explanation, Role, SentenceCauses, Tries
from core.language.sentences import sentences
from core.models import Confidence, Copy, Evidence, Hit, Kind, Note, Page, Record, Source
from core.question import Condition, Field
from core.states import ExplanationState
from core.turns.explanations import Request
from core.turns.turn import Address, Turn
from core.usage import Usage
from sandbox.slack.render.plain import plain
from sandbox.slack.web_api.block_kit import VIEW_BLOCKS, accept
from sandbox.slack.web_api.views import LIMITS, VIEW_BYTES

SAY = sentences("en")

NASTY = "<!channel> *b* ~s~ ``` `c` _i_ <https://evil.example|x> & 漢字 "


def hit(title: str = "On-call guide", **more: Any) -> Hit:
    page = Page(id="1", space="OPS", title=title, url="https://wiki.example/1")
    evidence = Evidence(
        id="a",
        page_id="1",
        kind=Kind.PASSAGE,
        text=f"{title} says who is on call.",
        heading_path=("Rota", "Week 12"),
    )
    return Hit(
        evidence=evidence,
        page=page,
        **({"score": 2.5, "lexical": 7.25, "in_page": 3.0, "dense": 0.81} | more),
    )


def answered(found: Record | None = None) -> Turn:
    where = Address("T1", "C1", "1.5", "1.0")
    return Turn(
        "t1",
        where,
        user="U0BEN",
        question="Who?",
        asked_at=0.0,
        patience_from=0.0,
        record=found or record(),
    )


def requested(result: Explanation | None) -> Request:
    return Request(
        "t1",
        "U0BEN",
        0.0,
        ExplanationState.DONE if result else ExplanationState.WAITING,
        delivered=True,
        result=result,
    )


def modal(found: Record | None = None, result: Explanation | None = None) -> dict[str, Any]:
    view = details.build_details(SAY, answered(found), requested(result))
    accept(view["blocks"], VIEW_BLOCKS)
    assert len(json.dumps(view, ensure_ascii=False).encode()) <= VIEW_BYTES
    assert all(len(view[name]["text"]) <= most for name, most in LIMITS.items() if name in view)
    return view


def text(view: dict[str, Any]) -> str:
    return plain("", view["blocks"])


def test_the_answer_without_a_page_is_shown_word_by_word_and_without_marks() -> None:
    made = record("**Ben** is on [call](https://x.example) [1].")
    told = explanation("t1", effect(counterfactual="**Nobody** is on call."))
    assert "~Ben~ → *Nobody* is on call." in text(modal(made, told))


def test_an_answer_that_stayed_the_same_is_said_to_have_stayed() -> None:
    made = record("Ben is on call [1].")
    told = explanation("t1", effect(counterfactual="Ben is **on call**."))
    assert SAY("details-same") in text(modal(made, told))


def test_another_answer_altogether_is_shown_as_it_is() -> None:
    told = explanation("t1", effect(counterfactual="No page answers **this**."))
    shown = text(modal(record("Ben is on call [1]."), told))
    assert "A typical answer without it:" in shown
    assert "No page answers this." in shown


def test_long_runs_of_the_same_words_are_shortened_and_so_is_the_end() -> None:
    before = "same " * 500 + "gone " * 900
    first, *_, last = difference(before, "same " * 500, 2_000)
    assert "same …" in first["text"]
    assert len(first["text"].split()) <= SAME_WORDS + 1
    assert last["text"].endswith("…")
    assert last["style"] == {"strike": True}


def test_each_sentence_of_the_answer_names_its_pages_and_how_often_it_was_lost() -> None:
    lost, there = Tries(lost=8, of=8), Tries(lost=1, of=8)
    alternatives = (
        Cause(effect=1, role=Role.ENOUGH, with_it=Tries(lost=0, of=3)),
        Cause(effect=2, role=Role.ENOUGH, with_it=Tries(lost=1, of=4)),
    )
    of = (
        SentenceCauses(
            text="Ben is on call.",
            causes=(Cause(effect=0, role=Role.NEEDED, without=lost, with_it=there),),
        ),
        SentenceCauses(text="Ask him.", causes=alternatives, enough=((1,), (2,))),
        SentenceCauses(text="Good luck.", tries=Tries(lost=1, of=16)),
    )
    others = [effect(name, role=Role.ENOUGH, source_numbers=()) for name in ("Rota", "Glossary")]
    shown = text(modal(result=explanation("t1", effect(), *others, sentences=of)))
    for line in (
        "*1. Ben is on call.",
        "✅ [1] On-call guide: needed; lost in 8 of 8 tries without it",
        "🔀 Rota or Glossary: either is enough; kept in 6 of 7 tries with one of them alone",
        "What rests on it was said 7 times in 8 with it, 0 times in 8 without it.",
        "No page could be singled out; lost in 1 of 16 tries with some of them.",
        "Said even without any page.",
    ):
        assert line in shown


def test_what_did_nothing_is_one_line_that_promises_no_more_than_was_tried() -> None:
    others = [effect(f"Page {n}", role=Role.UNUSED, source_numbers=()) for n in range(40)]
    shown = text(modal(result=explanation("t1", effect(), *others)))
    assert "⚪ No effect found in 17 tries: Page 0; Page 1; " in shown
    assert "and 20 more" in shown


def test_tests_tokens_money_model_and_time_stand_here() -> None:
    told = explanation("t1", model="small", usage=Usage(calls=26, prompt_tokens=100), seconds=9.5)
    shown = text(modal(result=told.model_copy(update={"cost": 0.25, "currency": "EUR"})))
    assert "at most 5 of 100 explanations" in shown
    assert "26 calls, 100 tokens, 9.5 s, 0.2500 EUR, model small." in shown


def test_behind_the_scenes_stands_how_the_answer_was_made() -> None:
    conditions = (Condition(field=Field.SPACE, value="OPS", said="in OPS"),)
    more = {
        "hits": (
            hit(),
            hit("Glossary", lexical=0.0, copies=(Copy(evidence=hit().evidence, page=hit().page),)),
        )
    }
    made = record(completed="Who is on call in Porto?")
    made = made.model_copy(
        update={
            **more,
            "prompt": "Answer from these pages: …",
            "completed": made.completed.model_copy(
                update={"conditions": conditions, "context": ("Porto",)}
            ),
            "usage": Usage(calls=1, prompt_tokens=1800, completion_tokens=40, seconds=1.0),
            "seconds": {"retrieve": 0.25, "generate": 1.5},
        }
    )
    shown = text(modal(made))
    for line in (
        "*Understood as: *Who is on call in Porto? (by rules)",
        "*With the help of: *Porto",
        "*Filters: *in OPS",
        "*Answered by: *small",
        "*Seconds: *search 0.25; answer 1.50",
        "*Tokens: *1,800 in, 40 out, 1 call",
        "1. On-call guide › Week 12  7.25",
        "passage: words 7.25, whole page 3.00, meaning 0.81, together 2.50",
        "words 0.00, whole page 3.00, meaning 0.81, together 2.50; on 1 more page",
        "Answer from these pages: …",
    ):
        assert line in shown
    assert "2. Glossary › Week 12  0.00" not in shown  # words did not find it


def test_a_turn_without_explanation_shows_what_there_is() -> None:
    shown = text(modal())
    assert SAY("details-not-explained") in shown
    assert SAY("trace-title") in shown
    assert SAY("prompt-none") in shown


def test_a_long_prompt_shows_both_ends_and_counts_what_is_left_out() -> None:
    made = record().model_copy(update={"prompt": "START" + "x" * 20_000 + "END"})
    shown = text(modal(made))
    assert "START" in shown
    assert "END" in shown
    assert "… 11,608 characters are left out here …" in shown


@pytest.mark.parametrize("many", [0, 1, 50, 500])
def test_whatever_there_is_to_tell_slack_takes_it(many: int) -> None:
    long = NASTY * 200
    causes = tuple(Cause(effect=n, role=Role.PART) for n in range(many))
    of = (SentenceCauses(text=long, causes=causes),) * many
    effects = [effect(long, counterfactual=long) for _ in range(many)]
    told = explanation(
        "t1",
        *effects,
        sentences=of,
        without_evidence=long,
        skipped=(long,) * many,
    )
    made = record().model_copy(
        update={"hits": tuple(hit(long) for _ in range(many)), "prompt": NASTY * 9_000}
    )
    modal(made, told.model_copy(update={"effects": tuple(effects)}))


def test_page_text_stands_in_rich_text_alone_which_has_no_markup() -> None:
    told = explanation(
        "t1",
        effect(counterfactual=NASTY),
        without_evidence=NASTY,
        sentences=(SentenceCauses(text=NASTY),),
    )
    made = record().model_copy(update={"hits": (hit(NASTY),), "prompt": NASTY})
    for block in modal(made, told)["blocks"]:
        if block["type"] != "rich_text":
            assert "<!" not in json.dumps(block)
            assert "evil.example" not in json.dumps(block)


def test_a_modal_that_says_one_thing_is_one_that_slack_takes() -> None:
    for key in ("details-loading", "details-closed", "details-down", "details-refused"):
        accept(details.build_sentence(SAY, key)["blocks"], VIEW_BLOCKS)


def test_no_effect_has_a_verdict_and_all_the_same_it_is_shown() -> None:
    told = explanation("t1", effect(role=None), verdict=None)
    assert "On-call guide" in text(modal(result=told))


def test_what_the_message_leaves_out_stands_in_the_details() -> None:
    source = Source(
        number=1,
        title="Rota",
        url="https://wiki.example/1",
        space="OPS",
        owner="Daniel Okoye",
        updated_at="2026-03-01T08:00:00Z",
        also=(("Rota, copied", "https://wiki.example/2"),),
    )
    answer = record().answer.model_copy(
        update={
            "sources": (source,),
            "notes": (Note.NO_MODEL,),
            "confidence": Confidence.HIGH,
            "searched": ("OPS",),
        }
    )
    shown = text(modal(record().model_copy(update={"answer": answer})))
    assert "OPS · Daniel Okoye · changed Mar 1, 2026 · also on Rota, copied" in shown
    for said in (SAY("note-no_model"), SAY("searched-only", spaces="OPS"), "Answered on the page."):
        assert said in shown
