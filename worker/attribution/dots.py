"""Draws what each page does to an answer; imported by `worker.attribution.chart` alone.

Two dots a page: how often the sentences that rest on it were said in test answers with the page and
in those without it, each with its 90 % interval (Wilson 1927). They are told apart by colour and
shape. On a ground of its own, so that it reads the same in Slack's light and dark mode. Drawn with
matplotlib's Figure and never with pyplot, which keeps all figures in one global place and is not
for threads.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from core.attribution import Effect, Explanation, Role, Spread, Tries
from core.language.sentences import Sentences
from worker.attribution.chart_fonts import families, readable

MOST_ROWS = 8  # more would not be read; how many are left out is said
LABEL = 30  # characters of a title beside its dots
DPI = 200
Z = 1.645  # of the normal distribution, for 90 %
# Slack shows it about 350 pixels wide in a thread: few inches, so that the letters stay large.
INCHES, INCHES_A_ROW, INCHES_AROUND = 4.6, 0.38, 1.15
GROUND, INK, QUIET, LINE = "#ffffff", "#1d1c1d", "#616061", "#d6d3da"


@dataclass(frozen=True)
class Style:
    """How a dot looks, in a colour of Okabe and Ito's colour-blind safe palette."""

    colour: str
    marker: str


THERE, AWAY = Style("#0072b2", "o"), Style("#d55e00", "D")


def draw(explanation: Explanation, say: Sentences) -> bytes:
    """The picture as PNG."""
    found = _rows(explanation)
    shown = found[:MOST_ROWS]
    figure = _figure(rows=len(shown))
    title = say("picture" if explanation.tested else "picture-shares")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, color=INK, fontweight="bold")
    axes = figure.add_subplot()
    _frame(say, axes, hidden=len(found) - len(shown))
    for row, place in enumerate(shown):
        _row(axes, row, explanation, place)
    _label_rows(say, axes, [explanation.effects[place] for place in shown])
    if explanation.tested:
        _legend(say, figure)
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()


def shortened(text: str, limit: int = LABEL) -> str:
    """Without its middle: the title and the heading are told by their ends."""
    if len(text) <= limit:
        return text
    head = limit // 3
    return f"{text[:head].rstrip()}…{text[head + 1 - limit :].lstrip()}"


def _rows(explanation: Explanation) -> list[int]:
    """Places of what was found to do something, each section once; untested, of all shares."""
    found: dict[tuple[object, ...], int] = {}
    for place, effect in enumerate(explanation.effects):
        is_found = effect.role not in (None, Role.UNUSED) if explanation.tested else effect.share
        if is_found:
            found.setdefault((effect.label, effect.source_numbers), place)
    return list(found.values())


def _figure(*, rows: int) -> Figure:
    height = INCHES_AROUND + INCHES_A_ROW * max(rows, 1)
    return Figure(figsize=(INCHES, height), dpi=DPI, facecolor=GROUND, layout="constrained")


def _frame(say: Sentences, axes: Axes, *, hidden: int) -> None:
    axes.set_facecolor(GROUND)
    if hidden:
        axes.set_xlabel(say("and-more", count=hidden), fontsize=9, color=QUIET)
    axes.tick_params(axis="x", labelsize=9, colors=QUIET)
    axes.xaxis.set_major_formatter(lambda value, _: say.percent(value))
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.set_xlim(-0.06, 1.06)
    axes.set_xticks([0, 0.5, 1])


def _row(axes: Axes, row: int, explanation: Explanation, place: int) -> None:
    """What is said with the page and without it; of untested methods its share."""
    if not explanation.tested:
        share = explanation.effects[place].share
        _dot(axes, row, Spread(mean=share, low=share, high=share), THERE)
        return
    with_it, without = explanation.tries_of(place)
    if not (with_it.of and without.of):
        return
    there, away = _said(with_it), _said(without)
    axes.plot((away.mean, there.mean), (row, row), color=LINE, linewidth=3, zorder=1)
    _dot(axes, row - 0.1, there, THERE)
    _dot(axes, row + 0.1, away, AWAY)


def _said(tries: Tries) -> Spread:
    """How often it was said, with the interval."""
    said = (tries.of - tries.lost) / tries.of
    middle = (said + Z * Z / (2 * tries.of)) / (1 + Z * Z / tries.of)
    room = said * (1 - said) / tries.of + Z * Z / (4 * tries.of**2)
    reach = Z * room**0.5 / (1 + Z * Z / tries.of)
    return Spread(mean=said, low=middle - reach, high=middle + reach, repeats=tries.of)


def _dot(axes: Axes, row: float, spread: Spread, style: Style) -> None:
    reach = (max(spread.low, 0.0), min(spread.high, 1.0))
    if reach[0] < reach[1]:
        axes.plot(reach, (row, row), color=style.colour, linewidth=1.5, zorder=2)
    axes.plot([spread.mean], [row], marker=style.marker, markersize=8, color=style.colour, zorder=3)


def _label_rows(say: Sentences, axes: Axes, shown: Sequence[Effect]) -> None:
    labels = [_label(say, effect) for effect in shown]
    axes.set_yticks(range(len(labels)), labels, fontsize=9.5, color=INK, fontfamily=families())
    axes.set_ylim(len(labels) - 0.4, -0.6)  # the strongest on top
    for label in axes.get_yticklabels():
        label.set_parse_math(False)  # a title may hold a $


def _label(say: Sentences, effect: Effect) -> str:
    cited = effect.source_numbers
    numbers = "".join(f"[{number}]" for number in cited[:3])
    if len(cited) > 3:
        numbers += "…"
    title = readable(shortened(effect.label))
    return f"{title}  {numbers or say('picture-not-cited')}"


def _legend(say: Sentences, figure: Figure) -> None:
    keys = (("picture-there", THERE), ("picture-away", AWAY))
    handles = [
        Line2D([], [], color=style.colour, marker=style.marker, markersize=7, label=say(key))
        for key, style in keys
    ]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=9,
        labelcolor=QUIET,
    )
