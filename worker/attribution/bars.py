"""Horizontal bars of the effects with their intervals, told apart by colour and hatch; imported by worker.attribution.chart alone.

On a ground of its own, so that it reads the same in Slack's light and dark mode. Drawn with matplotlib's Figure and never with
pyplot, which keeps all figures in one global place and is not for threads.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from matplotlib import get_data_path
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.ft2font import FT2Font
from matplotlib.patches import Patch

from core.attribution import AnswerVerdict, Effect, EffectVerdict, Explanation, Spread

MOST_BARS = 8  # more would not be read; how many are left out is said
LABEL = 26  # characters of a title beside its bar
DPI = 200
# Slack shows it about 350 pixels wide in a thread: few inches, so that the letters stay large.
INCHES, INCHES_A_BAR, INCHES_AROUND = 5.2, 0.34, 1.75
LEAST_SCALE = 0.05  # a smaller axis would blow the rounding of two equal answers up into bars
GROUND, INK, QUIET, BAND = "#ffffff", "#1d1c1d", "#616061", "#e4e1ea"
MISSING = "▯"

# Where titles in other scripts are found, if the machine has one of these; DejaVu comes with matplotlib.
FALLBACKS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Source Han Sans",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Microsoft YaHei",
    "Arial Unicode MS",
)


@dataclass(frozen=True)
class Style:
    """How a verdict looks: colours of Okabe and Ito, which all kinds of colour-blind people tell apart, and a hatch."""

    colour: str
    hatch: str
    words: str


STYLES = {
    EffectVerdict.CAUSAL: Style("#0072b2", "", "changes the answer"),
    EffectVerdict.REDUNDANT: Style("#e69f00", "////", "changes it only together with others"),
    EffectVerdict.NOISE: Style("#a6a6a6", "....", "not told apart from chance"),
    None: Style("#56b4e9", "", "share of the change; not tested"),
}
TITLES = {
    AnswerVerdict.NEEDED: "What changed without each piece of evidence",
    AnswerVerdict.DID_NOT_MATTER: "About the same answer without any evidence",
    AnswerVerdict.NOISE: "The answer varies too much by itself to tell",
    None: "Shares of the evidence in the answer",
}
SILENT = "changes nothing"
EVERYTHING = Style(GROUND, "", "all evidence taken away")
CHANCE = "how much the answer varies by itself"


def draw(explanation: Explanation) -> bytes:
    """The picture as PNG."""
    shown = [
        effect
        for effect in explanation.effects
        if effect.source_numbers or _amount(_spread(effect))
    ][:MOST_BARS]
    shown = shown or list(explanation.effects[:MOST_BARS])
    rows = len(shown) + _is_tested(explanation)
    figure = Figure(
        figsize=(INCHES, INCHES_AROUND + INCHES_A_BAR * max(rows, 1)),
        dpi=DPI,
        facecolor=GROUND,
        layout="constrained",
    )
    axes = figure.add_subplot()
    figure.suptitle(
        TITLES[explanation.verdict], x=0.01, ha="left", fontsize=10, color=INK, fontweight="bold"
    )
    _frame(axes, explanation, hidden=len(explanation.effects) - len(shown))
    for row, effect in enumerate(shown):
        _bar(axes, row, _spread(effect), STYLES[effect.verdict])
    if _is_tested(explanation):
        _bar(axes, len(shown), explanation.empty, EVERYTHING)
        axes.axvspan(0, _amount(explanation.null), color=BAND, zorder=0, linewidth=0)
    _name_the_rows(axes, shown, explanation)
    figure.legend(
        handles=_legend(shown, explanation),
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=QUIET,
    )
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()


def readable(text: str) -> str:
    """The text with a sign in the place of each character that no font here can draw."""
    return "".join(
        c if any(font.get_char_index(ord(c)) for font in _faces()) else MISSING
        for c in " ".join(text.split())
    )


def shortened(text: str, limit: int = LABEL) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _is_tested(explanation: Explanation) -> bool:
    """Whether there were runs without any evidence and with all of it; the paper's methods have none."""
    return explanation.verdict is not None


