"""Draws how the cost of an index grows with its pieces: search, memory, seconds, disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

Figures = Mapping[str, float | None]

# Of each panel what is drawn: the names of the figures and of the curves.
_PANELS: dict[str, dict[str, str]] = {
    "a search, ms of the processor": {
        "processor ms, by codes": "ours, by codes",
        "processor ms, with Chroma": "ours, with Chroma",
        "bm25s, ms": "bm25s (words)",
        "FTS5, ms": "SQLite FTS5 (words)",
        "FAISS flat, ms": "FAISS flat (vectors)",
        "FAISS binary, ms": "FAISS binary (codes)",
    },
    "memory beyond the encoder, MB": {
        "MB, 3 processes together": "ours, three processes",
        "MB, one process alone": "ours, one process",
        "MB, Chroma": "Chroma, with its program",
        "bm25s, MB": "bm25s",
        "FAISS flat, MB": "FAISS flat",
        "FAISS binary, MB": "FAISS binary",
    },
    "seconds": {
        "processor s, first search ever": "the index is made from SQL",
        "s, first search after a start": "first search after a start",
        "s, until a change is found": "until a change is found",
    },
    "disk, MB": {
        "MB, .db": "SQL, with the vectors",
        "MB, .index": "index of words and codes",
        "MB, .words": "vectors of words",
        "FTS5, MB": "SQLite FTS5",
    },
}


def draw(rows: Mapping[str, Figures], path: Path) -> None:
    """Four panels, both axes logarithmic; `rows` has the figures of each size by its name."""
    figure = Figure(figsize=(11, 8), layout="constrained")
    sizes = [int(name.split()[0].replace(",", "")) for name in rows]
    for axes, (title, curves) in zip(figure.subplots(2, 2).flat, _PANELS.items(), strict=True):
        for name, label in curves.items():
            _curve(axes, sizes, [figures.get(name) for figures in rows.values()], label)
        axes.set(xscale="log", yscale="log", xlabel="pieces of evidence", title=title)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)


def _curve(axes: Axes, sizes: list[int], values: list[float | None], label: str) -> None:
    known = [(size, value) for size, value in zip(sizes, values, strict=True) if value]
    if known:
        own = not label.startswith(("bm25s", "SQLite", "FAISS", "Chroma"))
        axes.plot(*zip(*known, strict=True), "o-" if own else "x--", label=label)
