"""Whether a question stands alone: its own words find another page, and as surely.

Asked in a thread, such a question would only be distracted by its conversation. The searches with
and without the conversation say so, in every language and without a list of pronouns.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.lexical.analyzer import content_words
from core.models import Hit
from worker.generation.confidence import MEDIUM, calibration, features

# Words that say something which such a question has at least. A word or two, as in "And the build
# scripts?", find some page surely too, but what they ask of it the conversation says. Of 2, 3 and
# 4 words, 4 is the only number that costs none of the corpora follow-ups; docs/benchmarks.md.
TELLING = 4


def stands_alone(question: str, alone: Sequence[Hit], together: Sequence[Hit]) -> bool:
    """Whether to leave the conversation out.

    `alone` are what the question finds by itself, `together` what it finds with its conversation,
    each the best first. A page that both find is no new subject.
    """
    if len(set(content_words(question))) < TELLING or not alone or not together:
        return False
    if together[0].page.key in {hit.page.key for hit in alone}:
        return False
    return _sureness(alone) >= max(MEDIUM, _sureness(together))


def _sureness(hits: Sequence[Hit]) -> float:
    """The probability that the first page is the right one."""
    found = features(hits, hits[0].page.key)
    return calibration().probability(found)
