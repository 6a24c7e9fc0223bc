"""Terminal output of an explanation, and its progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from core.attribution import Edit, Effect, Explanation, Spread
from worker.attribution.ablation.model_calls import Report

STYLES = {Edit.SAME: "", Edit.REMOVED: "strike red", Edit.ADDED: "green"}


@contextmanager
def progress() -> Iterator[Report]:
    """A bar on standard error, which is empty when nobody watches."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task("asking without parts of the evidence", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def explanation(console: Console, result: Explanation) -> None:
    """The verdicts, a line for each cluster, and what it cost."""
    if not result.tested:
        console.print("[bold]shares only, nothing was tested[/bold]", highlight=False)
    elif result.verdict:
        console.print(f"[bold]{result.verdict.value.replace('_', ' ')}[/bold]", highlight=False)
    table = Table("effect", "90 % interval", "share", "verdict", "p", "sources", "evidence")
    for effect in result.effects:
        table.add_row(*_row(effect))
    for effect in result.together:
        table.add_row(*_row(effect, "together: "))
    console.print(table)
    if result.null.repeats:
        console.print(
            f"by itself {_spread(result.null)}; without any evidence {_spread(result.empty)}",
            highlight=False,
        )
    for effect in result.effects[:1]:
        _print_difference(console, effect)
    for label in result.skipped:
        console.print(
            f"the budget did not allow to look into: {label}", markup=False, highlight=False
        )
    console.print(_cost(result), style="dim", markup=False, highlight=False)


def _row(effect: Effect, before: str = "") -> list[str]:
    numbers = " ".join(map(str, effect.source_numbers)) or "-"
    p_value = "-" if effect.p_value is None else f"{effect.p_value:.4f}"
    interval = f"{effect.change.low:.3f} to {effect.change.high:.3f}"
    verdict = effect.verdict.value if effect.verdict else "-"
    return [
        f"{effect.change.mean:.3f}",
        interval,
        f"{effect.share:.0%}",
        verdict,
        p_value,
        numbers,
        before + effect.label,
    ]


def _print_difference(console: Console, effect: Effect) -> None:
    console.print(f"without {effect.label}:", style="dim", markup=False, highlight=False)
    for change in effect.difference:
        console.print(change.text, style=STYLES[change.edit], end="", markup=False, highlight=False)
    console.print()


def _spread(spread: Spread) -> str:
    return f"{spread.mean:.3f} ({spread.low:.3f} to {spread.high:.3f})"


def _cost(result: Explanation) -> str:
    usage = result.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    facts = [
        f"method {result.method.value}",
        result.test,
        f"{usage.calls} calls, {tokens:,} tokens",
        f"{result.seconds:.1f} s",
    ]
    if result.cost is not None:
        facts.append(f"{result.cost:.4f} {result.currency}")
    return "; ".join(filter(None, facts))
