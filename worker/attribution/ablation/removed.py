"""What an ablation removes, and its label: positions of hits, their ids and cited sources."""

from __future__ import annotations

from core.models import Record

Removed = tuple[int, ...]  # positions of the hits that are left out, in order; () is the null run


def sources(record: Record, positions: Removed) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The ids of these pieces, and the numbers of the answer's sources that they stand behind."""
    ids = tuple(record.hits[position].evidence.id for position in positions)
    cited = [
        source.number
        for source in record.answer.sources
        if not set(ids).isdisjoint(source.evidence_ids)
    ]
    return ids, tuple(cited)


def label(record: Record, positions: Removed) -> str:
    first = record.hits[positions[0]]
    return " › ".join([first.page.title, *first.evidence.heading_path[-1:]])
