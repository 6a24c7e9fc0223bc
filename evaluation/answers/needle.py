"""A needle in a haystack, as T-RAG asks for it (Fatehkia et al. 2024, arXiv 2402.07483): is one planted fact found among other pieces?

The needle is a sentence that stands on no page, with a question only it answers. It stands at the top, in the middle or at the end of
k other pieces: the sample company's, or, where they are called related, up to five needles of the same form with other names before
those. Asked is the configured model, or, without one, the answerer that quotes; an answer is right when it contains the value of the
needle and that of no other one. Retrieval has no part in it.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Annotated

import typer
from rich.progress import track

from core.embeddings import load
from core.errors import ModelUnavailable
from core.evidence.lexical.analyzer import content_words
from core.models import Answer, Evidence, Hit, Kind, Note, Page
from core.question import Completed
from core.settings import Settings, settings
from evaluation.harness.stage import AsJson, console, fail, show
from indexer.evidence.build import evidence
from indexer.parse import parse
from sandbox.confluence.__main__ import SAMPLE
from worker.bootstrap import chat_model
from worker.extractive.extractor import Extractor
from worker.generation.generator import Generator

SIZES = (2, 10)
POSITIONS = ("top", "middle", "end")
SEED = 7

Answerer = Callable[[Completed, Sequence[Hit]], Answer]

# A statement, its question, and what {value} may be; {name} is invented for each needle.
FORMS = (
    (
        "The access code of warehouse {name} is {value}.",
        "What is the access code of warehouse {name}?",
        "{0}{1}-{2}",
    ),
    ("Ferry {name} leaves from pier {value}.", "From which pier does ferry {name} leave?", "{2}"),
    (
        "The tug {name} was painted {value} in spring.",
        "In which colour was the tug {name} painted?",
        "{3}",
    ),
    (
        "Crane {name} may lift {value} tonnes at most.",
        "How many tonnes may crane {name} lift?",
        "{2}",
    ),
    (
        "The spare key for boathouse {name} is kept by {value}.",
        "Who keeps the spare key for boathouse {name}?",
        "{4}",
    ),
    (
        "The drone {name} is charged every {value} hours.",
        "How often is the drone {name} charged?",
        "{2}",
    ),
    (
        "Der Zugangscode für Lager {name} lautet {value}.",
        "Wie lautet der Zugangscode für Lager {name}?",
        "{0}{1}-{2}",
    ),
    (
        "Die Fähre {name} legt an Steg {value} ab.",
        "An welchem Steg legt die Fähre {name} ab?",
        "{2}",
    ),
    (
        "Der Schlepper {name} wurde im Frühjahr {value} gestrichen.",
        "In welcher Farbe wurde der Schlepper {name} gestrichen?",
        "{3}",
    ),
    (
        "Kran {name} darf höchstens {value} Tonnen heben.",
        "Wie viele Tonnen darf Kran {name} heben?",
        "{2}",
    ),
    (
        "Den Ersatzschlüssel für Bootshaus {name} hat {value}.",
        "Wer hat den Ersatzschlüssel für Bootshaus {name}?",
        "{4}",
    ),
    (
        "Die Drohne {name} wird alle {value} Stunden geladen.",
        "Wie oft wird die Drohne {name} geladen?",
        "{2}",
    ),
)
NAMES = ("Alkmar", "Brisko", "Celdana", "Dorvik", "Elmspitz", "Fjordal")
COLOURS = ("ochre", "indigo", "scarlet", "teal", "maroon", "ivory")
KEEPERS = (
    "Ylva Brandt",
    "Tomasz Wrona",
    "Ines Falcao",
    "Marek Dudek",
    "Runa Solberg",
    "Pia Lorenz",
)


@dataclass(frozen=True)
class Needle:
    """A planted fact; `value` is what a right answer contains, and needles of one form differ in name and value alone."""

    form: int
    fact: str
    question: str
    value: str

    @property
    def hit(self) -> Hit:
        """A piece of a page of its own; the search is as sure of it as of every other piece."""
        page = Page(
            id=self.fact,
            space="OPS",
            title="Notices",
            url="https://wiki.example/needle",
            updated_at="2026-03-01",
        )
        return Hit(
            evidence=Evidence(id=self.fact, page_id=self.fact, kind=Kind.PASSAGE, text=self.fact),
            page=page,
            score=1.0,
        )


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
        others = chance.sample([*near, *chance.sample(list(hay), self.k - len(near))], self.k)
        place = {"top": 0, "middle": self.k // 2, "end": self.k}[self.position]
        return [*others[:place], self.needle.hit, *others[place:]]

    def is_right(self, text: str) -> bool:
        """Whether the text names the needle's value and nobody else's."""
        others = {other.value for other in self.relatives} - {self.needle.value}
        return self.needle.value in text and not any(other in text for other in others)


def needles(seed: int = SEED) -> list[Needle]:
    """Every form with every name: 72, half of them in German."""
    chance = random.Random(seed)
    made = []
    for (form, (fact, question, value)), name in product(enumerate(FORMS), NAMES):
        letters = chance.sample("BCDFGHJKLMNPRSTVWXZ", 2)
        written = value.format(
            *letters, chance.randint(112, 989), chance.choice(COLOURS), chance.choice(KEEPERS)
        )
        made.append(
            Needle(form, fact.format(name=name, value=written), question.format(name=name), written)
        )
    return made


def haystack(pages: Path = SAMPLE) -> list[Hit]:
    """Every piece of the sample pages."""
    found = []
    for file in sorted(pages.glob("*/*.xml")):
        page = Page(
            id=file.stem,
            space=file.parent.name,
            title=file.stem,
            url=f"https://wiki.example/{file.stem}",
            updated_at="2026-03-01",
        )
        found += [
            Hit(evidence=piece, page=page, score=1.0)
            for piece in evidence(page, parse(file.read_text(encoding="utf-8")))
        ]
    return found


def rounds(planted: Sequence[Needle], asked: Sequence[Needle]) -> list[Round]:
    """Every needle that is asked for, everywhere, with and without its relatives."""
    kin = {
        needle: [other for other in planted if other.form == needle.form and other != needle]
        for needle in asked
    }
    return [
        Round(needle, tuple(kin[needle]) if related else (), k, position)
        for k, related, position, needle in product(SIZES, (False, True), POSITIONS, asked)
    ]


def answerer(chosen: Settings, hay: Sequence[Hit]) -> tuple[str, Answerer]:
    """Who answers, and how: the configured model, or the quotes, whose words are as rare as they are in the haystack."""
    known = Counter(term for hit in hay for term in set(content_words(hit.evidence.text)))
    extractor = Extractor(load(chosen), lambda term: math.log((len(hay) + 1) / (known[term] + 1)))
    model = chat_model(chosen)
    generator = Generator(model, extractor, context_tokens=chosen.llm_context_tokens)
    if model is None:
        return (
            "quoted, no model",
            lambda completed, hits: generator.quote(completed, hits, Note.NO_MODEL).answer,
        )
    return (
        model.name,
        lambda completed, hits: (
            generator.ask_model(
                model, completed, hits, deadline=time.time() + chosen.llm_timeout_s
            ).answer
        ),
    )


def measure(answer: Answerer, hay: Sequence[Hit], asked: Iterable[Round]) -> dict[str, list[bool]]:
    """Whether each answer is right, by k, relation and position.

    Raises:
        ModelUnavailable: the model does not answer.
    """
    rows: dict[str, list[bool]] = {}
    for each in asked:
        completed = Completed(question=each.needle.question, text=each.needle.question)
        rows.setdefault(each.row, []).append(each.is_right(answer(completed, each.hits(hay)).text))
    return rows


def needle(
    as_json: AsJson = False,
    most: Annotated[int, typer.Option(help="How many needles to ask for; 0 for all.")] = 0,
    seed: Annotated[int, typer.Option(help="Other needles by another seed.")] = SEED,
) -> None:
    """Share of planted facts that the answerer finds, by their position and the number of other pieces."""
    hay, planted = haystack(), needles(seed)
    asked = rounds(planted, random.Random(seed).sample(planted, most) if most else planted)
    name, answer = answerer(settings(), hay)
    try:
        rows = measure(answer, hay, track(asked, "needle", console=console))
    except ModelUnavailable as error:
        fail(str(error))
    show(
        {f"{name}: {row}": {"n": len(each), "found": mean(each)} for row, each in rows.items()},
        as_json=as_json,
    )
