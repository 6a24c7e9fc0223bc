"""Describes a piece of evidence for people, as `python -m indexer parse` shows it."""

from __future__ import annotations

from core.models import Evidence


def described(piece: Evidence) -> str:
    """A piece for people: kind and headings, the text, and under it what else is known."""
    lines = [f"[{piece.kind.value}] {' › '.join(piece.heading_path)}".rstrip(), piece.text]
    known = {
        "anchor": piece.anchor,
        "table": piece.table_number,
        "row": piece.row,
        "language": piece.code.language if piece.code else "",
        "before": piece.before.text,
        "after": piece.after.text,
    }
    for name, value in known.items():
        if value:
            detail = f"  {name}: {value}"
            lines.append(detail.replace("\n", "\n    "))
    return "\n".join([*lines, ""])
