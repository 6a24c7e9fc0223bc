"""An explanation in Slack: read in five seconds, within the limits, and no number too many."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from desk import check, effect, explanation, texts

from bot.views import explanation_blocks, explanation_text
from bot.views.block_kit import SECTION_LIMIT
from core.attribution import (
    AnswerPath,
    AnswerVerdict,
    Cause,
    Effect,
    Explanation,
    Method,
    Role,
    SentenceCauses,
    Stage,
    Tries,
)
from core.language.sentences import sentences
from core.usage import Usage
from sandbox.slack.render.plain import plain

SAY = sentences("en")
GERMAN = sentences("de")

HOTELS = effect("Travel policy › Hotels", lost="Up to 110 EUR.", instead="Up to 95 EUR.")
NASTY = "<!channel> & *bold* ~gone~ `code` | " + "漢字 " * 90


def unused(label: str = "Glossary", *numbers: int) -> Effect:
    return effect(label, role=Role.UNUSED, source_numbers=numbers, share=0.0)


def sentence(*causes: Cause, enough: Any = ()) -> SentenceCauses:
    return SentenceCauses(text="Up to 110 EUR.", causes=causes, enough=enough)


def either(*groups: tuple[Effect, ...], **more: Any) -> Explanation:
    """Each group of effects is an alternative."""
    effects: list[Effect] = []
    places: list[tuple[int, ...]] = []
    for group in groups:
        places.append(tuple(range(len(effects), len(effects) + len(group))))
        effects += group
    causes = [Cause(effect=place, role=Role.ENOUGH) for place in range(len(effects))]
    return explanation("t1", *effects, sentences=(sentence(*causes, enough=tuple(places)),), **more)


def enough(label: str, *numbers: int) -> Effect:
    return effect(label, role=Role.ENOUGH, source_numbers=numbers)


def shown(told: Explanation, say: Any = SAY) -> list[str]:
    """The lines that people read, one for each block, without the button."""
    built = explanation_blocks.build_explanation(say, told)
    check(built)
    return [plain("", [block]) for block in built if block["type"] != "actions"]


def test_an_explanation_is_four_lines() -> None:
    others = (unused("Glossary", 2), *(unused(f"Page {n}") for n in range(7)))
    assert shown(explanation("t1", HOTELS, *others, tries=26)) == [
        "*This answer comes from [1] Travel policy › Hotels.*",
        "In a test without [1] I said: Up to ~110~ → *95* EUR.",
        "✅ [1] needed · ⚪ [2] cited, made no difference · 7 other passages made no difference",
        "26 test answers. What is named here rarely turns out not to matter; something that "
        "matters may be missing. How sure? → Details",
    ]


def test_no_number_is_in_it_but_those_counts() -> None:
    told = explanation("t1", HOTELS, unused(), model="small", usage=Usage(calls=26, seconds=12.5))
    lines = shown(told.model_copy(update={"cost": 0.25, "seconds": 9.0}))
    counted = re.findall(r"\d+(?:\.\d+)?", " ".join([lines[0], *lines[2:]]))
    assert counted == ["1", "1", "1", "17"]  # citations, one other, the test answers


def test_what_is_needed_together_is_said_to_be() -> None:
    causes = [Cause(effect=place, role=Role.TOGETHER) for place in (0, 1)]
    two = [
        effect(name, role=Role.TOGETHER, source_numbers=(n,)) for n, name in ((1, "A"), (4, "B"))
    ]
    first, *_, line, _ = shown(explanation("t1", *two, sentences=(sentence(*causes),)))
    assert first == "*This answer needs [1] A and [4] B together.*"
    assert line == "✅ [1] and [4] needed together"


def test_of_two_that_are_each_enough_neither_is_called_needed() -> None:
    first, line, _ = shown(either((enough("A", 1),), (enough("B", 4),)))
    assert first == "*This answer comes from [1] A or [4] B: either is enough.*"
    assert line == "🔀 [1] or [4]: either is enough"


def test_of_three_any_is_enough_and_a_pair_counts_as_one() -> None:
    pair = (enough("A", 1), enough("B", 2))
    first, line, _ = shown(either(pair, (enough("C", 3),), (enough("D"),)))
    assert first == "*This answer comes from [1] + [2], [3], or D: any one of them is enough.*"
    assert line == "🔀 [1] + [2], [3], or D: any one is enough"


def test_several_pieces_of_one_page_are_one_page() -> None:
    first, line, _ = shown(either((enough("A", 1),), (enough("A", 1),)))
    assert first == "*This answer comes from [1] A.*"
    assert line == "✅ [1] needed"
    pieces = (HOTELS, unused("Travel policy › Hotels", 1))
    assert "made no difference" not in shown(explanation("t1", *pieces))[2]


def test_a_page_that_decided_without_being_cited_says_so() -> None:
    told = explanation("t1", effect("Glossary", source_numbers=()))
    assert shown(told)[-2] == "✅ Glossary needed, though not cited"


def test_many_pages_are_named_by_their_citations() -> None:
    many = [effect(f"Page {n}", source_numbers=(n,)) for n in range(1, 7)]
    first = shown(explanation("t1", *many))[0]
    assert first == "*This answer comes from [1], [2], [3], [4], [5], and [6].*"


def test_what_no_page_explains_is_said_where_others_are_explained() -> None:
    of = (sentence(Cause(effect=0, role=Role.NEEDED)), sentence())
    told = explanation("t1", HOTELS, sentences=of)
    assert shown(told)[0].endswith("* For the rest of it, no page could be singled out.")


def test_a_copy_on_another_page_is_mentioned() -> None:
    told = explanation("t1", effect("A", pages=2))
    assert shown(told)[0] == "*This answer comes from [1] A (another page says the same).*"


def test_an_answer_that_stays_rests_on_no_page() -> None:
    told = explanation("t1", unused("A", 1), unused("B"), verdict=AnswerVerdict.STAYS)
    first, line, last = shown(told)
    assert "stayed the same even without any page" in first
    assert line == "⚪ [1] cited, made no difference · 1 other passage made no difference"
    assert "may have been missed" in last


@pytest.mark.parametrize("verdict", [AnswerVerdict.SHARED, AnswerVerdict.VARIES])
def test_where_nothing_can_be_singled_out_no_page_is_marked(verdict: AnswerVerdict) -> None:
    told = explanation("t1", unused("A", 1), verdict=verdict, without_evidence="I **do** not know.")
    lines = shown(told)
    assert lines[0] == f"*{SAY(f'verdict-{verdict}')}*"
    assert not any("made no difference" in line for line in lines)
    is_shared = verdict is AnswerVerdict.SHARED
    assert ("In a test without any page I said: “I do not know.”" in lines) is is_shared


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"left_undone": (Stage.EXPLORE,)}, "more test answers than are allowed"),
        ({"failed": 9}, "answered too few of the test questions"),
        ({"effects": ()}, "no page was given"),
    ],
)
def test_what_was_not_tested_says_why(more: dict[str, Any], why: str) -> None:
    told = explanation("t1", effect(role=None), verdict=AnswerVerdict.NOT_TESTED, tries=0)
    (line,) = shown(told.model_copy(update=more))
    assert line.startswith("*Not tested: ")
    assert why in line


def test_of_a_quoted_answer_one_line_is_enough_and_what_would_have_been_quoted() -> None:
    told = explanation("t1", HOTELS, unused("Glossary"), path=AnswerPath.QUOTED)
    assert shown(told) == [
        "*Taken from [1] Travel policy › Hotels; no language model wrote it.*",
        "Without [1] I would have quoted: Up to ~110~ → *95* EUR.",
    ]


def test_another_sentence_is_shown_as_it_is_and_none_at_all_is_said() -> None:
    other = effect(
        lost="Up to 110 EUR.", instead="The pages I can read do not **answer** this [2]."
    )
    assert shown(explanation("t1", other))[1] == (
        "In a test without [1] I said: “The pages I can read do not answer this.”"
    )
    gone = effect(lost="Up to *110* EUR [1].", instead="")
    assert "I did not say: “Up to *110* EUR.”" in shown(explanation("t1", gone))[1]


def test_a_german_reads_german() -> None:
    lines = shown(explanation("t1", HOTELS, unused("Glossar", 2), tries=26), GERMAN)
    assert lines[0] == "*Diese Antwort kommt aus [1] Travel policy › Hotels.*"
    assert lines[1].startswith("Im Test ohne [1] habe ich gesagt: ")
    assert lines[2] == "✅ [1] nötig · ⚪ [2] zitiert, hat nichts geändert"
    assert lines[3].startswith("26 Testantworten.")


def test_fifty_effects_are_within_the_limits_whatever_their_titles() -> None:
    effects = [
        effect(f"{n} {NASTY}", source_numbers=(), lost=NASTY * 20, instead="y " * 900)
        for n in range(1, 51)
    ]
    told = explanation("t1", *effects, model="<small>", skipped=(NASTY,) * 50)
    built = explanation_blocks.build_explanation(SAY, told, picture="F0123456789")
    check(built)
    for block in built:
        if block["type"] in ("section", "context"):
            assert "<!" not in json.dumps(block)
    assert len(explanation_text.as_text(SAY, told)) <= SECTION_LIMIT


def test_shares_of_a_method_without_a_test_come_after_that_was_said() -> None:
    told = explanation("t1", effect(role=None, share=0.75), verdict=None, method=Method.NAIVE)
    assert shown(told) == [f"*{SAY('untested-naive')}*", "75% [1] On-call guide"]


def test_the_picture_has_its_words_for_whoever_does_not_see_it() -> None:
    cause = Cause(
        effect=0, role=Role.NEEDED, with_it=Tries(lost=1, of=8), without=Tries(lost=8, of=8)
    )
    told = explanation("t1", effect(), unused(NASTY), sentences=(sentence(cause),))
    built = explanation_blocks.build_explanation(SAY, told, picture="F0123456789")
    (image,) = [block for block in built if block["type"] == "image"]
    assert image["slack_file"] == {"id": "F0123456789"}
    assert "[1] On-call guide: 7 times in 8 with it, 0 times in 8 without it." in image["alt_text"]
    assert "Glossary" not in image["alt_text"]


def test_under_an_explanation_there_are_its_details_and_under_its_progress_a_way_to_stop_it() -> (
    None
):
    (details,) = explanation_blocks.build_explanation(SAY, explanation("t1"))[-1]["elements"]
    assert (details["action_id"], details["value"]) == (explanation_blocks.DETAILS_ACTION, "t1")
    (stop,) = explanation_blocks.build_progress(SAY, "t1", "…")[-1]["elements"]
    assert (stop["action_id"], stop["value"]) == (explanation_blocks.STOP_ACTION, "t1")


def test_what_a_notification_says_is_what_the_message_says() -> None:
    told = explanation("t1", HOTELS, unused("Glossary", 2))
    text = explanation_text.as_text(SAY, told)
    for line in ("comes from [1]", "without [1] I said", "[2] cited, made no difference"):
        assert line in text
    assert texts(explanation_blocks.build_explanation(SAY, told), "section")


@pytest.mark.parametrize("verdict", [None, *AnswerVerdict])
@pytest.mark.parametrize("role", [None, *Role])
@pytest.mark.parametrize("say", [SAY, GERMAN], ids=["en", "de"])
def test_whatever_was_found_there_are_words_for_it(
    verdict: AnswerVerdict | None, role: Role | None, say: Any
) -> None:
    of = (sentence(*([Cause(effect=0, role=role)] if role else [])),)
    told = explanation("t1", effect(role=role), verdict=verdict, sentences=of)
    assert all(line.strip("* ") for line in shown(told, say))
