"""The details modal: within Slack's limits, and nothing in it means anything but itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import effect, explanation, record

from bot.views import details
from core.attribution import Cause, Change, Edit, Explanation, Role, SentenceCauses
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
CHANGES = (
    Change(edit=Edit.REMOVED, text="Ben"),
    Change(edit=Edit.ADDED, text="Nobody"),
    Change(edit=Edit.SAME, text=" is on call."),
)


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


def test_the_answer_without_a_piece_is_shown_word_by_word() -> None:
    shown = text(modal(result=explanation("t1", effect(difference=CHANGES))))
    assert "~Ben~*Nobody* is on call." in shown


def test_an_answer_that_stayed_the_same_is_said_to_have_stayed() -> None:
    same = effect(difference=(Change(edit=Edit.SAME, text="Ben is on call."),))
    assert SAY("details-same") in text(modal(result=explanation("t1", same)))


def test_a_record_without_differences_shows_the_other_answer() -> None:
    assert "Nobody knows." in text(modal(result=explanation("t1", effect())))


def test_long_runs_of_the_same_words_are_shortened_and_so_is_the_end() -> None:
    changes = (
        Change(edit=Edit.SAME, text="same " * 500),
        Change(edit=Edit.REMOVED, text="gone " * 900),
    )
    first, second = details.difference(changes)
    assert " … " in first["text"]
    assert len(first["text"]) <= details.SAME_LIMIT + 3
    assert second["text"].endswith("…")
    assert len(first["text"]) + len(second["text"]) <= details.ANSWER_LIMIT


def test_each_sentence_of_the_answer_names_what_it_hangs_on() -> None:
    needed = Cause(effect=0, role=Role.NEEDED)
    of = (
        SentenceCauses(text="Ben is on call.", causes=(needed,)),
        SentenceCauses(text="Ask him."),
    )
    shown = text(modal(result=explanation("t1", effect(), sentences=of)))
    assert "1. Ben is on call.  → *[1] On-call guide*" in shown
    assert f"2. Ask him.  → {SAY('details-nothing-alone')}" in shown


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
    changes = tuple(
        Change(edit=edit, text=long)
        for edit in (Edit.SAME, Edit.REMOVED, Edit.ADDED)
        for _ in range(3)
    )
    causes = tuple(Cause(effect=n, role=Role.PART) for n in range(many))
    of = (SentenceCauses(text=long, causes=causes),) * many
    effects = [effect(long, difference=changes) for _ in range(many)]
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
        effect(difference=(Change(edit=Edit.ADDED, text=NASTY),)),
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
