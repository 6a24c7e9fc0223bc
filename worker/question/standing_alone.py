"""Whether a question stands alone: what its conversation or its message adds would only distract.

Twice it is seen from what is found with and without that, in every language: before anything is
read, where its own words surely find another page; and once the gate has read what both found.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from core.dialogue.folding import folded
from core.dialogue.reading import read
from core.dialogue.signs import goes_on
from core.evidence.lexical.analyzer import content_words
from core.models import Hit
from core.question import Completed
from worker.answerability.gate import LET_THROUGH, Judgement
from worker.generation.confidence import calibration, features
from worker.question.asked_part import points_back, surely_leans
from worker.question.classify import by_itself

# Both chosen so that no corpus is answered worse than without this rule, and tried on corpora that
# had no say in it. A word or two find some page surely, but what they ask of it the conversation
# says: fewer words cost the railway. A lower probability costs ConfQuestions, a higher the clinic.
TELLING = 4  # words that say something which such a question has at least
SURELY = 0.75  # probability that the first page is the right one
# Such words, where the question finds no answer with its conversation, of a question that asks in
# words, and of one that only ends with a question mark.
ENOUGH, WHOLE = 2, 3
# What the gate's log-odds for the question alone, less those with its conversation, come to with
# what its words say, by a regression over 357 questions in threads, half of which had left their
# subject. Both are higher than would divide them evenly: most questions in a thread go on, and what
# was refused and is answered wrongly costs trust (docs/benchmarks.md, In a thread about …).
LEFT = 4.0
UNANSWERED = 3.0  # the same, where the question finds no answer with its conversation
A_WORD, POINTS, GOES_ON = 0.5, -0.75, -0.55
MOST_WORDS = 6  # that count
EXTREME = 0.02  # a probability nearer to 0 or 1 says no more


def stands_alone(question: str, alone: Sequence[Hit], together: Sequence[Hit]) -> bool:
    """Whether to leave the conversation out.

    `alone` are what the question finds by itself, `together` what it finds with its conversation,
    each the best first. A page that both find is no new subject.
    """
    if _telling(question) < TELLING or not alone or not together:
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


def by_own_words(completed: Completed, together: Judgement) -> Completed | None:
    """The question without what is around it: what its message tells, or what rules have added.

    `together` is what the gate says of what is found with that. None where nothing is around it or
    it is needed, where a model completed it, and where no search could be better.
    """
    if _is_follow_up(completed):
        could_be = is_better_alone(completed, LET_THROUGH, together)
        return by_itself(completed) if could_be else None
    if together.is_answerable:
        return None
    asked = completed.question if completed.is_told_more else completed.alone
    if not asked or points_back(asked):
        return None
    return by_itself(completed.model_copy(update={"question": asked}))


def is_better_alone(completed: Completed, alone: Judgement, together: Judgement) -> bool:
    """Whether to answer from what a question finds by its own words.

    `completed` has what is around it, `alone` and `together` are what the gate says of what is
    found without and with that.
    """
    if not _is_follow_up(completed):
        return not together.is_answerable
    if not (together.is_answerable or _leans(completed.question)):
        return True
    least = LEFT if together.is_answerable else UNANSWERED
    may_leave = alone.is_answerable and not surely_leans(completed.question)
    is_judged = bool(together.signs)
    return may_leave and is_judged and _leaving(completed, alone, together) >= least


def _leaving(completed: Completed, alone: Judgement, together: Judgement) -> float:
    """How much speaks for it that a follow-up has left its conversation; unbounded."""
    words = min(_telling(completed.question), MOST_WORDS)
    leans = POINTS * points_back(completed.question) + GOES_ON * _goes_on(completed.question)
    return _log_odds(alone) - _log_odds(together) + A_WORD * words + leans


def _leans(question: str) -> bool:
    """Whether a follow-up says too little to be about something else than its conversation.

    "Phone number?" asks for that of what was spoken of, "where is the phone" may be anywhere.
    """
    telling = _telling(question)
    is_short = telling < ENOUGH or (telling < WHOLE and not read(question.replace("?", "")).asks)
    return is_short or points_back(question) or _goes_on(question)


def _is_follow_up(completed: Completed) -> bool:
    """Whether rules have added something of its conversation."""
    return bool(completed.context) and not (completed.is_told_more or completed.by)


def _telling(question: str) -> int:
    return len(set(content_words(question)))


def _goes_on(question: str) -> bool:
    return goes_on(folded(question))


def _log_odds(judged: Judgement) -> float:
    probability = min(max(judged.probability, EXTREME), 1 - EXTREME)
    return log(probability / (1 - probability))


def _probability(hits: Sequence[Hit]) -> float:
    """That the first page is the right one."""
    return calibration().probability(features(hits, hits[0].page.key))
