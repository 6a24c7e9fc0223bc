"""A second look at what is quoted: refused where it hardly answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from worker.answerability.quote_gate import QuoteGate
from worker.generation.generator import Generator
from worker.pipeline.gathered import Made


@dataclass(frozen=True)
class SecondLook:
    """Takes an answer that no model has written, or the abstention in its place."""

    gate: QuoteGate
    generator: Generator

    def at(self, made: Made) -> Made:
        evidence = made.evidence
        if self.gate.passes(made.draft.answer, evidence.asked, evidence.ranked, made.judged):
            return made
        refused = self.generator.refuse(evidence.asked, evidence.confirmed.hits)
        return replace(made, draft=refused)
