"""Ranking weights: every weight of the search, in one place.

The values were chosen on the development half of ConfQuestions and looked at on a second corpus of
our own, among values that differ by less than the noise; docs/benchmarks.md has the figures and
the commands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.evidence.lexical.bm25f import BM25F, Fields
from core.evidence.ranking.fusion import Fusion, zscore
from core.manner import Mode

# Low b: long pieces are not worse pieces. Whole pages do differ in length.
PIECES = BM25F(
    weights=Fields(2.0, 1.5, 1.0),
    b=Fields(0.4, 0.4, 0.4),
)
PAGES = BM25F(
    weights=Fields(4.0, 2.0, 1.0),
    b=Fields(0.4, 0.4, 0.6),
)


@dataclass(frozen=True)
class Ranking:
    """A way to rank; the defaults are the product's."""

    pieces: BM25F = PIECES
    pages: BM25F = PAGES

    fuse: Fusion = zscore
    lexical: float = 0.35  # of the words in the piece
    page: float = 0.25  # of the words in its page
    dense: float = 0.40  # of the similarity in meaning
    # The same beside that, of a page in another language than the question, which shares few of
    # its words: where some pages are in either, those of the question's would hide the others.
    foreign: float = 0.5

    # Words of the page answered from, and of the question before; asked words weigh 1.
    context: tuple[float, ...] = (1.0, 0.5)
    # Query expansion: a word that no page has, replaced by the words nearest to it in meaning …
    neighbour: float = 0.6
    neighbours: int = 2  # … so many of them
    synonyms: float = 0.4  # the words nearest to one that was asked, beside it
    thesaurus: float = 0.35  # what else it is called at work (core.evidence.query.thesaurus)
    synonymous: float = 0.75  # cosine similarity from which they are near enough
    # Spelling correction: a word that no page has, replaced by similarly spelled words of titles.
    mistyped: float = 0.8

    candidates: int = 100  # of each kind of search
    # Pieces of one page among the hits, so that one long page does not crowd out the others.
    per_page: int = 3
    # What drafts, copies, archived pages and earlier editions lose of the fused score.
    unsettled: float = 0.3
    # What a page gains that the question names by words which its rivals' names lack …
    named: float = 0.4
    rivals: int = 5  # … so many pages, the best by all other scores

    def by(self, mode: Mode) -> Ranking:
        """The same by words or by meaning alone; the remaining weights are scaled up to 1."""
        if mode is Mode.MEANING:
            return replace(
                self,
                lexical=0.0,
                page=0.0,
                dense=1.0,
            )
        words = self.lexical + self.page
        if mode is Mode.BOTH or not words:
            return self
        return replace(
            self,
            lexical=self.lexical / words,
            page=self.page / words,
            dense=0.0,
        )


PRODUCT = Ranking()
