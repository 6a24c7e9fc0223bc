"""Which test answer is shown as what was said without a piece."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from wiki import BACKUP, HOTEL, LEAVE, hit, piece

from core.attribution import AnswerPath, AnswerVerdict, Cause, Role, SentenceCauses, Tries
from core.embeddings.bundled import Bundled
from core.models import Answer, Record
from core.question import Completed
from worker.attribution.experiment.finding import Finding
from worker.attribution.experiment.result import explained
from worker.attribution.experiment.trials import Trial, Trials
from worker.attribution.statistics.losses import SavedAnswer

HITS = tuple(hit(piece(text, str(n))) for n, text in enumerate([HOTEL, LEAVE, BACKUP]))


def shown_without_the_first(embedder: Bundled, answers: Sequence[tuple[set[int], str]]) -> str:
    saved = SavedAnswer(HOTEL, embedder)
    of = tuple(Trial(frozenset(away), text) for away, text in answers)
    trials = Trials(len(HITS), of, saved.losses([each.text for each in of]))
    once = Tries(lost=1, of=1)
    cause = Cause(effect=0, role=Role.NEEDED, without=once, with_it=once)
    found = Finding(
        verdict=AnswerVerdict.CAUSED,
        sentences=(SentenceCauses(text=HOTEL, causes=(cause,)),),
        trials=trials,
        balanced=trials,
        shown=trials,
        path=AnswerPath.SAMPLE,
    )
    completed = Completed(question="?", text="?")
    record = Record(completed=completed, hits=HITS, answer=Answer(text=HOTEL))
    result = explained(record, [(0,), (1,), (2,)], saved, found, temperature=0.05)
    return next(each.counterfactual for each in result.effects if each.role is Role.NEEDED)


@pytest.mark.parametrize("turned", [False, True])
def test_what_is_shown_has_the_fewest_other_pieces_away(embedder: Bundled, *, turned: bool) -> None:
    answers = [
        ({0, 1, 2}, "Crows like walnuts."),
        ({0}, "Trams run on Sundays."),
        ({0, 1}, "Mugs stand in a cupboard."),
        ({1, 2}, HOTEL),
    ]
    given = answers[::-1] if turned else answers
    assert shown_without_the_first(embedder, given) == "Trams run on Sundays."


def test_what_is_shown_has_lost_what_rests_on_the_piece_though_more_are_away(
    embedder: Bundled,
) -> None:
    answers = [({0}, HOTEL), ({0, 1}, "Mugs stand in a cupboard."), ({1}, HOTEL)]
    assert shown_without_the_first(embedder, answers) == "Mugs stand in a cupboard."