def _spread(effect: Effect) -> Spread:
    """What the bar shows: the share, where that is all there is."""
    return effect.change if effect.verdict else Spread(mean=effect.share)


def _frame(axes: Axes, explanation: Explanation, *, hidden: int) -> None:
    axes.set_facecolor(GROUND)
    scale = (
        "change of the answer, with 90 % interval"
        if _is_tested(explanation)
        else "share of all effects"
    )
    axes.set_xlabel(
        scale + (f"\n{hidden} more, weaker or without any effect" if hidden else ""),
        fontsize=8,
        color=QUIET,
    )
    axes.tick_params(axis="x", labelsize=8, colors=QUIET)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.set_xlim(0, _scale(explanation))


def _scale(explanation: Explanation) -> float:
    spreads = [_spread(effect) for effect in explanation.effects] + [
        explanation.null,
        explanation.empty,
    ]
    return 1.12 * max(LEAST_SCALE, *map(_amount, spreads))


def _bar(axes: Axes, row: int, change: Spread, style: Style) -> None:
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
        low, high = max(change.low, 0.0), max(change.high, 0.0)
        axes.plot(
            (low, high), (row, row), color=GROUND, linewidth=4, solid_capstyle="butt", zorder=3
        )
        axes.plot(
            (low, high), (row, row), color=INK, linewidth=1.5, marker="|", markersize=8, zorder=4
        )
    said = f"{change.mean:.2f}" if _amount(change) else "0"
    axes.annotate(
        said,
        (_amount(change), row),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=INK,
    )


def _amount(change: Spread) -> float:
    """How far its bar and its interval reach."""
    return max(change.mean, change.high, 0.0)


def _name_the_rows(axes: Axes, shown: Sequence[Effect], explanation: Explanation) -> None:
    labels = [_label(effect) for effect in shown]
    if _is_tested(explanation):
        labels.append("without any evidence")
    axes.set_yticks(range(len(labels)), labels, fontsize=8.5, color=INK, fontfamily=_families())
    axes.set_ylim(len(labels) - 0.4, -0.6)  # the strongest on top
    for label in axes.get_yticklabels():
        label.set_parse_math(False)  # a title may hold a $


def _label(effect: Effect) -> str:
    numbers = "".join(f"[{number}]" for number in effect.source_numbers[:3]) + (
        "…" if len(effect.source_numbers) > 3 else ""
    )
    return f"{readable(shortened(effect.label))}  {numbers or '(not cited)'}"


def _legend(shown: Sequence[Effect], explanation: Explanation) -> list[Artist]:
    seen = {effect.verdict for effect in shown}
    styles = [style for verdict, style in STYLES.items() if verdict in seen]
    if not any(_amount(effect.change) for effect in shown if effect.verdict is EffectVerdict.NOISE):
        styles = [
            replace(style, words=SILENT) if style is STYLES[EffectVerdict.NOISE] else style
            for style in styles
        ]
    handles: list[Artist] = [_key(style) for style in styles]
    if _is_tested(explanation):
        handles += [_key(EVERYTHING), Patch(facecolor=BAND, label=CHANCE)]
    return handles


def _key(style: Style) -> Patch:
    return Patch(
        facecolor=style.colour, hatch=style.hatch, edgecolor=INK, linewidth=0.8, label=style.words
    )


@cache
def _families() -> list[str]:
    """The fonts to draw titles with: the one that is always there, and what this machine has for other scripts."""
    known = {entry.name for entry in fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in FALLBACKS if name in known)]


@cache
def _faces() -> tuple[FT2Font, ...]:
    own = Path(get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    others = [fontManager.findfont(FontProperties(family=[name])) for name in _families()[1:]]
    return tuple(FT2Font(str(path)) for path in (own, *others))
