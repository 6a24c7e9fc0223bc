"""Bar chart of the effects with their intervals; imported by `worker.attribution.chart` alone.

Bars are told apart by colour and hatch. On a ground of its own, so that it reads the same in
Slack's light and dark mode. Drawn with matplotlib's Figure and never with pyplot, which keeps all
figures in one global place and is not for threads.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from core.attribution import Effect, Explanation, Role, Spread
from core.language.sentences import Sentences
from worker.attribution.chart_fonts import families, readable

MOST_BARS = 8  # more would not be read; how many are left out is said
LABEL = 26  # characters of a title beside its bar
DPI = 200
# Slack shows it about 350 pixels wide in a thread: few inches, so that the letters stay large.
INCHES, INCHES_A_BAR, INCHES_AROUND = 5.2, 0.34, 1.75
LEAST_SCALE = 0.05  # a smaller axis would blow the rounding of two equal answers up into bars
GROUND, INK, QUIET, BAND = "#ffffff", "#1d1c1d", "#616061", "#e4e1ea"


@dataclass(frozen=True)
class Style:
    """How a verdict looks: a hatch, and a colour of Okabe and Ito's colour-blind safe palette."""

    colour: str
    hatch: str


STYLES = {
    Role.NEEDED: Style("#0072b2", ""),
    Role.TOGETHER: Style("#0072b2", "\\\\"),
    Role.PART: Style("#009e73", ""),
    Role.ENOUGH: Style("#e69f00", "////"),
    Role.UNUSED: Style("#a6a6a6", "...."),
    None: Style("#56b4e9", ""),
}
UNTESTED = "untested"  # in a key of the catalogue, in the place of a verdict


def draw(explanation: Explanation, say: Sentences) -> bytes:
    """The picture as PNG."""
    effects = explanation.effects
    of_interest = [each for each in effects if _is_of_interest(each, explanation)]
    shown = list(of_interest or effects)[:MOST_BARS]
    rows = len(shown)
    figure = _figure(rows=rows)
    title = say(f"chart-{explanation.verdict or UNTESTED}")
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, color=INK, fontweight="bold")
    axes = figure.add_subplot()
    hidden = len(effects) - len(shown)
    _frame(say, axes, explanation, hidden=hidden)
    _draw_rows(say, axes, shown, explanation)
    figure.legend(
        handles=_legend(say, shown),
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=QUIET,
    )
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()


def _figure(*, rows: int) -> Figure:
    height = INCHES_AROUND + INCHES_A_BAR * max(rows, 1)
    return Figure(
        figsize=(INCHES, height),
        dpi=DPI,
        facecolor=GROUND,
        layout="constrained",
    )


def _draw_rows(
    say: Sentences, axes: Axes, shown: Sequence[Effect], explanation: Explanation
) -> None:
    for row, effect in enumerate(shown):
        style = STYLES[effect.role]
        _bar(axes, row, explanation.bar(effect), style, say=say)
    _label_rows(say, axes, shown)


def shortened(text: str, limit: int = LABEL) -> str:
    if len(text) <= limit:
        return text
    return text[: limit - 1].rstrip() + "…"


def _is_of_interest(effect: Effect, explanation: Explanation) -> bool:
    """Whether the answer cites it, or its bar can be seen."""
    return bool(effect.source_numbers or _reach(explanation.bar(effect)))


def _frame(
    say: Sentences,
    axes: Axes,
    explanation: Explanation,
    *,
    hidden: int,
) -> None:
    axes.set_facecolor(GROUND)
    words = say("chart-scale") if explanation.tested else say("chart-shares")
    if hidden:
        words += "\n" + say("chart-hidden", count=hidden)
    axes.set_xlabel(words, fontsize=8, color=QUIET)
    axes.tick_params(axis="x", labelsize=8, colors=QUIET)
    axes.xaxis.set_major_formatter(lambda value, _: say.number(value, 2))
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.set_xlim(0, _scale(explanation))


def _scale(explanation: Explanation) -> float:
    spreads = map(explanation.bar, explanation.effects)
    return 1.12 * max([LEAST_SCALE, *map(_reach, spreads)])


def _bar(
    axes: Axes,
    row: int,
    change: Spread,
    style: Style,
    *,
    say: Sentences,
) -> None:
    axes.barh(
        row,
        max(change.mean, 0.0),
        0.62,
        color=style.colour,
        hatch=style.hatch,
        edgecolor=INK,
        linewidth=0.8,
        zorder=2,
    )
    if change.low < change.high:
        interval = (max(change.low, 0.0), max(change.high, 0.0))
        on_row = (row, row)
        axes.plot(interval, on_row, color=GROUND, linewidth=4, solid_capstyle="butt", zorder=3)
        axes.plot(interval, on_row, color=INK, linewidth=1.5, marker="|", markersize=8, zorder=4)
    reach = _reach(change)
    axes.annotate(
        say.number(change.mean, 2) if reach else "0",
        (reach, row),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=INK,
    )


def _reach(change: Spread) -> float:
    """How far its bar and its interval reach."""
    return max(change.mean, change.high, 0.0)


def _label_rows(
    say: Sentences,
    axes: Axes,
    shown: Sequence[Effect],
) -> None:
    labels = [_label(say, effect) for effect in shown]
    axes.set_yticks(
        range(len(labels)),
        labels,
        fontsize=8.5,
        color=INK,
        fontfamily=families(),
    )
    axes.set_ylim(len(labels) - 0.4, -0.6)  # the strongest on top
    for label in axes.get_yticklabels():
        label.set_parse_math(False)  # a title may hold a $


def _label(say: Sentences, effect: Effect) -> str:
    cited = effect.source_numbers
    numbers = "".join(f"[{number}]" for number in cited[:3])
    if len(cited) > 3:
        numbers += "…"
    title = readable(shortened(effect.label))
    return f"{title}  {numbers or say('chart-not-cited')}"


def _legend(say: Sentences, shown: Sequence[Effect]) -> list[Artist]:
    seen = {effect.role for effect in shown}
    handles: list[Artist] = []
    for role, style in STYLES.items():
        if role in seen:
            handles.append(_key(style, say(f"chart-bar-{role or UNTESTED}")))
    return handles


def _key(style: Style, label: str) -> Patch:
    return Patch(
        facecolor=style.colour,
        hatch=style.hatch,
        edgecolor=INK,
        linewidth=0.8,
        label=label,
    )
