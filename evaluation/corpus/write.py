"""Writes the corpus into a folder: pages as the stand-in for Confluence loads them, and questions as the benchmark's reader reads them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from evaluation.corpus.conversations import Conversations, Json
from evaluation.corpus.editions import sheets
from evaluation.corpus.families import FOLDER, Press, company
from evaluation.corpus.nouns import SITE, Sheet
from sandbox.confluence.site.content import account_id

PAGES, QUESTIONS, RESTRICTED, UNANSWERABLE = (
    "pages",
    "qa-pairs.json",
    "restricted.json",
    "unanswerable.json",
)


def write(folder: Path, seed: int, *, families: Collection[str] = ()) -> dict[str, Any]:
    """Make the corpus of this seed, or of some families alone; what was made, in figures. The same seed writes the same bytes."""
    press = Press(seed, families)
    made = sheets(press)
    _write_pages(folder / PAGES, made)
    talks = Conversations(press, made)
    asked = {QUESTIONS: talks.open(), RESTRICTED: talks.restricted(), UNANSWERABLE: _unanswerable()}
    for name, conversations in asked.items():
        (folder / name).write_text(
            json.dumps(conversations, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    return _figures(made, asked)


def _write_pages(folder: Path, made: Sequence[Sheet]) -> None:
    for sheet in made:
        file = folder / sheet.space / f"{sheet.id}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<!--\n{_front_matter(sheet)}-->\n{sheet.body}", encoding="utf-8")
    (folder / "site.yaml").write_text(_yaml(_site(made)), encoding="utf-8")


def _front_matter(sheet: Sheet) -> str:
    said = {
        "id": sheet.id,
        "title": sheet.title,
        "space": sheet.space,
        **{name: value for name, value in sheet.front.items() if value},
    }
    said["updated"] = date.fromisoformat(said["updated"])
    return _yaml(said)


def _site(made: Sequence[Sheet]) -> dict[str, Any]:
    people = {name: email_of(name) for name in company()["people"]}
    personal = {
        sheet.space: f"{sheet.front['owner']} (personal)"
        for sheet in made
        if sheet.space.startswith("~")
    }
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
    """Questions that sound as if this wiki knew, and no page does."""
    given = yaml.safe_load((FOLDER / "unanswerable.yaml").read_text(encoding="utf-8"))
    return [
        {"conv_id": str(number), "turns": [_nowhere(each)]}
        for number, each in enumerate(given, start=1)
    ]


def _nowhere(given: dict[str, str]) -> Json:
    worded = {
        name: given[code] for code in ("en", "de") for name in (f"q_{code}", f"completed_q_{code}")
    }
    nothing: Json = {
        "a": "",
        "a_url": [],
        "a_source": "passage",
        "q_type": "simple",
        "page_language": "",
        "rivals": {},
    }
    return {"turn_id": "1", "asked_in": "en", **worded, **nothing, "tags": ["unanswerable"]}


def _figures(made: Sequence[Sheet], asked: dict[str, list[Json]]) -> dict[str, Any]:
    turns = {
        name: [turn for each in conversations for turn in each["turns"]]
        for name, conversations in asked.items()
    }
    return {
        "site": SITE,
        "pages": len(made),
        "words": sum(len(sheet.body.split()) for sheet in made),
        "editions": dict(Counter(sheet.edition for sheet in made)),
        "languages": dict(Counter(sheet.language for sheet in made)),
        "conversations": len(asked[QUESTIONS]),
        "questions": {name: len(each) for name, each in turns.items()},
        "sources": dict(Counter(turn["a_source"] for turn in turns[QUESTIONS])),
        "complex": sum(turn["q_type"] == "complex" for turn in turns[QUESTIONS]),
        "tags": dict(Counter(tag for turn in turns[QUESTIONS] for tag in turn["tags"])),
        "with rivals": sum(bool(turn["rivals"]) for turn in turns[QUESTIONS]),
        "about German pages": sum(turn["page_language"] == "de" for turn in turns[QUESTIONS]),
    }
