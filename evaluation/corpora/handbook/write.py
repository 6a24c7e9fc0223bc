"""Writes the handbook: pages for the stand-in for Confluence, questions with their labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined

from evaluation.corpora.handbook.pages import FOLDER, Sheet, personal_space, sheets
from evaluation.corpora.handbook.talks import conversations
from evaluation.corpus.storage import to_storage

PAGES = "pages"
QUESTIONS = "qa-pairs.json"

# Markdown, not HTML: nothing is escaped here.
_TEMPLATES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701


def write(folder: Path, seed: int) -> None:
    """Write the handbook of this seed; the same seed writes the same bytes."""
    site = yaml.safe_load((FOLDER / "site.yaml").read_text(encoding="utf-8"))
    made = sheets(seed)
    for sheet in made:
        file = folder / PAGES / sheet.space / f"{sheet.page_id}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<!--\n{_front(sheet)}-->\n{_body(sheet, made, site)}", encoding="utf-8")
    (folder / PAGES / "site.yaml").write_text(_yaml(_site(site, made)), encoding="utf-8")
    asked = json.dumps(conversations(made), indent=1, ensure_ascii=False)
    (folder / QUESTIONS).write_text(f"{asked}\n", encoding="utf-8")


def _front(sheet: Sheet) -> str:
    front = {"id": sheet.page_id, "title": sheet.title, "space": sheet.space}
    for name in ("owner", "labels", "parent"):
        if sheet.head.get(name):
            front[name] = sheet.head[name]
    return _yaml({**front, "updated": date.fromisoformat(str(sheet.head["updated"]))})


def _body(sheet: Sheet, made: Sequence[Sheet], site: Mapping[str, Any]) -> str:
    space = site["spaces"].get(sheet.space, {})
    template = _TEMPLATES.from_string(sheet.family.body)
    text = template.render(sheet.values, links=partial(_links, made))
    parts = [space.get("top", ""), sheet.head["note"], text, space.get("foot", "")]
    return to_storage("\n\n".join(filter(None, parts)))


def _links(made: Sequence[Sheet], family: str) -> str:
    """A list of links to the pages of a family, for a page that gives an overview."""
    of_family = [sheet for sheet in made if sheet.family.key == family and not sheet.original]
    return "".join(f"- [[{sheet.space}:{sheet.title}]]\n" for sheet in of_family)


def _site(site: Mapping[str, Any], made: Sequence[Sheet]) -> dict[str, Any]:
    spaces = {key: space["name"] for key, space in site["spaces"].items()}
    owners = {sheet.head["owner"] for sheet in made if sheet.space.startswith("~")}
    for person in sorted(owners):
        spaces[personal_space(person)] = person
    return {"spaces": spaces, "people": site["people"], "groups": {}}


def _yaml(value: object) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=10_000)
