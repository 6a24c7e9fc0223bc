"""Writes the clinic: pages for the stand-in for Confluence, questions for the benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from evaluation.corpora.clinic.pages import ClinicPage, clinic, clinic_pages
from evaluation.corpora.clinic.questions import conversations
from sandbox.confluence.site.content import account_id

PAGES = "pages"
QUESTIONS = "qa-pairs.json"


def write(folder: Path, seed: int) -> None:
    """Write `pages/` and `qa-pairs.json`; the same seed writes the same bytes.

    The folder must not hold the pages of another seed: their ids differ, so they would stay.
    """
    pages = clinic_pages(seed)
    for page in pages.values():
        _write_page(folder / PAGES, page)
    (folder / PAGES / "site.yaml").write_text(_yaml(_site()), encoding="utf-8")
    text = json.dumps(conversations(pages), indent=1, ensure_ascii=False)
    (folder / QUESTIONS).write_text(f"{text}\n", encoding="utf-8")


def _write_page(folder: Path, page: ClinicPage) -> None:
    file = folder / page.space / f"{page.id}.xml"
    file.parent.mkdir(parents=True, exist_ok=True)
    front = _yaml({"id": page.id, "title": page.title, "space": page.space, **page.front})
    file.write_text(f"<!--\n{front}-->\n{page.body}", encoding="utf-8")


def _site() -> dict[str, Any]:
    people: dict[str, str] = {}
    for names in clinic()["people"].values():
        people |= {name: _email_of(name) for name in names}
    spaces = {key: space["name"] for key, space in clinic()["spaces"].items()}
    return {"spaces": spaces, "people": people}


def _email_of(name: str) -> str:
    return account_id(name).partition(":")[2].replace("-", ".") + "@klinikum-aurach.example"


def _yaml(value: object) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=10_000)
