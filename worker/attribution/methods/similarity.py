"""`naive`, to compare with: similarity of each piece and the answer; no model call, no verdicts."""

from __future__ import annotations

from core.attribution import Effect, Explanation, Spread
from worker.attribution.methods.method import Material
from worker.attribution.methods.ragonite import by_share, untested
from worker.attribution.statistics.answer_distance import plain


async def explain(material: Material) -> Explanation:
    record = material.record
    texts = [hit.evidence.text for hit in record.hits]
    answer, *pieces = material.embedder.embed([plain(record.answer.text), *texts])
    found: list[Effect] = []
    for place, piece in enumerate(pieces):
        similarity = max(0.0, float(piece @ answer))
        point = Spread(mean=similarity, low=similarity, high=similarity)
        found.append(untested(record, (place,), point))
    effects = by_share(found, temperature=material.options.temperature)
    return Explanation(turn_id=material.turn_id, effects=effects)
