"""Suggests by rules from what surrounds an answer: other cells, other sections, other pages.

Only pages that the search found for this very question, and that were just confirmed for its
reader, are looked at; of them only the pieces that the reader may see. So no suggestion can say a
word of anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models import Evidence
from worker.suggestions.candidates import Answered, Candidate, Neighbourhood, interleave
from worker.suggestions.from_sections import nearest, other_pages, sections
from worker.suggestions.from_tables import cells
from worker.suggestions.question_templates import WORDS


def neighbours(
    turn: Answered,
    pieces: Mapping[str, Sequence[Evidence]],
) -> list[Candidate]:
    """What could be asked next, the best first: cells, sections and other pages in turns."""
    if turn.language is None:
        return []
    around = Neighbourhood(turn, pieces, WORDS[turn.language])
    if not turn.found:
        return list(nearest(around))
    found = interleave(cells(around), sections(around), other_pages(around))
    return list(found)
