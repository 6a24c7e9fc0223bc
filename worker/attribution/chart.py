"""The effects of an explanation as a picture, where there is something to see."""

from __future__ import annotations

from core.attribution import AnswerPath, Explanation, Role
from core.language.sentences import Sentences


def draw(explanation: Explanation, say: Sentences) -> bytes | None:
    """A PNG with a line for each page that does something; None where none does.

    Of a quoted answer the words say it all. Safe in any thread. matplotlib is loaded by the first
    picture: the pool that answers questions never pays for it.
    """
    if explanation.path is AnswerPath.QUOTED or not _has_something(explanation):
        return None
    from worker.attribution import dots  # noqa: PLC0415  (see above)

    return dots.draw(explanation, say)


def _has_something(explanation: Explanation) -> bool:
    if not explanation.tested:
        return any(each.share for each in explanation.effects)
    return any(each.role not in (None, Role.UNUSED) for each in explanation.effects)
