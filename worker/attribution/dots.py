"""Draws what each page does to an answer; imported by `worker.attribution.chart` alone.

Two dots a page: how often the sentences that rest on it were said in test answers with the page and
in those without it, each with its 90 % interval (Wilson 1927). They are told apart by colour and
shape. On a ground of its own, so that it reads the same in Slack's light and dark mode. Drawn with
matplotlib's Figure and never with pyplot, which keeps all figures in one global place and is not
for threads.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True)
class Row:
    """A line of the picture: how often it was said with the page, and without it."""

    label: str
    there: Spread | None = None
    away: Spread | None = None


def draw(explanation: Explanation, say: Sentences) -> bytes:
    """The picture as PNG."""
    found = list(rows(say, explanation))
    shown = found[:MOST_ROWS]
    figure = _figure(rows=len(shown))
    title = say("picture" if explanation.tested else "picture-shares")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, color=INK, fontweight="bold")
    axes = figure.add_subplot()
    _frame(say, axes, hidden=len(found) - len(shown))
    for number, row in enumerate(shown):
        _draw(axes, number, row)
    _label_rows(axes, [row.label for row in shown])
    if explanation.tested:
        _legend(say, figure)
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()


def rows(say: Sentences, explanation: Explanation) -> Iterator[Row]:
    """Of pages of which one is enough: each of them alone, then without all of them."""
    shown: set[int] = set()
    places = _places(explanation)
    for place in places:
        if place in shown:
            continue
        effect = explanation.effects[place]
        if not explanation.tested:
            yield Row(_label(say, effect), Spread(mean=effect.share))
        elif effect.role is Role.ENOUGH:
            group = [each for each in places if each in explanation.alternatives_of(place)]
            shown.update(group)
            yield from _of_which_one_is_enough(say, explanation, group)
        else:
            there, away = map(_said, explanation.tries_of(place))
            yield Row(_label(say, effect), there, away)


def shortened(text: str, limit: int = LABEL) -> str:
    """Without its middle: the title and the heading are told by their ends."""
    if len(text) <= limit:
        return text
    head = limit // 3
    return f"{text[:head].rstrip()}…{text[head + 1 - limit :].lstrip()}"


def _of_which_one_is_enough(
    say: Sentences, explanation: Explanation, group: Sequence[int]
) -> Iterator[Row]:
    without = Tries()
    for place in group:
        alone, away = explanation.tries_of(place)
        without = max(without, away, key=lambda tries: tries.of)
        label = say("picture-alone", page=_label(say, explanation.effects[place]))
        yield Row(label, _said(alone))
    yield Row(say("picture-none"), away=_said(without))


def _places(explanation: Explanation) -> list[int]:
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


def _draw(axes: Axes, number: int, row: Row) -> None:
    between = (row.away.mean, row.there.mean) if row.there and row.away else ()
    apart = 0.1 if between else 0.0
    if between:
        axes.plot(between, (number, number), color=LINE, linewidth=3, zorder=1)
    if row.there:
        _dot(axes, number - apart, row.there, THERE)
    if row.away:
        _dot(axes, number + apart, row.away, AWAY)


def _said(tries: Tries) -> Spread | None:
    """How often it was said, with the interval; None where it was not tried."""
    if not tries.of:
        return None
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


def _label_rows(axes: Axes, labels: Sequence[str]) -> None:
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
