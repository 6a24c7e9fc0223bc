"""The chart of an explanation: drawn for any title, in threads, at no cost to plain answers."""

from __future__ import annotations

import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.attribution import AnswerVerdict, Effect, Explanation, Method, Role, Spread
from core.language.sentences import sentences
from sandbox.programs.environment import child_environment
from worker.attribution import bars, chart_fonts
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
    given: dict[str, Any] = {"verdict": AnswerVerdict.CAUSED} | more
    return Explanation(turn_id="t1", effects=effects, **given)


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
                effect(
                    f"Page {n} " + "x" * 300,
                    away=Spread(mean=1 / n),
                    role=list(Role)[n % 3],
                )
                for n in range(1, 51)
            )
        ),
        explanation(
            effect("Größenänderungsmaßnahmen der Überstunden"),
            effect("漢字 のページ 📎 שלום", source_numbers=()),
        ),
        explanation(effect(r"costs $5 & $6 \frac{ <b> _x_ ^2 %"), effect(""), effect("\n\t")),
        explanation(
            effect(away=Spread(), role=Role.UNUSED),
            verdict=AnswerVerdict.STAYS,
        ),
        explanation(
            effect(away=Spread(mean=-0.1, low=-0.2, high=0.0)), verdict=AnswerVerdict.VARIES
        ),
        explanation(effect(role=None), verdict=None, method=Method.NAIVE),
        explanation(),
    ],
    ids=["one", "fifty", "scripts", "mathematics", "nothing", "negative", "untested", "none"],
)
def test_every_explanation_has_a_chart(explained: Explanation) -> None:
    width, height = size(draw(explained, sentences("de")))
    assert width == 1040
    assert 250 < height < 1300  # Slack shows a higher picture too small to be read


def test_charts_are_drawn_in_threads_and_the_same_each_time() -> None:
    with ThreadPoolExecutor(4) as pool:
        explained = [explanation(effect()), explanation(effect("Other"))] * 4
        drawn = list(pool.map(draw, explained, [sentences("en")] * 8))
    assert len(set(drawn)) == 2


def test_a_character_that_no_font_can_draw_is_replaced_by_a_sign() -> None:
    assert chart_fonts.readable("Maß \U0001f9ff") == f"Maß {chart_fonts.MISSING}"


def test_long_titles_are_shortened() -> None:
    assert bars.shortened("x" * 100) == "x" * (bars.LABEL - 1) + "…"
    assert bars.shortened("Travel policy") == "Travel policy"


def test_roles_are_told_apart_by_colour_and_hatch() -> None:
    tested = {(bars.STYLES[role].colour, bars.STYLES[role].hatch) for role in Role}
    assert len(tested) == len(Role)


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
