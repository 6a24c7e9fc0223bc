"""The tables of corpora left out, as values that are printed or saved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from core.evidence.ranking.fit import Fitted
from core.evidence.ranking.grid import differing
from core.evidence.ranking.weights import PRODUCT
from evaluation.retrieval.left_out.bench import Bench
from evaluation.retrieval.left_out.folds import PARTS, Fold
from evaluation.retrieval.left_out.outcomes import Outcome, difference, share

Keep = Callable[[Outcome], bool]
Row = dict[str, Any]
FEWEST = 5  # questions of a class, below which a share says nothing


@dataclass(frozen=True)
class Compared:
    """One corpus: the same questions in the same order, by everybody who searched for them."""

    corpus: str
    without_it: Sequence[Outcome]
    shipped: Sequence[Outcome]
    on_it: Sequence[Outcome]
    peers: Mapping[str, Sequence[Outcome]]

    @property
    def wordings(self) -> list[str]:
        return list(dict.fromkeys(str(outcome.wording) for outcome in self.without_it))

    def only(self, keep: Keep) -> Compared:
        """The same of some of the questions."""

        def kept(outcomes: Sequence[Outcome]) -> list[Outcome]:
            return [outcome for outcome in outcomes if keep(outcome)]

        return Compared(
            corpus=self.corpus,
            without_it=kept(self.without_it),
            shipped=kept(self.shipped),
            on_it=kept(self.on_it),
            peers={name: kept(outcomes) for name, outcomes in self.peers.items()},
        )


def quality(compared: Sequence[Compared]) -> Iterator[Row]:
    """A row for each corpus, way and language, then the means over the corpora."""
    of_wording = defaultdict[str, list[Row]](list)
    for corpus in compared:
        for wording in corpus.wordings:
            row = _quality(corpus.only(partial(_is_worded, wording)))
            of_wording[wording].append({"corpus": corpus.corpus, "asked": wording, **row})
            yield of_wording[wording][-1]
    for wording, rows in of_wording.items():
        if len(rows) > 1:
            yield {"corpus": "mean of all", "asked": wording, **_means(rows)}


def _is_worded(wording: str, outcome: Outcome) -> bool:
    return str(outcome.wording) == wording


def _quality(compared: Compared) -> Row:
    ours = compared.without_it
    found = share(ours)
    best = max(compared.peers, key=lambda name: share(compared.peers[name]).right)
    ahead = difference(ours, compared.peers[best])
    loss = difference(compared.on_it, ours)
    return {
        "n": found.of,
        "left out": found.value,
        "±": found.interval,
        "by id": fmean(outcome.is_first for outcome in ours),
        "hit@10": fmean(outcome.is_among_ten for outcome in ours),
        "shipped": share(compared.shipped).value,
        "fitted": share(compared.on_it).value,
        "loss": loss.mean,
        **{name: share(outcomes).value for name, outcomes in compared.peers.items()},
        "ahead": ahead.mean,
        "of": best,
        "± ahead": (ahead.low, ahead.high),
    }


def _means(rows: Sequence[Row]) -> Row:
    """Of every share; an interval and a name have none."""
    found: Row = {"n": sum(row["n"] for row in rows)}
    for name, value in rows[0].items():
        if isinstance(value, float):
            found[name] = fmean(row[name] for row in rows)
    return found


def by_class(compared: Sequence[Compared]) -> Iterator[Row]:
    """A row for each class of questions and corpus that has enough of it."""
    classes = {
        each for corpus in compared for outcome in corpus.without_it for each in outcome.classes
    }
    for name in sorted(classes):
        for corpus in compared:
            of_class = corpus.only(partial(_is_of, name))
            found = share(of_class.without_it)
            if found.of < FEWEST:
                continue
            peers = {peer: share(outcomes).value for peer, outcomes in of_class.peers.items()}
            yield {
                "class": name,
                "corpus": corpus.corpus,
                "n": found.of,
                "left out": found.value,
                "±": found.interval,
                "shipped": share(of_class.shipped).value,
                **peers,
            }


def _classes(compared: Sequence[Compared]) -> list[str]:
    found = set[str]()
    for corpus in compared:
        for outcome in corpus.without_it:
            found.update(outcome.classes)
    return sorted(found)


def _is_of(name: str, outcome: Outcome) -> bool:
    return name in outcome.classes


def misses(compared: Sequence[Compared], titles: Mapping[str, Mapping[str, str]]) -> Iterator[Row]:
    """Every question that the weights chosen without its corpus got wrong.

    `titles` are those of each corpus's pages, by page id.
    """
    for corpus in compared:
        of_page = titles[corpus.corpus]
        for outcome in corpus.without_it:
            if not outcome.is_right:
                gold = sorted(outcome.question.gold_ids)
                yield {
                    "corpus": corpus.corpus,
                    "asked": outcome.question.asked,
                    "searched": outcome.searched,
                    "gold": [of_page.get(page, page) for page in gold],
                    "found": outcome.found,
                    "among ten": outcome.is_among_ten,
                    "classes": sorted(outcome.classes),
                }


def ablations(bench: Bench, folds: Mapping[str, Fold], parts: Iterable[str]) -> Iterator[Row]:
    """What P@1 becomes without a part, by corpus; the weights are those chosen without it."""
    for part in parts:
        row: Row = {"without": part}
        for name, fold in folds.items():
            ranking = fold.without_it.ranking
            with_it = bench.outcomes(name, ranking)
            without = bench.outcomes(name, PARTS[part](ranking))
            row[name] = difference(without, with_it).mean
        yield row | {"mean of all": fmean(row[name] for name in folds)}


def weights(folds: Mapping[str, Fold]) -> Iterator[Row]:
    """The weights of each fold that are not the product's."""
    for name, fold in folds.items():
        for how, fitted in (("without it", fold.without_it), ("on it", fold.on_it)):
            yield {"corpus": name, "chosen": how, **_weights(fitted)}


def _weights(fitted: Fitted) -> Row:
    changed = differing(fitted.ranking, PRODUCT)
    return {"tried": fitted.tried, "weights": {name: round(of, 3) for name, of in changed.items()}}
