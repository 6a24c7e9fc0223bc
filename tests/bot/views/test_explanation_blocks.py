"""An explanation in Slack: verdicts in words, bars beside them, within the limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import check, effect, explanation, texts

from bot.views import explanation_blocks, explanation_text
from bot.views.block_kit import SECTION_LIMIT
from core.attribution import AnswerVerdict, Effect, EffectVerdict, Explanation, Method, Spread
from core.language.sentences import sentences
from core.usage import Usage

SAY = sentences("en")

SMALL = Spread(mean=0.02, low=0.01, high=0.03, repeats=5)
NOTHING = Spread(repeats=5)
NASTY = "<!channel> & *bold* ~gone~ `code` | " + "漢字 " * 90


def shown(*effects: Effect, **more: Any) -> str:
    """All sections and context lines, one under the other."""
    built = explanation_blocks.build_explanation(SAY, explanation("t1", *effects, **more))
    check(built)
    return "\n".join(texts(built, "section") + texts(built, "context"))


def noise(label: str = "Glossary", **more: Any) -> Effect:
    return effect(label, **({"change": SMALL, "verdict": EffectVerdict.NOISE, "share": 0.0} | more))


def test_fifty_effects_are_within_the_limits_and_the_hidden_ones_are_counted() -> None:
    effects = [
        effect(f"{n} {NASTY}", change=Spread(mean=1 / n), counterfactual="y" * 9000)
        for n in range(1, 51)
    ]
    much = {
        "together": tuple(effects),
        "skipped": (NASTY,) * 50,
        "usage": Usage(calls=60, seconds=12.0),
        "model": "<small>",
        "cost": 1.5,
    }
    built = explanation_blocks.build_explanation(
        SAY, explanation("t1", *effects, **much), picture="F0123456789"
    )
    check(built)
    assert f"{50 - explanation_text.MOST_EFFECTS} weaker ones are not shown" in json.dumps(built)
    assert "and 45 more" in json.dumps(built)
    assert len(explanation_text.as_text(SAY, explanation("t1", *effects))) <= SECTION_LIMIT


@pytest.mark.parametrize("label", [NASTY, "\n\n", "", "<@U0BEN>\n# x", "😀" * 200, "a" * 5000])
def test_a_title_means_nothing_but_itself(label: str) -> None:
    text = shown(effect(label), together=(effect(label),), skipped=(label,))
    assert "<!" not in text
    assert "<@" not in text
    assert "<!" not in explanation_text.as_text(SAY, explanation("t1", effect(label)))


@pytest.mark.parametrize(
    ("explained_", "verdict"),
    [
        (explanation("t1"), SAY("verdict-needed")),
        (
            explanation("t1", noise()),
            f"{SAY('verdict-needed')} {SAY('verdict-nothing-alone')}",
        ),
        (
            explanation("t1", noise(), together=(effect(),)),
            f"{SAY('verdict-needed')} {SAY('verdict-only-together')}",
        ),
        (explanation("t1", verdict=AnswerVerdict.DID_NOT_MATTER), SAY("verdict-not-needed")),
        (explanation("t1", verdict=AnswerVerdict.NOISE), SAY("verdict-noise")),
    ],
)
def test_the_verdict_on_the_answer_is_said_in_words(explained_: Explanation, verdict: str) -> None:
    assert explanation_blocks.build_explanation(SAY, explained_)[0]["text"]["text"].endswith(
        verdict
    )


@pytest.mark.parametrize("verdict", list(AnswerVerdict))
@pytest.mark.parametrize("single", list(EffectVerdict))
def test_every_verdict_has_its_words(verdict: AnswerVerdict, single: EffectVerdict) -> None:
    assert SAY(f"effect-{single}") in shown(effect(verdict=single), verdict=verdict)


def test_evidence_that_changed_nothing_at_all_is_told_from_what_is_lost_in_noise() -> None:
    assert SAY("effect-silent") in shown(noise(change=NOTHING))
    assert SAY(f"effect-{EffectVerdict.NOISE}") in shown(noise())


def test_an_effect_comes_with_its_interval_before_its_share_and_a_single_answer_has_none() -> None:
    assert "Effect 0.40 (90% interval 0.30 to 0.50), share 100%." in shown(effect())
    assert "interval" not in shown(effect(change=Spread(mean=0.4, low=0.4, high=0.4, repeats=1)))


def test_the_bar_of_the_strongest_is_full_to_the_end_of_its_interval() -> None:
    built = explanation_blocks.build_explanation(
        SAY,
        explanation(
            "t1",
            effect(change=Spread(mean=0.5, low=0.3, high=0.6)),
            noise(change=Spread(mean=0.15, low=0.15, high=0.15)),
        ),
    )
    strong, weak = (text.split(" ")[0] for text in texts(built, "section")[1:3])
    assert (strong, weak) == ("█" * 6 + "▒" * 6, "█" * 3 + "░" * 9)


def test_citations_and_causes_that_disagree_are_marked() -> None:
    assert SAY("cited-unused") in shown(noise())
    assert SAY("used-uncited") in shown(effect(source_numbers=()))
    for neither in (
        shown(effect()),
        shown(noise(source_numbers=())),
        shown(effect(verdict=EffectVerdict.REDUNDANT)),
    ):
        assert SAY("cited-unused") not in neither
        assert SAY("used-uncited") not in neither


def test_of_an_answer_that_varies_by_itself_nothing_is_said_to_be_unused() -> None:
    assert SAY("cited-unused") not in shown(noise(), verdict=AnswerVerdict.NOISE)


def test_what_says_the_same_is_told_in_words() -> None:
    pair = effect("Rota and On-call guide", source_numbers=(1, 2), pages=2, evidence_ids=("a", "b"))
    text = shown(effect(verdict=EffectVerdict.REDUNDANT, change=SMALL), together=(pair,))
    assert (
        "2 pages say the same; removing either alone changes nothing, "
        "removing both changes the answer: [1][2] Rota" in text
    )


def test_clusters_and_groups_say_what_they_stand_for() -> None:
    assert "2 pieces, taken away together" in shown(effect(evidence_ids=("a", "b")))
    assert "3 pages that say the same, taken away together" in shown(
        effect(evidence_ids=("a", "b", "c"), pages=3)
    )
    assert "4 pieces or groups, only tested together" in shown(
        effect(evidence_ids=("a", "b", "c", "d"), pages=3, clusters=4)
    )


def test_a_source_is_used_when_one_of_its_pieces_is() -> None:
    assert SAY("cited-unused") not in shown(effect(source_numbers=(1,)), noise(source_numbers=(1,)))
    assert SAY("cited-unused") in shown(effect(source_numbers=(1,)), noise(source_numbers=(2,)))


def test_silent_uncited_evidence_is_only_counted_and_what_the_budget_left_out_is_named() -> None:
    silent = noise("Silent", change=NOTHING, source_numbers=())
    text = shown(effect(), silent, skipped=("Old rota", "Older rota"))
    assert "1 other piece was given, and removing it changed nothing." in text
    assert "Silent" not in text
    assert "Not tested, since no more calls were allowed: Old rota; Older rota." in text


def test_the_test_and_the_cost_are_told_in_a_line_each() -> None:
    usage = Usage(calls=58, prompt_tokens=40_000, completion_tokens=1_200, seconds=80.0)
    facts = {
        "usage": usage,
        "seconds": 23.44,
        "cost": 0.0213,
        "currency": "USD",
        "model": "small",
        "test": "permutation test",
    }
    text = shown(effect(), **facts, null=Spread(mean=0.01, repeats=10))
    assert "58 calls, 41,200 tokens, 23.4 s, 0.0213 USD, model small." in text
    assert (
        "Compared: 10 answers with all evidence and up to 3 without each piece. "
        "Test: permutation test." in text
    )
    assert "By itself the answer changes by 0.01, without any evidence by 0.60." in text
    assert "USD" not in shown(effect(), **(facts | {"cost": None}))


def test_quoted_answers_say_that_no_model_was_asked() -> None:
    text = shown(effect(), model="", seconds=0.2)
    assert "0.2 s, quoted answers, no model was asked." in text
    assert "Quoted answers do not vary" in text


@pytest.mark.parametrize("method", [Method.PAPER, Method.PAPER_NO_CLUSTERS, Method.NAIVE])
def test_a_method_without_tests_is_named_and_shows_its_shares_without_verdicts(
    method: Method,
) -> None:
    untested = {"verdict": None, "method": method, "null": Spread(), "empty": Spread()}
    one, two = (
        effect(verdict=None, share=0.75),
        effect("Glossary", verdict=None, share=0.25, change=Spread()),
    )
    built = explanation_blocks.build_explanation(SAY, explanation("t1", one, two, **untested))
    check(built)
    text = "\n".join(texts(built, "section") + texts(built, "context"))
    assert SAY(f"untested-{method}") in text
    assert f"Method: {method.value}." in text
    assert "share 75%" in text
    assert "Taking it away" not in text
    assert ("Similarity 0.40" in text) is (method is Method.NAIVE)
    first, second = (section.split(" ")[0] for section in texts(built, "section")[1:3])
    assert first.count("█") == 3 * second.count("█") == explanation_blocks.BAR


def test_whether_it_was_tested_is_what_an_explanation_says_and_not_its_method() -> None:
    text = shown(effect(), method=Method.PAPER, tested=True)
    assert "Taking it away" in text
    assert "Method: paper" not in text


def test_the_chart_has_its_words_for_whoever_does_not_see_it() -> None:
    built = explanation_blocks.build_explanation(
        SAY, explanation("t1", effect(), noise(NASTY)), picture="F0123456789"
    )
    (image,) = [block for block in built if block["type"] == "image"]
    assert image["slack_file"] == {"id": "F0123456789"}
    assert "[1] On-call guide: effect 0.40 (90% interval 0.30 to 0.50)." in image["alt_text"]
    assert "Without any evidence: 0.60. By itself: 0.01." in image["alt_text"]


def test_under_an_explanation_there_are_its_details_and_under_its_progress_a_way_to_stop_it() -> (
    None
):
    (details,) = explanation_blocks.build_explanation(SAY, explanation("t1"))[-1]["elements"]
    assert (details["action_id"], details["value"]) == (explanation_blocks.DETAILS_ACTION, "t1")
    (stop,) = explanation_blocks.build_progress(SAY, "t1", "…")[-1]["elements"]
    assert (stop["action_id"], stop["value"]) == (explanation_blocks.STOP_ACTION, "t1")


def test_what_is_neither_cited_nor_a_cause_takes_a_line_with_its_bar() -> None:
    built = explanation_blocks.build_explanation(
        SAY,
        explanation(
            "t1", effect(), noise("Glossary", source_numbers=()), noise("Rota", source_numbers=())
        ),
    )
    lost = texts(built, "section")[-1].splitlines()
    assert lost[0] == SAY("effects-minor")
    assert [line.lstrip("█▒░ ") for line in lost[1:]] == ["Glossary: 0.02", "Rota: 0.02"]


def test_an_answer_that_was_given_no_evidence_says_so() -> None:
    nothing = explanation("t1", verdict=AnswerVerdict.DID_NOT_MATTER).model_copy(
        update={"effects": ()}
    )
    built = explanation_blocks.build_explanation(SAY, nothing)
    check(built)
    assert SAY("how-no-evidence") in texts(built, "context")[-1]
