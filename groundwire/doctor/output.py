"""Shows findings: lines by subject for people, with the cure under what is not well; or as JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from groundwire.doctor.examination import Examination
from groundwire.doctor.finding import HealthFinding, HealthState, worst

MARKS = {
    HealthState.OK: ("✓", "green"),
    HealthState.WARNING: ("!", "yellow"),
    HealthState.WRONG: ("✗", "bold red"),
    HealthState.NOT_TRIED: ("–", "dim"),
}
SLOW_S = 2.0  # from then on it is said how long a check took


class Progress:
    """One line that says what is waited for, as rich draws it again and again."""

    def __init__(self, running: Examination) -> None:
        self._running = running
        self._spinner = Spinner("dots")

    def __rich__(self) -> RenderableType:
        waiting, of = self._running.under_way, self._running.of
        names = ", ".join(waiting[:3]) + (", …" if len(waiting) > 3 else "")
        for_whom = f"; waiting for {names}" if waiting else ""
        self._spinner.update(text=f"{of - len(waiting)} of {of} checks{for_whom}")
        return self._spinner


def as_json(findings: Sequence[HealthFinding]) -> str:
    told = [
        {
            "id": each.id,
            "subject": each.subject,
            "state": each.state.value,
            "says": each.says,
            "cure": each.cure,
            "seconds": each.seconds,
        }
        for each in findings
    ]
    state = worst(list(findings)).value
    return json.dumps({"state": state, "findings": told}, indent=2, ensure_ascii=False)


def show(console: Console, findings: Sequence[HealthFinding], seconds: float) -> None:
    """Every finding, by subject, and the sum of it."""
    for subject, of_subject in groupby(findings, key=lambda each: each.subject):
        console.print(Text(subject, style="bold"))
        console.print(Padding(_lines(list(of_subject)), (0, 0, 0, 2), expand=False))
    console.print(_sum(findings, seconds))


def _lines(findings: list[HealthFinding]) -> Table:
    """What is long is broken within its own column."""
    table = Table.grid(padding=(0, 1))
    table.add_column(width=1)
    table.add_column()
    for each in _folded(findings):
        mark, style = MARKS[each.state]
        took = f" ({each.seconds:.0f} s)" if each.seconds >= SLOW_S else ""
        dim = "dim" if each.state is HealthState.NOT_TRIED else ""
        table.add_row(Text(mark, style), Text(f"{_name(each)}: {each.says}{took}", style=dim))
        if each.cure:
            table.add_row("", Text(f"→ {each.cure}", style=style))
    return table


def _folded(findings: list[HealthFinding]) -> Iterator[HealthFinding]:
    """What was not tried for the same reason is one line."""
    left_out = defaultdict(list)
    for each in findings:
        if each.state is HealthState.NOT_TRIED:
            left_out[each.says].append(each)
    for each in findings:
        if each.state is not HealthState.NOT_TRIED:
            yield each
        elif same := left_out.pop(each.says, None):
            yield replace(each, id=f"{each.subject}.{', '.join(map(_name, same))}")


def _name(finding: HealthFinding) -> str:
    return finding.id.partition(".")[2].replace("_", " ")


def _sum(findings: Sequence[HealthFinding], seconds: float) -> Text:
    counted = []
    for state in HealthState:
        if count := sum(each.state is state for each in findings):
            noun = "warnings" if state is HealthState.WARNING and count > 1 else state.value
            counted.append(f"{count} {noun}")
    _, style = MARKS[worst(list(findings))]
    return Text(f"{', '.join(counted)}; {seconds:.0f} s", style=style)
