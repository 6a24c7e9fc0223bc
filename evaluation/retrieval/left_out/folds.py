"""Folds: for each corpus the weights that were chosen without it, and those chosen on it alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from core.evidence.ranking.fit import Fitted, Measure, fit
from core.evidence.ranking.grid import moved, with_weights
from core.evidence.ranking.weights import PRODUCT, Ranking

# What one would begin with who has seen none of the corpora. The product's own weights were chosen
# while looking at some of them, so weights that are to be independent of a corpus cannot begin
# there: in doubt they would stay what that corpus made them. k1 = 1.2 and b = .75 are the usual
# ones (Robertson and Zaragoza 2009, section 3.5); words, pages and meaning count alike.
TEXTBOOK = with_weights(
    PRODUCT,
    {
        "lexical": 0.34,
        "page": 0.33,
        "dense": 0.33,
        "pieces.k1": 1.2,
        "pages.k1": 1.2,
        "pieces.b.title": 0.75,
        "pieces.b.path": 0.75,
        "pieces.b.body": 0.75,
        "pages.b.title": 0.75,
        "pages.b.path": 0.75,
        "pages.b.body": 0.75,
        "pieces.weights.title": 2.0,
        "pieces.weights.path": 1.5,
        "pages.weights.title": 2.0,
        "pages.weights.path": 1.0,
        "context.0": 0.5,
        "context.1": 0.5,
        "neighbour": 0.6,
        "synonyms": 0.2,
        "thesaurus": 0.25,
        "mistyped": 0.8,
        "unsettled": 0.3,
        "named": 0.0,
    },
)

# Parts of the ranking that can be switched off, each with what it is switched off by.
PARTS: Mapping[str, Callable[[Ranking], Ranking]] = {
    "meaning": lambda ranking: moved(ranking, "dense", 0.0),
    "words of the piece": lambda ranking: moved(ranking, "lexical", 0.0),
    "words of the page": lambda ranking: moved(ranking, "page", 0.0),
    "words of the thread": lambda ranking: with_weights(
        ranking, {"context.0": 0.0, "context.1": 0.0}
    ),
    "neighbours": lambda ranking: with_weights(ranking, {"neighbour": 0.0}),
    "synonyms": lambda ranking: with_weights(ranking, {"synonyms": 0.0}),
    "thesaurus": lambda ranking: with_weights(ranking, {"thesaurus": 0.0}),
    "typos": lambda ranking: with_weights(ranking, {"mistyped": 0.0}),
    "page status": lambda ranking: with_weights(ranking, {"unsettled": 0.0}),
    "pages that are named": lambda ranking: with_weights(ranking, {"named": 0.0}),
}


@dataclass(frozen=True)
class Fold:
    """The weights of one corpus: chosen without it, and on it alone, the optimistic bound."""

    without_it: Fitted
    on_it: Fitted


def folds(measures: Mapping[str, Measure], whole: Mapping[str, Measure]) -> dict[str, Fold]:
    """Of every corpus, by its name; `whole` measure all of a corpus, `measures` perhaps a part."""
    found: dict[str, Fold] = {}
    for name in measures:
        found[name] = Fold(chosen_without(name, measures), chosen_on(name, whole))
    return found


def chosen_without(name: str, measures: Mapping[str, Measure]) -> Fitted:
    """The weights that the other corpora agree on."""
    others = {other: measure for other, measure in measures.items() if other != name}
    return fit(others, start=TEXTBOOK)


def chosen_on(name: str, measures: Mapping[str, Measure]) -> Fitted:
    """The best weights for one corpus, noise and all, on the way from the product's."""
    return fit({name: measures[name]}, start=PRODUCT, noise=0.0)


def unfitted(names: Collection[str]) -> dict[str, Fold]:
    """The product's weights everywhere, for a look that does not take an hour."""
    shipped = Fitted(PRODUCT, (), 0)
    return dict.fromkeys(names, Fold(shipped, shipped))
