"""An explanation in Slack: verdicts in words, bars beside them, within the limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import check, effect, explanation, texts

from bot.views import explanation_blocks, explanation_text
from bot.views.block_kit import SECTION_LIMIT
from core.attribution import AnswerVerdict, Effect, Role, Spread
from core.language.sentences import sentences
from core.usage import Usage

SAY = sentences("en")

SMALL = Spread(mean=0.02, low=0.01, high=0.03, repeats=5)
NASTY = "<!channel> & *bold* ~gone~ `code` | " + "漢字 " * 90


def shown(*effects: Effect, **more: Any) -> str:
    """All sections and context lines, one under the other."""
    built = explanation_blocks.build_explanation(SAY, explanation("t1", *effects, **more))
    check(built)
    return "\n".join(texts(built, "section") + texts(built, "context"))


def noise(label: str = "Glossary", **more: Any) -> Effect:
    return effect(label, **({"away": SMALL, "role": Role.UNUSED, "share": 0.0} | more))


def test_fifty_effects_are_within_the_limits_and_the_hidden_ones_are_counted() -> None:
    effects = [
        effect(f"{n} {NASTY}", away=Spread(mean=1 / n), counterfactual="y" * 9000)
        for n in range(1, 51)
    ]
    much = {
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


def test_an_effect_comes_with_its_interval_before_its_share_and_a_single_answer_has_none() -> None:
    assert "Effect 0.40 (90% interval 0.30 to 0.50), share 100%." in shown(effect())
    assert "interval" not in shown(effect(away=Spread(mean=0.4, low=0.4, high=0.4, repeats=1)))


def test_the_chart_has_its_words_for_whoever_does_not_see_it() -> None:
    built = explanation_blocks.build_explanation(
        SAY, explanation("t1", effect(), noise(NASTY)), picture="F0123456789"
    )
    (image,) = [block for block in built if block["type"] == "image"]
    assert image["slack_file"] == {"id": "F0123456789"}
    assert "[1] On-call guide: effect 0.40 (90% interval 0.30 to 0.50)." in image["alt_text"]


def test_under_an_explanation_there_are_its_details_and_under_its_progress_a_way_to_stop_it() -> (
    None
):
    (details,) = explanation_blocks.build_explanation(SAY, explanation("t1"))[-1]["elements"]
    assert (details["action_id"], details["value"]) == (explanation_blocks.DETAILS_ACTION, "t1")
    (stop,) = explanation_blocks.build_progress(SAY, "t1", "…")[-1]["elements"]
    assert (stop["action_id"], stop["value"]) == (explanation_blocks.STOP_ACTION, "t1")


@pytest.mark.parametrize("verdict", list(AnswerVerdict))
@pytest.mark.parametrize("role", list(Role))
def test_every_verdict_has_its_words(verdict: AnswerVerdict, role: Role) -> None:
    said = shown(effect(role=role), verdict=verdict)
    assert SAY(f"verdict-{verdict}") in said
    assert SAY(f"role-{role}") in said or role is Role.UNUSED
