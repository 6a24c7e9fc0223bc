"""Tune: fit the weights of the search to questions made from the operator's own pages.

What is reported was measured on pages that had no part in the choice: the pages fall into folds,
and each fold is asked with weights that were fitted without it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy import stats

from core.evidence import EvidenceSearch, Query
from core.evidence.ranking.fit import NOISE, Gain, Measure, Outcomes, fit
from core.evidence.ranking.grid import GRID, differing
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.models import Hit
from core.storage.database import Database
from indexer.tuning.peers import Bm25s, Unit
from indexer.tuning.pieces import in_turns, open_pieces, said_once
from indexer.tuning.question_templates import GeneratedQuestion, Surroundings, by_templates
from indexer.tuning.standalone import fault_of, rare_in

FOLDS = 5
K = 3  # pieces of a search: only the first one counts, the others may say the same
# Pieces looked at for each question wanted: rules refuse many.
TRIES = 4
FEWEST = 100  # questions: with fewer, a difference of 10 points is noise
# What may be tuned: how words, whole pages, titles and meaning count. The questions are worded as
# their pages are, so weights of synonyms and typos cannot be learned from them.
TUNED = ("dense", "page", "pieces.weights.title", "pages.weights.title", "pieces.b", "pages.b.body")

Search = Callable[[Ranking], EvidenceSearch]
Advance = Callable[[], None]


@dataclass(frozen=True)
class Share:
    """Which share of the questions found its page first, with Wilson's interval at 95 %."""

    right: int
    of: int

    @property
    def value(self) -> float:
        return self.right / self.of

    @property
    def interval(self) -> tuple[float, float]:
        found = stats.binomtest(self.right, self.of).proportion_ci(0.95, method="wilson")
        return round(float(found.low), 3), round(float(found.high), 3)

    def as_json(self) -> dict[str, float]:
        low, high = self.interval
        return {"p_at_1": round(self.value, 3), "low": low, "high": high, "n": self.of}


@dataclass(frozen=True)
class Tuned:
    """What tuning found; `product` and `left_out` are of the same questions."""

    weights: Mapping[str, float]  # those that differ from the product's
    product: Share
    left_out: Share  # each question with weights that were fitted without its page's fold
    gain: Gain

    @property
    def is_better(self) -> bool:
        """Whether the gain on pages left out is more than noise."""
        return bool(self.weights) and self.gain.counts(NOISE)

    def figures(self) -> dict[str, Any]:
        return {"product": self.product.as_json(), "tuned, left out": self.left_out.as_json()}


def questions(search: EvidenceSearch, count: int, seed: int) -> list[GeneratedQuestion]:
    """Up to `count` questions about open pages, each of which makes sense alone."""
    search.search(Query(""), 1)  # brings the words of the index up to date
    everywhere = list(open_pieces(search.database))
    is_rare = rare_in(search.lexical)
    generate = by_templates(Surroundings.of(everywhere))
    chance = random.Random(seed)
    made: dict[str, GeneratedQuestion] = {}
    for piece in in_turns(said_once(everywhere), chance)[: TRIES * count]:
        if found := list(generate(piece)):
            one = chance.choice(found)
            if fault_of(one.question, is_rare) is None:
                made.setdefault(one.question, one)
        if len(made) >= count:
            break
    return list(made.values())


def tune(
    asked: Sequence[GeneratedQuestion],
    search: Search,
    advance: Advance = lambda: None,
) -> Tuned:
    """Weights for these questions' pages; `advance` is called after each search."""
    folds = _folds(asked)
    known = {name: _Fold(own, search, advance) for name, own in folds.items()}
    grid = {name: GRID[name] for name in TUNED}
    before = {name: fold(PRODUCT) for name, fold in known.items()}
    after: dict[str, Outcomes] = {}
    for left_out, fold in known.items():
        others: dict[str, Measure] = {n: each for n, each in known.items() if n != left_out}
        after[left_out] = fold(fit(others, grid=grid).ranking)
    final = fit({**known}, grid=grid).ranking
    return Tuned(
        weights=differing(final, PRODUCT),
        product=_share(before),
        left_out=_share(after),
        gain=Gain.between(before, after),
    )


def by_bm25s(asked: Sequence[GeneratedQuestion], database: Database) -> Share:
    """The same questions to bm25s, over the same pieces with their titles and headings."""
    pieces = list(open_pieces(database))
    languages = Counter(one.language for one in asked)
    units = [_unit(each) for each in pieces]
    peer = Bm25s(units, languages.most_common(1)[0][0])
    right = 0
    for one in asked:
        pages = [pieces[place].page.key for place in peer.best(one.question, 1)]
        right += one.piece.page.key in pages
    return Share(right, len(asked))


def _unit(piece: Hit) -> Unit:
    evidence = piece.evidence
    return Unit(piece.page.title, " ".join(evidence.heading_path), evidence.text)


class _Fold:
    """The questions of a fold; a ranking is asked once, whichever folds are fitted with it."""

    def __init__(
        self,
        asked: Sequence[GeneratedQuestion],
        search: Search,
        advance: Advance,
    ) -> None:
        self._asked = asked
        self._search = search
        self._advance = advance
        self._known: dict[Ranking, Outcomes] = {}

    def __call__(self, ranking: Ranking) -> Outcomes:
        if ranking not in self._known:
            search = self._search(ranking)
            self._known[ranking] = np.array([self._is_right(search, one) for one in self._asked])
        return self._known[ranking]

    def _is_right(self, search: EvidenceSearch, one: GeneratedQuestion) -> float:
        hits = search.search(Query(one.question), K).hits
        self._advance()
        pages = [copy.page.key for copy in hits[0].everywhere] if hits else []
        return float(one.piece.page.key in pages)


def _folds(asked: Sequence[GeneratedQuestion]) -> dict[str, list[GeneratedQuestion]]:
    """By page, so that no page is both fitted to and measured."""
    folds: dict[str, list[GeneratedQuestion]] = {}
    for one in asked:
        digest = blake2b(str(one.piece.page.key).encode(), digest_size=4).digest()
        name = str(int.from_bytes(digest) % FOLDS)
        folds.setdefault(name, []).append(one)
    return folds


def _share(outcomes: Mapping[str, Outcomes]) -> Share:
    every = np.concatenate(list(outcomes.values()))
    return Share(int(every.sum()), len(every))
