"""What would have been said: answers for people to see, after verdicts by scores."""

from __future__ import annotations

from dataclasses import replace

from core.attribution import AnswerVerdict, Role
from core.errors import ModelUnavailable
from worker.attribution.experiment.finding import MOSTLY, STRONGEST, Finding
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.statistics.losses import FIRST_SENTENCE, LOST, SavedAnswer

Row = frozenset[int]
MOST_SHOWN = 4


async def with_answers(found: Finding, asking: TrialCalls) -> Finding:
    """The finding with an answer without any evidence, and one without each cause, if it can be.

    They decide nothing but whether the answer can be said to stay: see `is_contradicted`.
    """
    nothing = frozenset(range(asking.clusters))
    rows = list(dict.fromkeys([nothing, *_rows(found)]))[: min(asking.left, MOST_SHOWN)]
    try:
        (trials,) = await asking.ask(rows)
    except ModelUnavailable:
        return replace(found, failed=found.failed + asking.failed)
    without = [trial.text for trial in trials.of if trial.away == nothing]
    return replace(
        found,
        shown=trials.where([n for n, trial in enumerate(trials.of) if trial.away != nothing]),
        without_evidence=without[0] if without else "",
        failed=found.failed + asking.failed,
        repeats_itself=False,  # of answers nothing is known
    )


def is_contradicted(found: Finding, saved: SavedAnswer) -> bool:
    """Whether the answer stays by its scores, and yet something else is said without evidence.

    A word that is put in, such as "not", makes another claim of words that are as likely as before.
    """
    if found.verdict is not AnswerVerdict.STAYS or not found.without_evidence:
        return False
    (row,) = saved.losses([found.without_evidence])
    return float((row[FIRST_SENTENCE:] >= LOST).mean()) >= MOSTLY


def _rows(found: Finding) -> list[Row]:
    """Without each cluster that is a cause, the strongest first; without all of those that do."""
    causes: dict[Row, Role] = {}
    for sentence in found.sentences:
        alternatives = frozenset(each for group in sentence.enough for each in group)
        for cause in sentence.causes:
            away = alternatives if cause.role is Role.ENOUGH else frozenset([cause.effect])
            causes[away] = min(causes.get(away, cause.role), cause.role, key=STRONGEST.index)
    return sorted(causes, key=lambda away: STRONGEST.index(causes[away]))
