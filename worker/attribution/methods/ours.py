"""`ours`: pieces away at random, a rule suggested and confirmed; a test behind each verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import numpy as np

from core.attribution import AnswerVerdict, ExplainBy, Explanation
from core.errors import NoScores
from worker.attribution.ablation.removed import Removed
from worker.attribution.clustering.cluster import cluster
from worker.attribution.experiment import exact, sampled
from worker.attribution.experiment.design import ROWS
from worker.attribution.experiment.finding import Finding
from worker.attribution.experiment.prior import prior
from worker.attribution.experiment.result import explained
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.experiment.trials import Floats
from worker.attribution.methods.method import Material
from worker.attribution.scoring.scored_trials import ScoredTrials
from worker.attribution.scoring.shown_answers import is_contradicted, with_answers
from worker.attribution.statistics.losses import SavedAnswer

Find = Callable[[TrialCalls, Floats, np.random.Generator], Awaitable[Finding]]


async def explain(material: Material, find: Find = sampled.find) -> Explanation:
    """`find` runs the experiment where the model is asked again.

    Raises:
        ModelUnavailable: see worker.attribution.ablation.model_calls.
    """
    chosen, record = material.options, material.record
    saved = SavedAnswer(record.answer.text, material.embedder)
    clusters = cluster(
        record.hits,
        material.embedder,
        eps=chosen.eps,
        min_samples=chosen.min_samples,
    )
    random = np.random.default_rng(_seed(material.turn_id))
    asking = TrialCalls(
        material.calls,
        clusters,
        saved,
        budget=chosen.budget.of_model(material.model),
        random=random,
    )
    chances = prior(record, clusters, saved)
    if not material.model:
        found = await exact.find(asking, chances)
    elif scores := await _scores(material, clusters, saved, random):
        found = await _by_scores(material, scores, chances, random)
    else:
        found = await find(asking, chances, random)
    explanation = explained(record, clusters, saved, found, temperature=chosen.temperature)
    return explanation.model_copy(update={"turn_id": material.turn_id})


async def _scores(
    material: Material,
    clusters: Sequence[Removed],
    saved: SavedAnswer,
    random: np.random.Generator,
) -> ScoredTrials | None:
    """The trials by scores; None: the model is to be asked again.

    Raises:
        NoScores: scores are demanded, and the endpoint does not tell them.
    """
    chosen = material.options
    if chosen.by is ExplainBy.SAMPLE or material.scored is None:
        if chosen.by is ExplainBy.LOGPROBS:
            raise NoScores("EXPLAIN_BY=logprobs, and nothing here can be asked for them")
        return None
    trials = ScoredTrials(
        material.scored,
        clusters,
        saved,
        budget=chosen.budget.of_model(material.model),
        random=random,
    )
    try:
        await trials.begin(material.record.answer.text)
    except NoScores:
        if chosen.by is ExplainBy.LOGPROBS:
            raise
        return None
    return trials


async def _by_scores(
    material: Material,
    scores: ScoredTrials,
    chances: Floats,
    random: np.random.Generator,
) -> Finding:
    """What scores show; by asking again where an answer contradicts them, and the budget allows."""
    found = await sampled.find(scores, chances, random)
    rest = scores.rest(material.calls)
    found = await with_answers(found, rest)
    if not is_contradicted(found, scores.saved):
        return found
    if material.options.by is ExplainBy.AUTO and rest.left >= ROWS + sampled.ENDS:
        return await sampled.find(rest, chances, random)
    return replace(found, verdict=AnswerVerdict.VARIES)


def _seed(turn_id: str) -> int:
    """Of the design: the same for the same turn, so that a resumed explanation asks the same."""
    return int.from_bytes(hashlib.sha256(turn_id.encode()).digest()[:8])
