"""A method of attribution: how it explains an answer, from what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.attribution import Explanation
from core.embeddings import Embedder
from core.models import Record
from worker.attribution.ablation.model_calls import Calls
from worker.attribution.options import Options
from worker.attribution.statistics.answer_distance import Comparison


@dataclass(frozen=True)
class Material:
    """What a method works with."""

    turn_id: str
    record: Record  # with its hits as the answerer was given them; at least one
    calls: Calls  # answers without some of the evidence
    embedder: Embedder
    options: Options
    model: str  # that answers; empty: quoted answers, which are always the same
    scored: Calls | None = None  # scores without some of the evidence, where they can be asked for

    @property
    def comparison(self) -> Comparison:
        """Of the saved answer with others."""
        question = self.record.completed.text
        answer = self.record.answer.text
        return Comparison(question, answer, self.embedder)


# One way to explain; who calls it adds to the explanation its name and what it cost.
AttributionMethod = Callable[[Material], Awaitable[Explanation]]
