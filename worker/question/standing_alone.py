"""Whether a question stands alone: by its own words it surely finds another page.

Asked in a thread, such a question would only be distracted by its conversation. The searches with
and without the conversation say so, in every language: rules about pronouns brought nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    """The question of a message that tells more, to be asked where all of it finds no answer.

    None where it may lean on what is told, and where only a conversation completes it.
    """
    asked = completed.question if completed.is_told_more else completed.alone
    if not asked or points_back(asked):
        return None
    return by_itself(completed.model_copy(update={"question": asked}))


def _probability(hits: Sequence[Hit]) -> float:
    """That the first page is the right one."""
    return calibration().probability(features(hits, hits[0].page.key))
