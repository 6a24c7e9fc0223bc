"""Generates pages and questions from YAML families: draws the facts, fills in the templates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined

from evaluation.corpus.chance import FILTERS, Chance
from evaluation.corpus.nouns import PUBLISHED, Asked, CorpusPage, Subject, Wording
from evaluation.corpus.storage import to_storage

FOLDER = Path(__file__).parent
CHANGED = 0.7  # the share of facts that another edition changes
DRAWS = ("number", "one", "some", "day")


@cache
def company() -> Mapping[str, Any]:
    """People, spaces, lists that templates draw from, and the boilerplate of each space."""
    read: dict[str, Any] = yaml.safe_load((FOLDER / "company.yaml").read_text(encoding="utf-8"))
    return read


@cache
def _environment() -> Environment:
    # Templates give Markdown, which is turned into storage format afterwards.
    environment = Environment(
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        keep_trailing_newline=True,
        trim_blocks=True,
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


class PageGenerator:
    """Makes the pages and questions of one seed."""

    def __init__(self, seed: int, families: Collection[str] = ()) -> None:
        """`families` are those to make, all of them by default."""
        self.seed = seed
        self.subjects = tuple(
            each for each in subjects() if not families or each.key.partition("/")[0] in families
        )

    def chance(self, *names: object) -> Chance:
        return Chance(self.seed, *names)

    def facts(self, subject: Subject, edition: str = PUBLISHED) -> dict[str, Any]:
        """The variables of this page's templates; the facts of another edition differ in part."""
        known: dict[str, Any] = {**company()["lists"], **subject.given}
        for number, (name, template) in enumerate(subject.given.get("facts", {}).items()):
            is_other = edition != PUBLISHED
            if is_other and number > 0:
                is_other = self.chance(subject.key, name, edition).is_so(CHANGED)
            draws = self.chance(subject.key, name, "fact", edition if is_other else PUBLISHED)
            known[name] = _filled(template, known, draws)
        return known

    def page(self, subject: Subject, edition: str = PUBLISHED) -> CorpusPage:
        """The page; its prose is the same in every edition, as if people had edited a copy."""
        known, prose = self.facts(subject, edition), self.chance(subject.key, "prose")
        given = subject.given
        title = fill(given["title"], known, prose)
        parts = [fill(given["body"], known, prose)]
        if not given.get("bare"):  # the smallest pages were written without boilerplate
            space = company()["spaces"][given["space"]]
            parts = [space["before"], *parts, space["after"]]
        return CorpusPage(
            key=subject.key,
            edition=edition,
            language=given["language"],
            space=given["space"],
            title=title,
            body=to_storage("\n\n".join(parts)),
            front=self._front(subject, known),
        )

    def questions(self, subject: Subject) -> Iterator[Asked]:
        """The questions about this page, each with one of its wordings."""
        known = {**self.facts(subject), "facts_of": lambda key: self.facts(_by_key()[key])}
        templates = [*subject.given.get("questions", []), *subject.given.get("more", [])]
        for number, given in enumerate(templates):
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

    def _front(self, subject: Subject, known: Mapping[str, Any]) -> dict[str, Any]:
        given, draws = subject.given, self.chance(subject.key, "front")
        if "updated" in given:
            updated = fill(str(given["updated"]), known, draws)
        else:
            updated = draws.day("2025-02-01", "2026-09-30")
        front = {
            "owner": draws.one(*company()["people"]),
            "author": draws.one(*company()["people"]),
            "updated": updated,
            "labels": list(given.get("labels", [])),
            "version": draws.number(1, 40),
            "parent": given.get("parent"),
        }
        for name in ("groups", "users", "owner"):
            if name in given:
                front[name] = given[name]
        return front


def fill(template: str, known: Mapping[str, Any], draws: Chance) -> str:
    """Render a template; `number`, `one`, `some` and `day` draw, unless a fact has that name."""
    functions = {name: getattr(draws, name) for name in DRAWS}
    return _environment().from_string(template).render(functions | dict(known)).strip()


def _filled(template: Any, known: Mapping[str, Any], draws: Chance) -> Any:
    """A fact: a text, a list, a mapping, or with `for` and `is` one of these for each item."""
    if isinstance(template, dict) and template.keys() == {"for", "is"}:
        items = known[template["for"]]
        return [_filled(template["is"], {**known, "item": item}, draws) for item in items]
    if isinstance(template, dict):
        return {name: _filled(each, known, draws) for name, each in template.items()}
    if isinstance(template, list):
        return [_filled(each, known, draws) for each in template]
    return fill(str(template), known, draws)


def _wording(
    given: Mapping[str, Any], language: str, known: Mapping[str, Any], draws: Chance
) -> Wording:
    template = given[language]
    if isinstance(template, list):
        template = draws.one(*template)
    full = fill(template, known, draws)
    return Wording(full, fill(given.get(f"then_{language}", ""), known, draws))
