"""The figures of `attribution` beside Table 3 of the paper, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from core.attribution import Method
from evaluation.harness.interval import Share

NO_EVIDENCE = "quoted answers, no model: these figures are no evidence for the method"
# Saha Roy et al. 2025, Table 3.
PUBLISHED_N = 364
PUBLISHED = {Method.NAIVE: 0.772, Method.PAPER_NO_CLUSTERS: 0.791, Method.PAPER: 0.799}
BOTH = "both"
WIDTH = 140  # of the table where nobody watches

Figures = Mapping[str, Mapping[str, Any]]


def label(model: str) -> str:
    return f"answers of {model}" if model else NO_EVIDENCE


def as_json_(found: Figures, model: str) -> dict[str, Any]:
    rows = {name: _plain(row) for name, row in found.items()}
    published = {}
    for method, accuracy in PUBLISHED.items():
        published[method.value] = {"accuracy": accuracy, "n": PUBLISHED_N}
    return {"label": label(model), "model": model, "measured": rows, "published": published}


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: v.as_json() if isinstance(v, Share) else v for key, v in row.items()}


def show(found: Figures, model: str) -> None:
    """The table under its label, with the published figures below."""
    out = Console(width=max(Console().width, WIDTH))
    names = list(next(iter(found.values()), {}))
    title = f"{label(model)}; shares in per cent"
    table = Table("", *names, title=title, title_justify="left", title_style="bold")
    for name, row in found.items():
        table.add_row(name, *(str(row[key]) for key in names))
    for method, accuracy in PUBLISHED.items():
        name = f"published: {method} {BOTH}"
        table.add_row(name, str(PUBLISHED_N), f"{100 * accuracy:.1f}", *[""] * len(names[2:]))
    out.print(table)
