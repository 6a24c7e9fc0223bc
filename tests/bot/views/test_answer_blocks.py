"""An answer in Slack: within the limits whatever it is, and no page text means anything."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from desk import SOURCES, check, record, texts

from bot.views import answer_blocks, progress
from bot.views.answer.sources import SURE, source_lines
from bot.views.answer_menu import Choice
from bot.views.reasons import no_answer
from core.language.sentences import sentences
from core.models import Answer, Confidence, Note, Record, Since, Source
from core.question import Completed, Condition, Field
from core.states import NoAnswer, TurnState
from core.turns.turn import Address, Turn

SAY = sentences("en")

COMPLETED = Completed(question="Who?", text="Who?")
LONG_URL = "https://wiki.example/wiki/spaces/ENG/pages/1/" + "%E6%BC%A2" * 100


def built(answer: Answer, completed: Completed = COMPLETED) -> list[dict[str, Any]]:
    return answer_blocks.build_messages(SAY, "t" * 32, completed, answer)[-1].blocks


def many(number: int, **more: str) -> tuple[Source, ...]:
    return tuple(
        Source(number=n, **({"title": f"Page {n}", "url": f"https://wiki.example/{n}"} | more))
        for n in range(1, number + 1)
    )


@pytest.mark.parametrize(
    "answer",
    [
        Answer(text="Yes."),
        Answer(text=""),
        Answer(text="word " * 10_000, sources=SOURCES),
        Answer(text="It is so [1][2]. " * 2_000, sources=many(10, url=LONG_URL)),
        Answer(text="Yes [40].", sources=many(200)),
        Answer(
            text="Yes.",
            sources=many(
                10, title="&" * 500, heading="<" * 500, owner="&" * 300, space="~" + "9" * 300
            ),
        ),
        Answer(text="漢" * 20_000, sources=many(10, title="漢" * 255, url=LONG_URL * 3)),
        Answer(text="No.", sources=SOURCES, notes=tuple(Note)),
        Answer(text='"\\\n' * 5_000, sources=SOURCES),
    ],
    ids=["short", "empty", "long", "cited", "sources", "escaped", "chinese", "notes", "quotes"],
)
def test_every_answer_is_within_the_limits_of_slack(answer: Answer) -> None:
    check(built(answer))
    for said in answer_blocks.build_messages(SAY, "t" * 32, COMPLETED, answer):
        check(said.blocks)
        assert said.text


def test_an_answer_shows_its_text_its_sources_and_its_buttons() -> None:
    shown = built(record().answer)
    assert texts(shown, "markdown") == [
        r"Ben is on call [\[1\]](https://wiki.example/on-call#who)."
    ]
    assert texts(shown, "section")[0].splitlines() == [
        "[1] <https://wiki.example/on-call#who|On-call guide › Who is on call>",
        "[2] <https://wiki.example/glossary|Glossary>",
    ]
    assert [block["type"] for block in shown] == [
        "markdown",
        "section",
        "context_actions",
        "actions",
    ]


def test_sources_that_find_no_room_are_counted() -> None:
    shown = "\n".join(texts(built(Answer(text="Yes.", sources=many(300))), "section"))
    lines = shown.splitlines()
    assert lines[-1] == SAY("and-more", count=300 - (len(lines) - 1))
    assert lines[len(lines) - 2].startswith(f"[{len(lines) - 1}] <https")


def test_a_title_means_nothing_but_itself() -> None:
    source = Source(
        number=1, title="A | B > <!channel> & @here", url="https://wiki.example/?a=1&b=2|3"
    )
    (section,) = texts(built(Answer(text="Yes [1].", sources=(source,))), "section")
    assert (
        section
        == "[1] <https://wiki.example/?a=1&amp;b=2%7C3|A ¦ B &gt; &lt;!channel&gt; &amp; @here>"
    )


def test_an_address_too_long_for_slack_is_left_out_rather_than_cut() -> None:
    (section,) = texts(
        built(
            Answer(
                text="Yes.",
                sources=(Source(number=1, title="Long", url="https://x.example/" + "x" * 4000),),
            )
        ),
        "section",
    )
    assert section == "[1] Long"


def test_page_text_in_an_answer_calls_nobody_and_links_nowhere() -> None:
    answer = Answer(
        text="<!channel> <@U0ALICE> [click](https://evil.example) <https://evil.example|here>"
    )
    (shown,) = texts(built(answer), "markdown")
    assert not any(live in shown for live in ("<!", "<@", "](", "<https"))
    assert not any(
        live in answer_blocks.build_messages(SAY, "t", COMPLETED, answer)[-1].text
        for live in ("<!", "<@", "](", "<https")
    )


def test_the_completed_question_is_shown_when_it_says_more_than_the_question() -> None:
    more = record(completed="Who is on call in <Porto>?")
    assert texts(built(more.answer, more.completed), "context") == [
        "Understood as: Who is on call in &lt;Porto&gt;?"
    ]
    assert texts(built(record().answer, record().completed), "context") == []


CONDITIONS = (
    Condition(field=Field.AFTER, value="2023-04-01", said="after March 2023"),
    Condition(field=Field.SPACE, value="ENG", said="in ENG"),
)
FILTERED = Completed(question="Who?", text="Who?", conditions=CONDITIONS)


def buttons(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        element
        for block in shown
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "button"
    ]


def test_filters_are_shown_and_can_be_taken_away() -> None:
    shown = built(record().answer, FILTERED)
    check(shown)
    assert texts(shown, "context") == ["Only pages: changed since Apr 1, 2023 · in ENG"]
    assert [(each["action_id"], each["value"]) for each in buttons(shown)][1:] == [
        (answer_blocks.UNFILTERED_ACTION, "t" * 32)
    ]


def test_filters_that_nothing_passed_are_named_and_there_is_nothing_to_take_away() -> None:
    shown = built(record(notes=(Note.CONDITIONS_DROPPED,)).answer, FILTERED)
    assert texts(shown, "context") == [
        f"{SAY('note-conditions_dropped')} Asked for pages: changed since Apr 1, 2023 · in ENG"
    ]
    assert [each["action_id"] for each in buttons(shown)] == [answer_blocks.EXPLAIN_ACTION]


def test_every_field_of_a_filter_has_its_words_and_a_value_means_nothing_but_itself() -> None:
    every = tuple(Condition(field=field, value="<!channel> & co") for field in Field)
    (shown,) = texts(
        built(record().answer, FILTERED.model_copy(update={"conditions": every})), "context"
    )
    assert shown.count("&lt;!channel&gt; &amp; co") == len(Field)


def test_follow_up_questions_are_three_buttons_whose_values_name_them() -> None:
    suggestions = ("And next week?", "W" * 300, " ", "Who stands in?")
    shown = built(record(suggestions=suggestions).answer)
    check(shown)
    pressed = buttons(shown)[1:]
    assert [each["text"]["text"] for each in pressed] == ["And next week?", "W" * 74 + "…"]
    assert [(each["action_id"], each["value"]) for each in pressed] == [
        (f"follow_up_{n}", f"{'t' * 32}:{n}") for n in (0, 1)
    ]


def test_a_question_that_no_message_asks_stands_above_its_answer_within_the_limits() -> None:
    above = answer_blocks.build_question(SAY, "<!channel> & " * 400, "U0BEN")
    answer = Answer(
        text="word " * 10_000, sources=many(10, url=LONG_URL), suggestions=("漢" * 99,) * 3
    )
    said = answer_blocks.build_messages(SAY, "t" * 32, FILTERED, answer, above=above)
    for each in said:
        check(each.blocks)
    assert [above[0] in each.blocks for each in said] == [True, *[False] * (len(said) - 1)]
    assert texts(said[0].blocks, "context")[0].startswith("*<@U0BEN> asks:* ‹!channel&gt; &amp;")


def test_every_note_that_is_no_fact_of_the_setup_is_remarked() -> None:
    for note in set(Note) - {Note.NO_MODEL, Note.KEPT_INSIDE}:
        shown = json.dumps(
            built(Answer(text="Yes.", sources=SOURCES, notes=(note,)), FILTERED),
            ensure_ascii=False,
        )
        assert SAY(f"note-{note}") in shown


@pytest.mark.parametrize("note", [Note.NO_MODEL, Note.KEPT_INSIDE])
def test_that_no_model_was_used_is_no_remark(note: Note) -> None:
    assert texts(built(Answer(text="Yes [1].", sources=SOURCES, notes=(note,))), "context") == []


def types(shown: list[dict[str, Any]]) -> list[str]:
    return [block["type"] for block in shown]


@pytest.mark.parametrize("confidence", [None, Confidence.HIGH])
def test_a_sure_answer_has_its_sources_votes_why_and_menu_and_no_word_more(
    confidence: Confidence | None,
) -> None:
    shown = built(Answer(text="Yes [1].", sources=SOURCES, confidence=confidence))
    assert types(shown) == ["markdown", "section", "context_actions", "actions"]
    (section,) = texts(shown, "section")
    assert section.startswith(SURE) is (confidence is Confidence.HIGH)
    assert [each["text"]["text"] for each in buttons(shown)] == ["Why?"]


@pytest.mark.parametrize("confidence", [Confidence.MEDIUM, Confidence.LOW])
def test_an_unsure_answer_says_so_and_what_nobody_can_rely_on_suggests_nothing(
    confidence: Confidence,
) -> None:
    answer = Answer(
        text="Yes.",
        sources=SOURCES,
        confidence=confidence,
        suggestions=("And now?",),
        model="large",
    )
    shown = built(answer)
    assert texts(shown, "context") == [SAY(f"confidence-{confidence}")]
    assert types(shown)[0] == "markdown"
    first, *suggested = [each["action_id"] for each in buttons(shown)]
    assert first == answer_blocks.EXPLAIN_ACTION
    assert bool(suggested) is (confidence is Confidence.MEDIUM)


def test_a_quote_that_more_likely_misses_says_so_before_it_in_blocks_and_notification() -> None:
    answer = Answer(text="Yes [1].", sources=SOURCES, confidence=Confidence.LOW)
    asked = answer_blocks.build_question(SAY, "Who?", "U1")
    (message,) = answer_blocks.build_messages(SAY, "t1", COMPLETED, answer, above=asked)
    check(message.blocks)
    assert types(message.blocks)[:3] == ["context", "context", "markdown"]
    assert texts(message.blocks, "context")[1:] == [SAY("nearest-quoted")]
    assert message.text.splitlines()[:2] == [SAY("nearest-quoted"), "Yes [1]."]


def test_an_answer_that_was_not_found_names_the_nearest_three_pages_and_offers_a_person() -> None:
    answer = Answer(
        text="No page answers this.",
        sources=many(5),
        more=many(2),
        notes=(Note.NOT_FOUND, Note.NO_MODEL),
        suggestions=("And now?",),
    )
    completed = Completed(question="Who?", text="About “Rota”: who?", context=("Rota",))
    shown = built(answer, completed)
    check(shown)
    assert types(shown) == ["markdown", "section", "actions"]
    assert texts(shown, "markdown") == ["No page answers this. The nearest:"]
    assert texts(shown, "section")[0].splitlines() == [
        f"• <https://wiki.example/{n}|Page {n}>" for n in (1, 2, 3)
    ]
    assert [each["action_id"] for each in buttons(shown)] == [answer_blocks.HAND_OVER_ACTION]
    (menu,) = menus(shown)
    assert [option["value"].partition(":")[0] for option in menu["options"]] == [
        "behind",
        "person",
        "delete",
    ]


def test_where_nothing_is_near_nothing_is_announced() -> None:
    shown = built(Answer(text="No page answers this.", notes=(Note.NOT_FOUND,)))
    assert texts(shown, "markdown") == ["No page answers this."]


def test_why_a_page_may_be_missing_is_said_below_an_answer_that_was_not_found() -> None:
    answer = Answer(text="No.", notes=(Note.NOT_FOUND, Note.UNCHECKED), searched=("HR",))
    assert texts(built(answer), "context") == [
        f"{SAY('note-unchecked')} {SAY('searched-only', spaces='HR')}"
    ]


def test_a_sure_answer_does_not_say_where_it_was_searched() -> None:
    sure = Answer(text="Yes.", sources=SOURCES, searched=("HR",), confidence=Confidence.HIGH)
    unsure = sure.model_copy(update={"confidence": Confidence.LOW})
    assert texts(built(sure), "context") == []
    assert texts(built(unsure), "context")[-1].endswith(SAY("searched-only", spaces="HR"))


@pytest.mark.parametrize(
    ("by", "context", "is_shown"),
    [
        ("", ("On-call guide", "Who leads?"), False),
        ("", ("Travel policy", "Who leads?"), True),
        ("", ("Who leads?",), True),
        ("large", (), True),
    ],
    ids=["about the page it comes from", "about another page", "about no page", "by a model"],
)
def test_a_completed_question_is_shown_where_it_may_surprise(
    by: str, context: tuple[str, ...], is_shown: bool
) -> None:
    completed = Completed(question="Who?", text="After that: who?", context=context, by=by)
    shown = texts(built(record().answer, completed), "context")
    assert shown == (["Understood as: After that: who?"] if is_shown else [])


def test_a_question_that_has_words_of_the_one_before_is_shown() -> None:
    whole = "Who leads on Monday?"
    completed = Completed(question=whole, text=whole, fragment="and on Monday?")
    shown = texts(built(record().answer, completed), "context")
    assert shown == [f"Understood as: {whole}"]


def test_the_next_best_pages_stand_in_one_line_without_those_that_are_closed() -> None:
    more = (*many(2), Source(number=3, title="Secret", url="https://x.example", since=Since.GONE))
    (line,) = texts(built(Answer(text="Yes [1].", sources=SOURCES, more=more)), "context")
    assert line == "Also: <https://wiki.example/1|Page 1> · <https://wiki.example/2|Page 2>"


@pytest.mark.parametrize(
    ("updated", "said"),
    [
        ("2024-03-01T08:00:00Z", " · last changed Mar 1, 2024"),
        ("2024-03-01", " · last changed Mar 1, 2024"),
        ("2026-03-01T08:00:00.000+02:00", ""),
        ("", ""),
        ("lately", ""),
    ],
)
def test_only_of_an_old_page_the_day_of_its_last_change_is_named(updated: str, said: str) -> None:
    source = Source(number=1, title="Rota", url="https://x.example", updated_at=updated)
    answer = Answer(text="Ben [1].", sources=(source,))
    asked_at = datetime(2026, 11, 22, tzinfo=UTC).timestamp()
    (shown,) = source_lines(SAY, answer, asked_at)
    assert shown == f"[1] <https://x.example|Rota>{said}"


def test_the_value_of_a_vote_names_the_vote_and_the_turn_within_2000_characters() -> None:
    (feedback,) = [block for block in built(record().answer) if block["type"] == "context_actions"]
    element = feedback["elements"][0]
    values = [element[side]["value"] for side in ("positive_button", "negative_button")]
    assert values == [f"up:{'t' * 32}", f"down:{'t' * 32}"]
    assert max(map(len, values)) <= 2000


def refused(why: NoAnswer, until: float | None = None) -> Turn:
    address = Address("T1", "C1", "1.5", "1.5")
    return Turn(
        id="t1",
        address=address,
        user="U1",
        question="?",
        asked_at=0.0,
        patience_from=0.0,
        state=TurnState.FAILED,
        reason=why,
        refused_until=until,
    )


@pytest.mark.parametrize(
    ("reason", "again"),
    [
        (NoAnswer.LATE, True),
        (NoAnswer.GAVE_UP, True),
        (NoAnswer.EMPTY, False),
        (NoAnswer.TOO_LONG, False),
    ],
)
def test_a_reason_is_a_sentence_and_a_button_where_trying_again_may_help(
    reason: NoAnswer, again: bool
) -> None:
    shown = progress.build_reason(SAY, refused(reason))
    check(shown)
    assert shown[0]["text"]["text"] == no_answer(SAY, reason)
    assert ("actions" in [block["type"] for block in shown]) is again


def test_a_record_of_a_newer_program_can_still_be_shown() -> None:
    stored = record().model_dump(mode="json") | {"mood": "good"}
    check(built(Record.model_validate(stored).answer))


def test_a_limit_says_in_each_readers_own_time_when_it_is_over() -> None:
    (block,) = progress.build_reason(SAY, refused(NoAnswer.LIMIT_DAY, 1795305600.0))
    assert (
        "again from <!date^1795305600^{time}, {date_short}|Nov 22, 2026, 00:00 UTC>."
        in block["text"]["text"]
    )
    check([block])


@pytest.mark.parametrize("why", [*NoAnswer, NoAnswer.saved("of a newer program")])
def test_every_reason_is_a_sentence_without_gaps(why: NoAnswer) -> None:
    assert "{when}" not in no_answer(SAY, why)
    assert len(no_answer(SAY, why)) > 40


def menus(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        element
        for block in shown
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "overflow"
    ]


def test_every_answer_has_a_menu_whose_choices_name_the_turn() -> None:
    shown = built(record().answer)
    check(shown)
    (menu,) = menus(shown)
    assert [option["value"] for option in menu["options"]] == [
        f"{choice}:{'t' * 32}" for choice in Choice
    ]
    assert [option["text"]["text"] for option in menu["options"]] == [
        SAY(f"menu-{choice}") for choice in Choice
    ]


def test_without_sources_there_is_none_to_report() -> None:
    (menu,) = menus(built(record(sources=()).answer))
    assert [option["value"].partition(":")[0] for option in menu["options"]] == [
        "behind",
        "person",
        "delete",
    ]


def test_a_source_whose_page_has_changed_since_says_so() -> None:
    source = Source(
        number=1,
        title="Rota",
        url="https://wiki.example/1",
        updated_at="2026-03-01T08:00:00Z",
        since=Since.CHANGED,
    )
    (shown,) = texts(built(Answer(text="Ben [1].", sources=(source,))), "section")
    assert shown == f"[1] <https://wiki.example/1|Rota> · {SAY('source-since-changed')}"


def test_a_source_that_is_gone_or_closed_loses_its_title_and_its_links() -> None:
    gone = Source(
        number=1,
        title="Secret rota",
        url="https://wiki.example/secret",
        also=(("Secret copy", "https://wiki.example/c"),),
        since=Since.GONE,
    )
    open_ = Source(number=2, title="Rota", url="https://wiki.example/2")
    answer = Answer(text="Ben [1][2].", sources=(gone, open_))
    for shown in (
        json.dumps(built(answer)),
        answer_blocks.build_messages(SAY, "t", COMPLETED, answer)[-1].text,
    ):
        assert f"[1] {SAY('source-since-gone')}" in shown
        assert "ecret" not in shown
    assert texts(built(answer), "markdown") == ["Ben [1][\\[2\\]](https://wiki.example/2)."]


def test_a_suggestion_is_plain_text_on_its_button_and_means_nothing() -> None:
    shown = built(record(suggestions=("<!channel> <https://evil.example|Who?> *now*",)).answer)
    check(shown)
    assert buttons(shown)[-1]["text"] == {
        "type": "plain_text",
        "text": "<!channel> <https://evil.example|Who?> *now*",
    }
