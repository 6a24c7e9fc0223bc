"""The planted facts (needles) of the needle-in-a-haystack test, and the pages they stand among."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core.models import Evidence, Hit, Kind, Page
from indexer.evidence.build import evidence
from indexer.parse import parse
from sandbox.confluence.__main__ import SAMPLE

SEED = 7
UPDATED = "2026-03-01"

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
    """A planted fact; needles of one form differ in name and value alone."""

    form: int
    fact: str
    question: str
    value: str  # what a right answer contains

    @property
    def hit(self) -> Hit:
        """A piece on a page of its own, with the same retrieval score as every other piece."""
        page = Page(
            id=self.fact,
            space="OPS",
            title="Notices",
            url="https://wiki.example/needle",
            updated_at=UPDATED,
        )
        piece = Evidence(id=self.fact, page_id=self.fact, kind=Kind.PASSAGE, text=self.fact)
        return Hit(evidence=piece, page=page, score=1.0)


def needles(seed: int = SEED) -> list[Needle]:
    """Every form with every name: 72, half of them in German."""
    chance = random.Random(seed)
    made = []
    for (form, (fact, question, value)), name in product(enumerate(FORMS), NAMES):
        letters = chance.sample("BCDFGHJKLMNPRSTVWXZ", 2)
        number, colour = chance.randint(112, 989), chance.choice(COLOURS)
        written = value.format(*letters, number, colour, chance.choice(KEEPERS))
        statement = fact.format(name=name, value=written)
        made.append(Needle(form, statement, question.format(name=name), written))
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
            updated_at=UPDATED,
        )
        pieces = evidence(page, parse(file.read_text(encoding="utf-8")))
        found += [Hit(evidence=piece, page=page, score=1.0) for piece in pieces]
    return found
