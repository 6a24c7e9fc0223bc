"""Reads the texts of the clinic as pages: sisters for wards and devices, editions, copies.

A file of `texts/` holds many pages: `=== key`, a head in YAML up to `---`, and a body in Markdown
with the marks of `evaluation.corpus.storage` and `<<words|SPACE:Title>>`, a link in other words.
Beside what the stand-in for Confluence knows, the head may name `each` (a list of `clinic.yaml`:
one page for each entry, whose values are facts), `family` (pages that may be taken for one
another) and `edition` (what this page is in it). Word-for-word copies are listed in `clinic.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import yaml

from evaluation.corpora.clinic.facts import Draw, fill, repeat
from evaluation.corpus.storage import to_storage

HERE = Path(__file__).parent
SITE = "https://wiki.klinikum-aurach.example"
SISTER = "sister"

_LINK = re.compile(r"&lt;&lt;([^|]+)\|([A-Z]+):(.+?)&gt;&gt;")

Json = dict[str, Any]


@dataclass(frozen=True)
class ClinicPage:
    """A page as it is written, and what the questions have to know about it."""

    key: str
    id: str
    space: str
    title: str
    front: Json  # what else Confluence knows about it
    body: str  # storage format
    facts: dict[str, str]
    family: str
    edition: str  # of a copy: that of the page which it repeats
    language: str
    is_copy: bool = False

    @property
    def url(self) -> str:
        return f"{SITE}/spaces/{self.space}/pages/{self.id}"


@cache
def clinic() -> Json:
    """Spaces, people and wards."""
    found: Json = yaml.safe_load((HERE / "clinic.yaml").read_text(encoding="utf-8"))
    return found


def clinic_pages(seed: int) -> dict[str, ClinicPage]:
    """All pages of a seed by their keys, in the order of the files."""
    pages: dict[str, ClinicPage] = {}
    for file in sorted((HERE / "texts").glob("*.md")):
        for text in file.read_text(encoding="utf-8").split("\n=== ")[1:]:
            key, _, rest = text.partition("\n")
            head, _, body = rest.partition("\n---\n")
            for page in _pages(key, yaml.safe_load(head), body, seed):
                pages[page.key] = page
    return pages | {page.key: page for page in _copies(pages, seed)}


def _pages(key: str, head: Json, body: str, seed: int) -> Iterator[ClinicPage]:
    """The page of a text, or one for each of its sisters."""
    if "each" not in head:
        yield _page(key, head, body, Draw(seed, key))
        return
    sisters = clinic()[head["each"]]
    for position, (name, values) in enumerate(sisters.items()):
        draw = Draw(seed, key, position, len(sisters))
        given = {"family": key, "edition": SISTER, "facts": dict(values)}
        updated = head["updated"] + timedelta(days=9 * position)
        yield _page(f"{key}-{name}", {**head, **given, "updated": updated}, body, draw)


def _page(key: str, head: Json, body: str, draw: Draw) -> ClinicPage:
    facts = dict(head.get("facts", {}))
    people = clinic()["people"]
    space = clinic()["spaces"][head["space"]]
    parts = (space.get("head", ""), body, space.get("foot", ""))
    return ClinicPage(
        key=key,
        id=str(100_000_000 + crc32(f"{draw.seed}:{key}".encode()) % 900_000_000),
        space=head["space"],
        title=fill(head["title"], facts, draw, people),
        front=_front(head, facts),
        body=_linked(to_storage(fill("\n\n".join(filter(None, parts)), facts, draw, people))),
        facts=facts,
        family=head.get("family", key),
        edition=head.get("edition", "current"),
        language=head.get("language", "de"),
    )


def _linked(body: str) -> str:
    """Links with words of their own: `<<words|SPACE:Title>>`."""
    return _LINK.sub(
        r'<ac:link><ri:page ri:space-key="\2" ri:content-title="\3" />'
        r"<ac:link-body>\1</ac:link-body></ac:link>",
        body,
    )


def _front(head: Json, facts: dict[str, str]) -> Json:
    front: Json = {name: head[name] for name in ("owner", "updated", "labels") if name in head}
    if "parent" in head:
        front["parent"] = repeat(head["parent"], facts)
    return front


def _copies(pages: dict[str, ClinicPage], seed: int) -> Iterator[ClinicPage]:
    for key, given in clinic()["copies"].items():
        of = pages[given["of"]]
        yield ClinicPage(
            key=key,
            id=str(100_000_000 + crc32(f"{seed}:{key}".encode()) % 900_000_000),
            space=given["space"],
            title=given.get("title", of.title),
            front=_front(given, {}),
            body=of.body,
            facts=of.facts,
            family=of.family,
            edition=of.edition,
            language=of.language,
            is_copy=True,
        )
