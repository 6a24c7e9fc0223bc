"""Whether a question stands alone: by its own words it surely finds another page.

Asked in a thread, such a question would only be distracted by its conversation. The searches with
and without the conversation say so, in every language: rules about pronouns brought nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.dialogue.folding import folded
from core.dialogue.signs import goes_on
from core.evidence.lexical.analyzer import content_words
from core.models import Hit
from core.question import Completed
from worker.generation.confidence import calibration, features
from worker.question.asked_part import points_back
from worker.question.classify import by_itself

# Both chosen so that no corpus is answered worse than without this rule, and tried on corpora that
# had no say in it. A word or two find some page surely, but what they ask of it the conversation
# says: fewer words cost the railway. A lower probability costs ConfQuestions, a higher the clinic.
TELLING = 4  # words that say something which such a question has at least
SURELY = 0.75  # probability that the first page is the right one
ENOUGH = 3  # such words, where the question finds no answer with its conversation


def stands_alone(question: str, alone: Sequence[Hit], together: Sequence[Hit]) -> bool:
    """Whether to leave the conversation out.

    `alone` are what the question finds by itself, `together` what it finds with its conversation,
    each the best first. A page that both find is no new subject.
    """
    if len(set(content_words(question))) < TELLING or not alone or not together:
        return False
    if together[0].page.key in {hit.page.key for hit in alone}:
        return False
    return _probability(alone) >= SURELY


def is_surer(question: str, alone: Sequence[Hit], together: Sequence[Hit]) -> bool:
    """Whether a question finds its page more surely without what its message tells beside it.

    People tell what matters, "I am flying to Porto", and what does not, "I started on Monday". A
    question that points back, "can I claim that?", needs it.
    """
    if not alone or points_back(question):
        return False
    return not together or _probability(alone) >= _probability(together)


def asked_alone(completed: Completed) -> Completed | None:
    """The question by its own words, to be asked where it finds no answer with what is around it.

    That is what its message tells, or its conversation: rules add that to a question that has left
    it, too. None where it may lean on it, and where it was completed by a model.
    """
    is_left = _has_left(completed)
    asked = completed.question if completed.is_told_more or is_left else completed.alone
    if not asked or points_back(asked):
        return None
    return by_itself(completed.model_copy(update={"question": asked}))


def _has_left(completed: Completed) -> bool:
    """Whether a follow-up says enough to be about something else than its conversation."""
    if not completed.context or completed.by or goes_on(folded(completed.question)):
        return False
    return len(set(content_words(completed.question))) >= ENOUGH


def _probability(hits: Sequence[Hit]) -> float:
    """That the first page is the right one."""
    return calibration().probability(features(hits, hits[0].page.key))
