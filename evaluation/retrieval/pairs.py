"""`python -m evaluation pairs`: what question and answer pairs do for search, by the cosine.

Liked answers are stood for by questions whose first page is right, in one language: the others are
asked in the other one. So this says what a question gains that was asked before in other words, and
what it loses when only other questions were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Annotated

import typer

from core.models import Hit
from core.pairs.pairs import Pair
from core.question import Completed
from core.states import PairOrigin
from evaluation.corpus.write import PAGES, QUESTIONS
from evaluation.harness.accepted import accept
from evaluation.harness.as_indexed import AsIndexed
from evaluation.harness.output import AsJson, fail, show, show_json
from evaluation.harness.product import running
from evaluation.harness.progress import track
from evaluation.sets.confquestions import Question, conversations
from groundwire.pairs import making
from sandbox.programs.processes import DidNotStart
from worker.bootstrap import WorkerParts, build
from worker.retrieval.accepted_pairs import AcceptedPairs

K = 10
COSINES = (0.6, 0.7, 0.8, 0.85, 0.9)
MOST_OF_PAGES = 5_000


@dataclass(frozen=True)
class Searched:
    """A question as a person completed it, and what search found for it."""

    question: Question
    text: str
    hits: tuple[Hit, ...]

    @property
    def is_right(self) -> bool:
        return _is_right(self.question, self.hits)


def measure_pairs(
    data: Annotated[Path, typer.Option(help="ConfQuestions, or a corpus of `corpus`.")],
    folder: Annotated[Path, typer.Option(help="Where the index is kept.")] = Path(
        "var/evaluation-pairs"
    ),
    as_json: AsJson = False,
) -> None:
    """P@1 with and without pairs: of pages, of liked answers to the same question, to others."""
    try:
        pages, questions = _parts_of(data)
        with running(pages, folder) as chosen:
            parts = build(chosen, AsIndexed())
            tables = _tables(parts, questions)
            accept(parts.database, ())
    except DidNotStart as error:
        fail(str(error))
    if as_json:
        return show_json(tables)
    for rows in tables.values():
        show(rows, as_json=False)
    return None


def _parts_of(data: Path) -> tuple[Path, Path]:
    """Pages and questions: of ConfQuestions, else of a corpus of our own."""
    if (data / "documents").is_dir():
        return data / "documents", data / "qa-pairs.json"
    return data / PAGES, data / QUESTIONS


def _tables(parts: WorkerParts, file: Path) -> dict[str, dict[str, dict[str, float]]]:
    asked = {code: list(_searched(parts, file, code)) for code in ("en", "de")}
    german, liked = asked["de"], [each for each in asked["en"] if each.is_right]
    without = _p_at_1(german)
    of_pages = {"without pairs": {code: _p_at_1(found) for code, found in asked.items()}}
    of_votes = {"without pairs": dict.fromkeys(("all liked", "half", "only others"), without)}
    made = list(making.of_pages(parts, MOST_OF_PAGES, seed=0))
    for cosine in COSINES:
        first = _with(parts, made, cosine)
        row = {code: _p_at_1(found, first) for code, found in asked.items()}
        of_pages[f"of pages, from {cosine}"] = row
    for cosine in COSINES:
        row = {"all liked": _p_at_1(german, _with(parts, list(map(_pair, liked)), cosine))}
        row["half"] = _p_at_1(german, _with(parts, list(map(_pair, liked[::2])), cosine))
        row["only others"] = _only_others(parts, german, liked, cosine)
        of_votes[f"liked in English, from {cosine}"] = row
    return {"of pages": of_pages, "of votes": of_votes}


def _only_others(
    parts: WorkerParts, german: Sequence[Searched], english: Sequence[Searched], cosine: float
) -> float:
    """Only questions of other conversations were liked: two halves of them take turns."""
    right = []
    for odd in (0, 1):
        others = [each for each in english if _half(each) != odd]
        first = _with(parts, [_pair(each) for each in others], cosine)
        right += [
            _is_right(each.question, first(each.text, each.hits))
            for each in german
            if _half(each) == odd
        ]
    return mean(right)


def _half(each: Searched) -> int:
    """By conversation: questions of one are never on both sides."""
    return sum(each.question.conversation.encode()) % 2


def _with(
    parts: WorkerParts, accepted: Sequence[Pair], cosine: float
) -> Callable[[str, tuple[Hit, ...]], tuple[Hit, ...]]:
    """The product's own reordering, with these pairs accepted."""
    accept(parts.database, accepted)
    return AcceptedPairs(parts.database, parts.attributor.embedder, same=cosine).first


def _searched(parts: WorkerParts, file: Path, code: str) -> Iterator[Searched]:
    every = [each for turns in conversations(file, code) for each in turns]
    for each in track(every, code, total=len(every)):
        question = Completed(question=each.completed, text=each.completed)
        hits = parts.pipeline.retriever.search(question, k=K).hits
        yield Searched(each, each.completed, hits)


def _pair(each: Searched) -> Pair:
    best = each.hits[0]
    return Pair(each.text, "", best.page.key, best.evidence.id, PairOrigin.VOTE)


def _p_at_1(
    asked: Sequence[Searched],
    first: Callable[[str, tuple[Hit, ...]], tuple[Hit, ...]] = lambda _text, hits: hits,
) -> float:
    return mean(_is_right(each.question, first(each.text, each.hits)) for each in asked)


def _is_right(question: Question, hits: Sequence[Hit]) -> bool:
    return bool(hits) and hits[0].page.id in question.gold_ids
