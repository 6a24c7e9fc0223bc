"""`python -m evaluation needle`: is one planted fact found in a context window of other pieces?

A needle in a haystack, after T-RAG (Fatehkia et al. 2024, arXiv 2402.07483). The needle is a
sentence that stands on no page, with a question only it answers. It stands at the top, in the
middle or at the end of k other pieces: the sample company's, or, where they are called related, up
to five needles of the same form with other names before those. The configured model is asked, or,
without one, the answerer that quotes; an answer is right when it contains the value of the needle
and that of no other one. Retrieval has no part in it.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean
from typing import Annotated

import typer

from core.embeddings import load
from core.errors import ModelUnavailable
from core.evidence.lexical.analyzer import content_words
from core.models import Answer, Hit, Note
from core.question import Completed
from core.settings import Settings, settings
from evaluation.answers.haystack import SEED, Needle, haystack, needles
from evaluation.harness.output import AsJson, fail, show
from evaluation.harness.progress import status, track
from worker.bootstrap import chat_model
from worker.extractive.extractor import Extractor
from worker.generation.generator import Generator
from worker.reading.reader import bundled
from worker.reading.readings import Readings

SIZES = (2, 10)
POSITIONS = ("top", "middle", "end")

Answerer = Callable[[Completed, Sequence[Hit]], Answer]


@dataclass(frozen=True)
class Round:
    """A needle, those that look like it, and where it stands."""

    needle: Needle
    relatives: tuple[Needle, ...]
    k: int
    position: str

    @property
    def row(self) -> str:
        return f"k={self.k} {'related' if self.relatives else 'unrelated'} {self.position}"

    def hits(self, hay: Sequence[Hit]) -> list[Hit]:
        """The needle among k other pieces, which are the same for each position."""
        chance = random.Random(self.needle.fact)
        near = [other.hit for other in self.relatives][: self.k]
        far = chance.sample(list(hay), self.k - len(near))
        others = chance.sample([*near, *far], self.k)
        place = {"top": 0, "middle": self.k // 2, "end": self.k}[self.position]
        return [*others[:place], self.needle.hit, *others[place:]]

    def is_right(self, text: str) -> bool:
        """Whether the text names the needle's value and nobody else's."""
        others = {other.value for other in self.relatives} - {self.needle.value}
        return self.needle.value in text and not any(other in text for other in others)


def rounds(planted: Sequence[Needle], asked: Sequence[Needle]) -> list[Round]:
    """Every needle that is asked for, everywhere, with and without its relatives."""
    found = []
    for k, related, position, needle in product(SIZES, (False, True), POSITIONS, asked):
        same_form = (other for other in planted if other.form == needle.form and other != needle)
        found.append(Round(needle, tuple(same_form) if related else (), k, position))
    return found


def answerer(chosen: Settings, hay: Sequence[Hit]) -> tuple[str, Answerer]:
    """Who answers, and how: the configured model, or quotes, with idf from the haystack."""
    known: Counter[str] = Counter()
    for hit in hay:
        known.update(set(content_words(hit.evidence.text)))
    extractor = Extractor(
        load(chosen),
        lambda term: math.log((len(hay) + 1) / (known[term] + 1)),
        readings=Readings(bundled),
    )
    model = chat_model(chosen)
    generator = Generator(model, extractor, context_tokens=chosen.llm_context_tokens)

    def quote(completed: Completed, hits: Sequence[Hit]) -> Answer:
        return generator.quote(completed, hits, Note.NO_MODEL).answer

    if model is None:
        return "quoted, no model", quote

    def ask(completed: Completed, hits: Sequence[Hit]) -> Answer:
        deadline = time.time() + chosen.llm_timeout_s
        return generator.ask_model(model, completed, hits, deadline=deadline).answer

    return model.name, ask


def measure(answer: Answerer, hay: Sequence[Hit], asked: Iterable[Round]) -> dict[str, list[bool]]:
    """Whether each answer is right, by k, relation and position.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    rows: dict[str, list[bool]] = {}
    for each in asked:
        completed = Completed(question=each.needle.question, text=each.needle.question)
        text = answer(completed, each.hits(hay)).text
        rows.setdefault(each.row, []).append(each.is_right(text))
    return rows


def needle(
    as_json: AsJson = False,
    most: Annotated[int, typer.Option(help="How many needles to ask for; 0 for all.")] = 0,
    seed: Annotated[int, typer.Option(help="Other needles by another seed.")] = SEED,
) -> None:
    """Share of planted facts that are found, by position and number of other pieces."""
    with status("reading the haystack"):
        hay, planted = haystack(), needles(seed)
        name, answer = answerer(settings(), hay)
    asked = random.Random(seed).sample(planted, most) if most else planted
    try:
        found = measure(answer, hay, track(rounds(planted, asked), "needle"))
    except ModelUnavailable as error:
        fail(str(error))
    rows = {}
    for row, marks in found.items():
        rows[f"{name}: {row}"] = {"n": len(marks), "found": mean(marks)}
    show(rows, as_json=as_json)
