"""Terminal output of an explanation, and its progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from core.attribution import Edit, Effect, Explanation
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
    table = Table("effect", "90 % interval", "share", "role", "sources", "evidence")
    for effect in result.effects:
        table.add_row(*_row(effect))
    console.print(table)
    for effect in result.effects[:1]:
        _print_difference(console, effect)
    for label in result.skipped:
        console.print(
            f"the budget did not allow to look into: {label}", markup=False, highlight=False
        )
    console.print(_cost(result), style="dim", markup=False, highlight=False)


def _row(effect: Effect) -> list[str]:
    return [
        f"{effect.effect:.3f}",
        f"{effect.away.low:.3f} to {effect.away.high:.3f}",
        f"{effect.share:.0%}",
        effect.role.value if effect.role else "-",
        " ".join(map(str, effect.source_numbers)) or "-",
        effect.label,
    ]


def _print_difference(console: Console, effect: Effect) -> None:
    console.print(f"without {effect.label}:", style="dim", markup=False, highlight=False)
    for change in effect.difference:
        console.print(change.text, style=STYLES[change.edit], end="", markup=False, highlight=False)
    console.print()


def _cost(result: Explanation) -> str:
    usage = result.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    facts = [
        f"method {result.method.value}",
        f"{result.tries} test answers",
        f"{usage.calls} calls, {tokens:,} tokens",
        f"{result.seconds:.1f} s",
    ]
    if result.cost is not None:
        facts.append(f"{result.cost:.4f} {result.currency}")
    return "; ".join(filter(None, facts))
