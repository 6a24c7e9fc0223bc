"""The effects of an explanation as a picture."""

from __future__ import annotations

from core.attribution import Explanation
from core.language.sentences import Sentences


def draw(explanation: Explanation, say: Sentences) -> bytes:
    """A PNG with a bar for each effect; safe in any thread.

    matplotlib is loaded by the first picture: the pool that answers questions never pays for it.
    """
    from worker.attribution import bars  # noqa: PLC0415  (see above)

    return bars.draw(explanation, say)
