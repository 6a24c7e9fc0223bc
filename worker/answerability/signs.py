"""Signs that evidence answers a question: what its words and its meaning say of the first page.

Few, and each points one way: the more of the question the first page has, and the nearer it is to
it, the likelier it answers; a number that was asked for and stands on none of the found pages makes
it unlikely. None depends on how large a wiki is or how often its pages say a word, so weights that
some wikis have taught mean the same in another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from statistics import fmean

from core.evidence.lexical.analyzer import words
from core.language import language
from core.models import Hit, Kind
from core.pages import PageKey
from core.question import Completed, embedded
from worker.answerability.covering import AskedWord, Covering
from worker.answerability.vectors import RememberedVectors
from worker.reading.readings import FIRST, Readings, whole_text

# covered: the share of the question's words that what was found of the first page covers; near: its
# best cosine similarity with the question; number: whether the question has a number that no found
# page has; foreign: whether the page is in another language than the question, whose words it then
# covers less and to which it is less near, although it answers as well; reads: what the reader
# makes of the best of the first pieces, as log-odds, on average.
SIGNS = ("covered", "near", "number", "foreign", "reads")
BEST = 2  # of the first pieces: their mean tells more than the best alone (docs/benchmarks.md)


class Signs:
    """Reads the signs with the words of an index, the bundled encoder and the reader."""

    def __init__(self, covering: Covering, vectors: RememberedVectors, readings: Readings) -> None:
        self.covering = covering
        self.readings = readings
        self._vectors = vectors

    def of(self, completed: Completed, hits: Sequence[Hit]) -> dict[str, float]:
        """By name, in the order of SIGNS; `hits` are at least one that a search has ranked."""
        found = [hit for hit in hits if is_found(hit)]
        texts = _texts(found)
        first = found[0].page.key
        said = self.covering.asked(completed)
        return {
            "covered": self.covering.share(said, texts[first]),
            "near": self._near(completed, [hit for hit in found if hit.page.key == first]),
            "number": _number_is_missing(said, texts),
            "foreign": _is_foreign(completed, texts[first]),
            "reads": self._reads(completed, found[:FIRST]),
        }

    def _reads(self, completed: Completed, hits: Sequence[Hit]) -> float:
        answers = (each.answers for each in self.readings.of(completed, hits))
        return fmean(nlargest(BEST, answers))

    def _near(self, completed: Completed, hits: Sequence[Hit]) -> float:
        """By the bundled encoder, whichever embedder searches: others have other scales."""
        texts = [whole_text(hit) for hit in hits]
        question = embedded(completed.question, completed.context)
        asked, *others = self._vectors.of([question, *texts])
        return max(float(vector @ asked) for vector in others)


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


def _is_foreign(completed: Completed, text: str) -> float:
    """1 where both languages can be told, and are not the same."""
    asked = language(completed.question, *completed.context)
    written = language(text)
    return float(None not in (asked, written) and asked != written)
