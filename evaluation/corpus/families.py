"""The families of pages: read from YAML, with their facts drawn and their templates filled in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined

from evaluation.corpus.chance import FILTERS, Chance
from evaluation.corpus.nouns import PUBLISHED, Asked, Sheet, Subject, Wording
from evaluation.corpus.storage import to_storage

FOLDER = Path(__file__).parent
CHANGED = 0.7  # of the facts of another edition are drawn anew
DRAWS = ("number", "one", "some", "day")


@cache
def company() -> Mapping[str, Any]:
    """Names of people and spaces, lists that templates draw from, and the words that every page of a space repeats."""
    read: dict[str, Any] = yaml.safe_load((FOLDER / "company.yaml").read_text(encoding="utf-8"))
    return read


@cache
def _environment() -> Environment:
    # What is rendered is Markdown, with storage format made of it afterwards.
    environment = Environment(
        undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True, trim_blocks=True
    )
    environment.filters |= FILTERS
    return environment


def subjects() -> Iterator[Subject]:
    """Every page that is published, in the order of the files."""
    for file in sorted((FOLDER / "families").glob("*.yaml")):
        family = yaml.safe_load(file.read_text(encoding="utf-8"))
        pages = family.pop("pages")
        for number, page in enumerate(pages):
            asked = number < family.get("ask", len(pages))
            yield Subject(f"{file.stem}/{page['key']}", {**family, **page, "is_asked": asked})


@cache
def _by_key() -> dict[str, Subject]:
    return {subject.key: subject for subject in subjects()}


class Press:
    """Prints the pages of one seed."""

    def __init__(self, seed: int, families: Collection[str] = ()) -> None:
        """`families` are those to print, all of them by default."""
        self.seed = seed
        self.subjects = tuple(
            each for each in subjects() if not families or each.key.partition("/")[0] in families
        )

    def chance(self, *names: object) -> Chance:
        return Chance(self.seed, *names)

    def facts(self, subject: Subject, edition: str = PUBLISHED) -> dict[str, Any]:
        """Everything the templates of this page know; the facts of another edition differ in part."""
        known: dict[str, Any] = {**company()["lists"], **subject.given}
        for number, (name, template) in enumerate(subject.given.get("facts", {}).items()):
            changed = edition != PUBLISHED and (
                number == 0 or self.chance(subject.key, name, edition).is_so(CHANGED)
            )
            draws = self.chance(subject.key, name, "fact", edition if changed else PUBLISHED)
            known[name] = _filled(template, known, draws)
        return known

    def sheet(self, subject: Subject, edition: str = PUBLISHED) -> Sheet:
        """The page; its prose is the same in every edition, as when people edit a copy."""
        known, prose = self.facts(subject, edition), self.chance(subject.key, "prose")
        given = subject.given
        title = fill(given["title"], known, prose)
        body = "\n\n".join(
            [
                *self._frame(subject, "before"),
                fill(given["body"], known, prose),
                *self._frame(subject, "after"),
            ]
        )
        return Sheet(
            subject.key,
            edition,
            given["language"],
            given["space"],
            title,
            to_storage(body),
            self._front(subject, known),
        )

    def questions(self, subject: Subject) -> Iterator[Asked]:
        """The questions about this page, each with one of its wordings."""
        known = {**self.facts(subject), "facts_of": lambda key: self.facts(_by_key()[key])}
        for number, given in enumerate(
            [*subject.given.get("questions", []), *subject.given.get("more", [])]
        ):
            draws = self.chance(subject.key, "question", number)
            yield Asked(
                key=subject.key,
                wordings={code: _wording(given, code, known, draws) for code in ("en", "de")},
                answer=fill(str(given["a"]), known, draws),
                source=given.get("source", "passage"),
                is_complex=given.get("type") == "complex",
                tags=tuple(given.get("tags", ())),
                also=tuple(given.get("also", ())),
            )

    def _frame(self, subject: Subject, side: str) -> list[str]:
        """The words that every page of the space repeats; the smallest pages were written without them."""
        if subject.given.get("bare"):
            return []
        return [company()["spaces"][subject.given["space"]][side]]

    def _front(self, subject: Subject, known: Mapping[str, Any]) -> dict[str, Any]:
        draws = self.chance(subject.key, "front")
        updated = (
            fill(str(subject.given["updated"]), known, draws)
            if "updated" in subject.given
            else draws.day("2025-02-01", "2026-09-30")
        )
        front = {
            "owner": draws.one(*company()["people"]),
            "author": draws.one(*company()["people"]),
            "updated": updated,
            "labels": list(subject.given.get("labels", [])),
            "version": draws.number(1, 40),
            "parent": subject.given.get("parent"),
        }
        return front | {
            name: subject.given[name]
            for name in ("groups", "users", "owner")
            if name in subject.given
        }


def fill(template: str, known: Mapping[str, Any], draws: Chance) -> str:
    """A template with its facts; `number`, `one`, `some` and `day` draw, unless a fact has that name."""
    return (
        _environment()
        .from_string(template)
        .render({name: getattr(draws, name) for name in DRAWS} | dict(known))
        .strip()
    )


def _filled(template: Any, known: Mapping[str, Any], draws: Chance) -> Any:
    """A fact: a text, a list, named texts, or with `for` and `is` one of them for each item of a list."""
    if isinstance(template, dict) and template.keys() == {"for", "is"}:
        return [
            _filled(template["is"], {**known, "item": item}, draws)
            for item in known[template["for"]]
        ]
    if isinstance(template, dict):
        return {name: _filled(each, known, draws) for name, each in template.items()}
    if isinstance(template, list):
        return [_filled(each, known, draws) for each in template]
    return fill(str(template), known, draws)


def _wording(
    given: Mapping[str, Any], language: str, known: Mapping[str, Any], draws: Chance
) -> Wording:
    full = given[language]
    chosen = draws.one(*full) if isinstance(full, list) else full
    return Wording(
        fill(chosen, known, draws), fill(given.get(f"then_{language}", ""), known, draws)
    )
