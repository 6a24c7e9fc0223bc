"""The chart of an explanation: drawn for any title, in threads, at no cost to plain answers."""

from __future__ import annotations

import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.attribution import (
    AnswerPath,
    AnswerVerdict,
    Cause,
    Effect,
    Explanation,
    Method,
    Role,
    SentenceCauses,
    Spread,
    Tries,
)
from core.language.sentences import sentences
from sandbox.programs.environment import child_environment
from worker.attribution import chart_fonts, dots
from worker.attribution.chart import draw


def effect(label: str = "Travel policy › Hotels", **more: Any) -> Effect:
    change = Spread(mean=0.4, low=0.3, high=0.5, repeats=5)
    given = {
        "evidence_ids": ("a",),
        "source_numbers": (1,),
        "away": change,
        "share": 1.0,
        "role": Role.NEEDED,
    }
    return Effect(label=label, **(given | more))


def explanation(*effects: Effect, **more: Any) -> Explanation:
    """Each effect a cause of the one sentence, mostly."""
    causes = tuple(
        Cause(
            effect=place,
            role=effect.role,
            with_it=Tries(lost=place % 3, of=8),
            without=Tries(lost=8, of=8),
        )
        for place, effect in enumerate(effects)
        if effect.role
    )
    given: dict[str, Any] = {
        "verdict": AnswerVerdict.CAUSED,
        "sentences": (SentenceCauses(text="Up to 110 EUR.", causes=causes),),
    }
    return Explanation(turn_id="t1", effects=effects, **(given | more))


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize(
    "explained",
    [
        explanation(effect()),
        explanation(
            *(
                effect(f"Page {n} " + "x" * 300, away=Spread(mean=1 / n), role=list(Role)[n % 4])
                for n in range(1, 51)
            )
        ),
        explanation(
            effect("Größenänderungsmaßnahmen der Überstunden"),
            effect("漢字 のページ 📎 שלום", source_numbers=()),
        ),
        explanation(effect(r"costs $5 & $6 \frac{ <b> _x_ ^2 %"), effect(""), effect("\n\t")),
        explanation(effect(away=Spread(mean=0.9, low=0.7, high=1.2)), verdict=AnswerVerdict.VARIES),
        explanation(effect(role=None), verdict=None, method=Method.NAIVE),
    ],
    ids=["one", "fifty", "scripts", "mathematics", "beyond", "untested"],
)
def test_every_page_that_does_something_is_drawn(explained: Explanation) -> None:
    png = draw(explained, sentences("de"))
    assert png is not None
    width, height = size(png)
    assert width == 920
    assert 250 < height < 1300  # Slack shows a higher picture too small to be read


@pytest.mark.parametrize(
    "explained",
    [
        explanation(),
        explanation(effect(role=Role.UNUSED), verdict=AnswerVerdict.STAYS),
        explanation(effect(role=None), verdict=AnswerVerdict.TOO_FEW),
        explanation(effect(role=None, share=0.0), verdict=None, method=Method.NAIVE),
        explanation(effect(), path=AnswerPath.QUOTED),
    ],
    ids=["none", "unused", "too few", "no share", "quoted"],
)
def test_where_there_is_nothing_to_see_there_is_no_picture(explained: Explanation) -> None:
    assert draw(explained, sentences("en")) is None


def test_what_was_not_found_is_not_drawn() -> None:
    unused = effect("Glossary", role=Role.UNUSED)
    alone = draw(explanation(effect()), sentences("en"))
    assert draw(explanation(effect(), unused), sentences("en")) == alone


def test_of_pages_of_which_one_is_enough_each_is_drawn_alone_and_then_none() -> None:
    either = [
        effect(name, source_numbers=(n,), role=Role.ENOUGH) for n, name in ((1, "A"), (2, "B"))
    ]
    told = explanation(*either, effect("C", source_numbers=(3,)))
    (sentence,) = told.sentences
    sentences_ = (sentence.model_copy(update={"enough": ((0,), (1,))}),)
    drawn = list(dots.rows(sentences("en"), told.model_copy(update={"sentences": sentences_})))
    assert [(row.label, row.there is not None, row.away is not None) for row in drawn] == [
        ("only A  [1]", True, False),
        ("only B  [2]", True, False),
        ("none of these", False, True),
        ("C  [3]", True, True),
    ]


def test_charts_are_drawn_in_threads_and_the_same_each_time() -> None:
    with ThreadPoolExecutor(4) as pool:
        explained = [explanation(effect()), explanation(effect("Other"))] * 4
        drawn = list(pool.map(draw, explained, [sentences("en")] * 8))
    assert len(set(drawn)) == 2


def test_a_character_that_no_font_can_draw_is_replaced_by_a_sign() -> None:
    assert chart_fonts.readable("Maß \U0001f9ff") == f"Maß {chart_fonts.MISSING}"


def test_a_long_title_keeps_its_ends() -> None:
    long = dots.shortened(f"How to restore a gateway {'x' * 100} › Steps")
    assert len(long) <= dots.LABEL
    assert long.startswith("How to")
    assert long.endswith("› Steps")
    assert dots.shortened("Travel policy") == "Travel policy"


def test_with_and_without_are_told_apart_by_colour_and_shape() -> None:
    assert dots.THERE.colour != dots.AWAY.colour
    assert dots.THERE.marker != dots.AWAY.marker


def test_who_only_answers_does_not_load_matplotlib() -> None:
    code = "import sys, worker.tasks, worker.attribution.chart; print('matplotlib' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=child_environment(),
    )
    assert ran.stdout.strip() == "False"
