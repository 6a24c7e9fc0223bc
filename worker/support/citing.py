"""Citing what a model leaves uncited: the piece that says a claim is named behind it.

Small models answer from the pages and cite none of them. Whoever reads that could look nothing up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.models import Answer, Hit
from worker.support.check import Checked
from worker.text.citations import cite

_ENDS = ".!?…"


def with_citations(answer: Answer, checked: Checked, hits: Sequence[Hit]) -> Answer:
    """The answer with a source for each claim that the pages say; for one that cites nothing."""
    if answer.sources:
        return answer
    text = answer.text
    for end, place in reversed(list(_placed(text, checked))):
        end -= len(text[:end]) - len(text[:end].rstrip(_ENDS))
        text = f"{text[:end]} [{place}]{text[end:]}"
    cited, sources = cite(text, hits)
    return answer.model_copy(update={"text": cited, "sources": sources})


def _placed(text: str, checked: Checked) -> Iterator[tuple[int, int]]:
    """Where each citation belongs; of neighbours in a line that stand on one piece, the last."""
    found: list[tuple[int, int]] = []
    end = 0
    for claim, why, place in zip(checked.claims, checked.lacking, checked.nearest, strict=True):
        begin = text.find(claim.text, end)
        if begin < 0:
            continue
        is_next = found and found[-1][1] == place and "\n" not in text[end:begin]
        if is_next and not why:
            found.pop()
        end = begin + len(claim.text)
        if place:
            found.append((end, 0 if why else place))
    return (each for each in found if each[1])
