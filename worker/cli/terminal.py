"""Terminal output of an explanation, and the bar of what takes many calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from core.attribution import Edit, Effect, Explanation, SentenceCauses
from worker.attribution.ablation.model_calls import Report

STYLES = {Edit.SAME: "", Edit.REMOVED: "strike red", Edit.ADDED: "green"}


@contextmanager
def progress(what: str) -> Iterator[Report]:
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
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def explanation(console: Console, result: Explanation) -> None:
    """The verdict, a line for each cluster and for each sentence, and what it cost."""
    verdict = result.verdict.value.replace("_", " ") if result.verdict else "shares only"
    console.print(f"[bold]{verdict}[/bold]", highlight=False)
    table = Table("effect", "90 % interval", "share", "role", "sources", "evidence")
    for effect in result.effects:
        table.add_row(*map(Text, _row(effect)))
    console.print(table)
    for sentence in result.sentences:
        _print_sentence(console, result, sentence)
    for effect in result.effects[:1]:
        _print_difference(console, effect)
    for label in result.skipped:
        _print_line(console, f"the budget did not allow to look into: {label}")
    for stage in result.left_undone:
        _print_line(console, f"the budget did not allow to {stage.value}")
    console.print(_cost(result), style="dim", markup=False, highlight=False)


def _print_sentence(console: Console, result: Explanation, sentence: SentenceCauses) -> None:
    """Each with its causes, and in how many test answers without them it was lost."""
    _print_line(console, sentence.text)
    for cause in sentence.causes:
        label = result.effects[cause.effect].label
        lost = f"lost in {cause.without.lost} of {cause.without.of} without it"
        _print_line(console, f"    {cause.role.value.replace('_', ' ')}: {label} ({lost})")
    if not sentence.causes:
        _print_line(console, "    no cause found")


def _print_line(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False)


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
