"""Charts of the console: questions and cost by day, as SVG for light and dark pages."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from matplotlib.figure import Figure

from console.reports.counts import DayCounts
from core.language.sentences import Sentences

INCHES = (9.0, 2.4)
MOST_NAMED = 7
_ONE = threading.Lock()  # matplotlib draws one picture at a time


@dataclass(frozen=True)
class Inks:
    """Colours that tell three things apart on this ground, also for the colour-blind."""

    text: str
    answered: str
    not_found: str
    failed: str


# Of Okabe and Ito's palette (jfly.uni-koeln.de/color), lightened for a dark ground.
LIGHT = Inks("#1d2433", "#0072b2", "#e69f00", "#d55e00")
DARK = Inks("#e6e9f0", "#56b4e9", "#e69f00", "#f08a5d")


def questions_by_day(days: Sequence[DayCounts], say: Sentences, inks: Inks) -> bytes:
    """Bars in three parts: answered, not found, without an answer."""
    names = [say.day(day.day) for day in days]
    parts = (
        (say("console-answered"), [day.answered for day in days], inks.answered),
        (say("console-not-found"), [day.not_found for day in days], inks.not_found),
        (say("console-failed"), [day.failed for day in days], inks.failed),
    )
    with _ONE:
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        below = [0] * len(days)
        for label, heights, ink in parts:
            axes.bar(names, heights, bottom=below, color=ink, label=label)
            below = [low + height for low, height in zip(below, heights, strict=True)]
        _plain(axes, names, inks)
        legend = axes.legend(frameon=False, labelcolor=inks.text, ncols=3, loc="upper left")
        legend.set_zorder(3)
        axes.set_ylim(0, max([*below, 1]) * 1.3)
        return _svg(figure)


def money_by_day(days: Sequence[tuple[str, float]], say: Sentences, inks: Inks) -> bytes:
    names = [say.day(day) for day, _ in days]
    with _ONE:
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        axes.bar(names, [value for _, value in days], color=inks.answered)
        _plain(axes, names, inks)
        return _svg(figure)


def _plain(axes: object, names: Sequence[str], inks: Inks) -> None:
    """No frame, few marks: at most seven days are named."""
    every = max(1, -(-len(names) // MOST_NAMED))
    axes.set_xticks(range(0, len(names), every), names[::every])  # type: ignore[attr-defined]
    axes.tick_params(colors=inks.text, length=0)  # type: ignore[attr-defined]
    axes.yaxis.get_major_locator().set_params(integer=True, nbins=4)  # type: ignore[attr-defined]
    for spine in axes.spines.values():  # type: ignore[attr-defined]
        spine.set_visible(False)


def _svg(figure: Figure) -> bytes:
    out = BytesIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return out.getvalue()
