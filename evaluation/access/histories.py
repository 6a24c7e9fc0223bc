"""`python -m evaluation histories`: random histories of a site, and whether anything leaked.

Each history begins with an installation in step with its site. Then restrictions, moves, groups and
spaces change, also in the middle of an answer, while people ask, follow up, and open explanations
and details. Counted is what passes the gate on its way to Slack. Leaks: words of pages that their
readers might not read within the time that a confirmation counts. Withheld: pages that readers
might read all the time, of a site that answered, and that were refused.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.embeddings.bundled import Bundled
from core.jobs import queue
from evaluation.access.judge import Outcome
from evaluation.access.steps import History, draw
from evaluation.access.theatre import Theatre, theatre
from evaluation.harness.output import AsJson, show_json
from evaluation.harness.progress import status, track

MOST_SHRUNK = 3  # leaking histories that are made smaller, which takes many more
FIGURES: dict[str, Callable[[Outcome], int]] = {
    "n": lambda _: 1,
    "asked": lambda each: each.asks,
    "sent": lambda each: each.sent,  # texts
    "leaks": lambda each: len(each.leaks),
    "withheld": lambda each: len(each.tally.withheld),
    "answered": lambda each: each.answered,
    "texts for one person": lambda each: each.personal,
    "canaries sent": lambda each: each.canaries,
    "of pages closed a moment before": lambda each: each.late,
    "texts stopped by the gate": lambda each: each.stopped,
    "pages asked about": lambda each: each.tally.pages,
    "for which the requests did not suffice": lambda each: each.tally.not_asked,
    "wrongly allowed": lambda each: len(each.tally.wrong),
    "answers taken back": lambda each: each.blanked,
    "of open pages": lambda each: len(each.wrongly_blanked),
    "kept although asked about and closed": lambda each: len(each.kept),
    "closed and standing at the end": lambda each: each.standing_closed,
}
BY_VARIANT = ("n", "asked", "sent", "leaks", "withheld")


@dataclass
class Found:
    """A history that went wrong, and as small as it still does."""

    seed: int
    variant: str
    wrong: list[str]
    steps: list[str]


@dataclass
class Report:
    """Figures by variant, and what went wrong."""

    figures: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    unanswered: Counter[str] = field(default_factory=Counter)  # by reason
    found: list[Found] = field(default_factory=list)

    def add(self, history: History, outcome: Outcome) -> None:
        counts = {name: count(outcome) for name, count in FIGURES.items()}
        for variant in (history.variant.name, "all"):
            self.figures[variant].update(counts)
        self.unanswered.update(outcome.reasons)

    @property
    def rows(self) -> dict[str, dict[str, int]]:
        rows: dict[str, dict[str, int]] = {}
        for variant in sorted(self.figures, key=lambda each: (each == "all", each)):
            rows[variant] = {name: self.figures[variant][name] for name in FIGURES}
        return rows


def histories(
    count: Annotated[int, typer.Option(help="How many.")] = 200,
    seed: Annotated[int, typer.Option(help="Of the first one.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Random histories of a site: what leaked, and what was withheld without a reason."""
    use_own_queue()
    with TemporaryDirectory() as folder:
        with status("loading the embedder"):
            embedder = Bundled()
        with theatre(Path(folder), embedder) as stage:
            drawn = track(map(draw, range(seed, seed + count)), "histories", total=count)
            report = played(stage, drawn)
    if as_json:
        found = [vars(each) for each in report.found]
        show_json({"figures": report.rows, "unanswered": report.unanswered, "found": found})
    else:
        _tell(report)
    if report.found:
        raise typer.Exit(1)


def use_own_queue() -> None:
    """A queue in memory: nothing of this is for the workers of this machine."""
    queue.app.conf.broker_url = "memory://"
    queue.app.conf.broker_transport_options = {}


def played(stage: Theatre, drawn: Iterable[History], *, most_shrunk: int = MOST_SHRUNK) -> Report:
    """All of these, one after the other; the first that go wrong are made smaller."""
    report = Report()
    for history in drawn:
        outcome = stage.play(history)
        report.add(history, outcome)
        if wrong(outcome):
            is_shrunk = len(report.found) < most_shrunk
            least = _least(stage, history) if is_shrunk else history
            report.found.append(_found(outcome, least))
    return report


def wrong(outcome: Outcome) -> list[str]:
    """What must not be, in words."""
    said = [f"leak, {each.what}: {each.word} of page {each.page}" for each in outcome.leaks]
    said += [f"wrongly allowed: {each}" for each in outcome.tally.wrong]
    said += [f"withheld: {each}" for each in outcome.tally.withheld]
    said += [f"wrongly taken back: {each}" for each in outcome.wrongly_blanked]
    said += [f"kept: {each}" for each in outcome.kept]
    return said


def shrunk(history: History, is_wrong: Callable[[History], bool]) -> History:
    """Without the steps and ambushes that it does not take."""
    for smaller in _smaller(history):
        if is_wrong(smaller):
            return shrunk(smaller, is_wrong)
    return history


def _smaller(history: History) -> Iterator[History]:
    """With one step less, from the end; then with one step that goes undisturbed."""
    steps = history.steps
    for place in reversed(range(len(steps))):
        yield replace(history, steps=steps[:place] + steps[place + 1 :])
    for place, step in enumerate(steps):
        if step.ambushes:
            quiet = replace(step, ambushes=())
            yield replace(history, steps=(*steps[:place], quiet, *steps[place + 1 :]))


def _least(stage: Theatre, history: History) -> History:
    return shrunk(history, lambda each: bool(wrong(stage.play(each))))


def _found(outcome: Outcome, least: History) -> Found:
    texts = dict.fromkeys(each.text for each in outcome.leaks)
    return Found(
        least.seed,
        least.variant.name,
        wrong=wrong(outcome) + [f"text: {text}" for text in texts],
        steps=[str(each) for each in least.steps],
    )


def _tell(report: Report) -> None:
    console, rows = Console(), report.rows
    table = Table("", *BY_VARIANT)
    for variant, counts in rows.items():
        table.add_row(variant, *(f"{counts[name]:,}" for name in BY_VARIANT))
    console.print(table)
    others = Table("of all", "")
    for name in FIGURES:
        if name not in BY_VARIANT:
            others.add_row(name, f"{rows['all'][name]:,}")
    console.print(others)
    typer.echo(f"not answered, by reason: {dict(report.unanswered)}")
    for each in report.found:
        typer.echo(f"\nseed {each.seed}, {each.variant}")
        typer.echo("\n".join([*each.wrong, "after", *each.steps]))
