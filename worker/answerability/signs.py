"""Signs that evidence answers a question: what the ranking, the words and the meaning say of it.

Few, and each points one way: the better the first page fits, the likelier it answers; a number that
was asked for and stands on none of the found pages makes it unlikely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from core.embeddings import Embedder, Vectors
from core.evidence.lexical.analyzer import words
from core.models import Hit, Kind
from core.pages import PageKey
from core.question import Completed, embedded
from worker.answerability.covering import AskedWord, Covering
from worker.generation import confidence

# best, dense: of the first page, as worker.generation.confidence has them; covered: the share of
# the question's words that what was found of it covers; called: the best similarity of the question
# with a title and its headings; number: whether the question has a number that no found page has.
SIGNS = ("best", "dense", "covered", "called", "number")
# From here on more says nothing: how high these go depends on the wiki. Where few pieces share a
# word with a question, its scores by words lie many standard deviations above the rest; where all
# pages are about the same, everything is similar. Without bounds, what one wiki has taught would
# refuse nothing in the next, or all.
MOST_BEST, MOST_DENSE, MOST_CALLED = 6.0, 0.3, 0.3
HEADINGS = 2  # of a piece, the nearest ones
REMEMBERED = 4096  # vectors of titles


class Signs:
    """Reads the signs with the words of an index and the bundled encoder."""

    def __init__(self, covering: Covering, load: Callable[[], Embedder]) -> None:
        self.covering = covering
        self._load = load
        self._remembered: dict[str, Vectors] = {}

    def of(self, completed: Completed, hits: Sequence[Hit]) -> dict[str, float]:
        """By name, in the order of SIGNS; `hits` are at least one that a search has ranked."""
        found = [hit for hit in hits if is_found(hit)]
        texts = _texts(found)
        first = found[0].page.key
        of_page = confidence.features(found, first)
        by_name = dict(zip(confidence.FEATURES, of_page, strict=True))
        said = self.covering.asked(completed)
        return {
            "best": min(by_name["best"] * self._scale(), MOST_BEST),
            "dense": min(by_name["dense"], MOST_DENSE),
            "covered": self.covering.share(said, texts[first]),
            "called": min(self._called(completed, found), MOST_CALLED),
            "number": _number_is_missing(said, texts),
        }

    def _scale(self) -> float:
        """What scores are multiplied by in a small index, so that the best possible is as good.

        Among n numbers none lies more than the root of n - 1 standard deviations above their mean
        (Samuelson, 1968).
        """
        most = math.sqrt(max(self.covering.pieces - 1, 1))
        return max(1.0, MOST_BEST / most)

    def similarity(self, question: str, texts: Sequence[str]) -> float:
        """The best cosine similarity of a question with one of these texts."""
        remembered = self._remembered if len(self._remembered) < REMEMBERED else {}
        new = [text for text in dict.fromkeys(texts) if text not in remembered]
        vectors = self._load().embed([question, *new])
        known = remembered | dict(zip(new, vectors[1:], strict=True))
        self._remembered = known
        return max((float(known[text] @ vectors[0]) for text in texts), default=0.0)

    def _called(self, completed: Completed, hits: Sequence[Hit]) -> float:
        titles: dict[str, None] = {}
        for hit in hits:
            path = hit.evidence.heading_path[-HEADINGS:]
            titles[" ".join((hit.page.title, *path))] = None
        return self.similarity(embedded(completed.question, completed.context), list(titles))


def is_found(hit: Hit) -> bool:
    """Whether a search has ranked it: no statement of place, no row that completes a table."""
    return hit.evidence.kind is not Kind.PLACE and not hit.table_rows


def _texts(hits: Sequence[Hit]) -> dict[PageKey, str]:
    """What was found of each page, with its titles and headings."""
    texts: dict[PageKey, str] = {}
    for hit in hits:
        titles = (copy.page.title for copy in hit.everywhere)
        own = " ".join((*titles, *hit.evidence.heading_path, hit.evidence.text))
        texts[hit.page.key] = f"{texts.get(hit.page.key, '')} {own}"
    return texts


def _number_is_missing(said: Sequence[AskedWord], texts: Mapping[PageKey, str]) -> float:
    """1 where no found page has all the numbers and identifiers that were asked for."""
    wanted = [word.terms for word in said if word.has_digit]
    for text in texts.values():
        terms = frozenset(words(text))
        if all(each & terms for each in wanted):
            return 0.0
    return 1.0
