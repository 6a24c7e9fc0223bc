"""Reads the conversations about the clinic and makes turns of them, in the benchmark's format.

A turn of `talks/` names its page and has a wording for each language; where it cannot be
understood without its thread, `de_full` and `en_full` say it completely. `[…]` in an answer marks
a fact that stands on the page in these words. What can be told from the pages is not written down:
rivals, and the tags for sisters, tables, follow-ups, shifts and returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from evaluation.corpora.clinic.facts import repeat
from evaluation.corpora.clinic.pages import HERE, SISTER, ClinicPage

Json = dict[str, Any]

LANGUAGES = ("de", "en")
COPY = "copy"
FOREIGN = 5  # every fifth conversation is asked in English, by staff from abroad

_FACT = re.compile(r"\[([^]]+)\]")


def conversations(pages: dict[str, ClinicPage]) -> list[Json]:
    """All conversations about these pages, in the order of the files."""
    made: list[Json] = []
    for file in sorted((HERE / "talks").glob("*.yaml")):
        for talk in yaml.safe_load(file.read_text(encoding="utf-8")):
            number = len(made) + 1
            asked_in = "en" if number % FOREIGN == 0 else "de"
            made.append({"conv_id": str(number), "turns": list(_turns(talk, asked_in, pages))})
    return made


@dataclass
class _Thread:
    """What a conversation has been about so far."""

    families: list[str] = field(default_factory=list)

    def moves_to(self, family: str) -> list[str]:
        """The tags of a step to pages of this family."""
        before, self.families = self.families, [*self.families, family]
        if not before or before[-1] == family:
            return []
        return ["shift", "return"] if family in before else ["shift"]


def _turns(talk: Sequence[Json], asked_in: str, pages: dict[str, ClinicPage]) -> Iterator[Json]:
    thread = _Thread()
    for number, given in enumerate(talk, start=1):
        page = pages[given["page"]]
        moved = thread.moves_to(page.family)
        yield {
            "turn_id": str(number),
            "asked_in": asked_in,
            **_wordings(given, page),
            **_answer(given, page),
            "a_url": [page.url],
            "a_source": given.get("source", "passage"),
            "q_type": "complex" if given.get("complex") else "simple",
            "page": given["page"],
            "page_language": page.language,
            "tags": _tags(given, page, moved),
            "rivals": _rivals(page, pages),
        }


def _wordings(given: Json, page: ClinicPage) -> Json:
    worded: Json = {}
    for code in LANGUAGES:
        asked: str = given[code]
        completed: str = given.get(f"{code}_full", asked)
        worded[f"q_{code}"] = repeat(asked, page.facts)
        worded[f"completed_q_{code}"] = repeat(completed, page.facts)
    return worded


def _answer(given: Json, page: ClinicPage) -> Json:
    """The answer, and its facts in the words of the page."""
    answer = repeat(given["a"], page.facts)
    return {"a": _FACT.sub(r"\1", answer), "facts": _FACT.findall(answer)}


def _tags(given: Json, page: ClinicPage, moved: Sequence[str]) -> list[str]:
    tags = given.get("tags", "").split()
    if page.edition == SISTER:
        tags.append(SISTER)
    if given.get("source") == "table":
        tags.append("table")
    tags.append("follow-up" if "de_full" in given else "alone")
    return [*tags, *moved]


def _rivals(golden: ClinicPage, pages: dict[str, ClinicPage]) -> dict[str, str]:
    """Pages that may be taken for the golden one: the edition of each by its id."""
    rivals = {}
    for page in pages.values():
        if page.family == golden.family and page is not golden:
            rivals[page.id] = _edition(page, golden)
    return rivals


def _edition(rival: ClinicPage, golden: ClinicPage) -> str:
    """What a rival is: a copy says what the page says, so that finding it is no mistake.

    Where a copy itself is asked for by its owner, the page that it repeats is none.
    """
    return COPY if rival.is_copy and rival.body == golden.body else rival.edition
