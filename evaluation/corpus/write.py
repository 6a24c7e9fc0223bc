"""Writes the corpus: pages for the stand-in for Confluence, questions for the benchmark."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from evaluation.corpus.conversations import Conversations, Json
from evaluation.corpus.editions import corpus_pages
from evaluation.corpus.families import FOLDER, PageGenerator, company
from evaluation.corpus.nouns import SITE, CorpusPage
from sandbox.confluence.site.content import account_id

PAGES = "pages"
QUESTIONS = "qa-pairs.json"
RESTRICTED = "restricted.json"
UNANSWERABLE = "unanswerable.json"


def write(folder: Path, seed: int, *, families: Collection[str] = ()) -> dict[str, Any]:
    """Write the corpus of this seed, or some families of it, and return its counts.

    The same seed writes the same bytes.
    """
    generator = PageGenerator(seed, families)
    made = corpus_pages(generator)
    _write_pages(folder / PAGES, made)
    talks = Conversations(generator, made)
    asked = {QUESTIONS: talks.open(), RESTRICTED: talks.restricted(), UNANSWERABLE: _unanswerable()}
    for name, conversations in asked.items():
        text = json.dumps(conversations, indent=1, ensure_ascii=False)
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return _figures(made, asked)


def _write_pages(folder: Path, made: Sequence[CorpusPage]) -> None:
    for page in made:
        file = folder / page.space / f"{page.id}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<!--\n{_front_matter(page)}-->\n{page.body}", encoding="utf-8")
    (folder / "site.yaml").write_text(_yaml(_site(made)), encoding="utf-8")


def _front_matter(page: CorpusPage) -> str:
    front = {"id": page.id, "title": page.title, "space": page.space}
    front |= {name: value for name, value in page.front.items() if value}
    return _yaml({**front, "updated": date.fromisoformat(front["updated"])})


def _site(made: Sequence[CorpusPage]) -> dict[str, Any]:
    people = {name: email_of(name) for name in company()["people"]}
    personal = {}
    for page in made:
        if page.space.startswith("~"):
            personal[page.space] = f"{page.front['owner']} (personal)"
    names = {key: space["name"] for key, space in company()["spaces"].items()}
    return {
        "spaces": names | dict(sorted(personal.items())),
        "people": people,
        "groups": company()["groups"],
    }


def email_of(name: str) -> str:
    """
    >>> email_of("Jürg Ammann")
    'juerg.ammann@valmora.example'
    """
    return account_id(name).partition(":")[2].replace("-", ".") + "@valmora.example"


def _yaml(value: object) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=10_000)


def _unanswerable() -> list[Json]:
    """Questions that sound as if this wiki could answer them, but no page does."""
    given = yaml.safe_load((FOLDER / "unanswerable.yaml").read_text(encoding="utf-8"))
    conversations = []
    for number, each in enumerate(given, start=1):
        conversations.append({"conv_id": str(number), "turns": [_unanswerable_turn(each)]})
    return conversations


def _unanswerable_turn(given: dict[str, str]) -> Json:
    return {
        "turn_id": "1",
        "asked_in": "en",
        "q_en": given["en"],
        "completed_q_en": given["en"],
        "q_de": given["de"],
        "completed_q_de": given["de"],
        "a": "",
        "a_url": [],
        "a_source": "passage",
        "q_type": "simple",
        "page_language": "",
        "rivals": {},
        "tags": ["unanswerable"],
    }


def _figures(made: Sequence[CorpusPage], asked: dict[str, list[Json]]) -> dict[str, Any]:
    turns: dict[str, list[Json]] = {}
    for name, conversations in asked.items():
        turns[name] = list(chain.from_iterable(each["turns"] for each in conversations))
    open_ = turns[QUESTIONS]
    return {
        "site": SITE,
        "pages": len(made),
        "words": sum(len(page.body.split()) for page in made),
        "editions": dict(Counter(page.edition for page in made)),
        "languages": dict(Counter(page.language for page in made)),
        "conversations": len(asked[QUESTIONS]),
        "questions": {name: len(each) for name, each in turns.items()},
        "sources": dict(Counter(turn["a_source"] for turn in open_)),
        "complex": sum(turn["q_type"] == "complex" for turn in open_),
        "tags": dict(Counter(chain.from_iterable(turn["tags"] for turn in open_))),
        "with rivals": sum(bool(turn["rivals"]) for turn in open_),
        "about German pages": sum(turn["page_language"] == "de" for turn in open_),
    }
