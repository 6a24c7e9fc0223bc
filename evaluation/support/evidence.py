"""Evidence of our own corpora: the pieces of their pages as hits, by the title of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from core.models import Hit, Page
from evaluation.corpora.clinic.write import write as clinic
from evaluation.corpora.handbook.write import write as handbook
from evaluation.corpus.write import write as railway
from indexer.evidence.build import evidence
from indexer.parse import parse
from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.site.load import load

SEED = 1  # the answers in other words hold the facts of this seed
GENERATED: Mapping[str, Callable[[Path, int], object]] = {
    "clinic": clinic,
    "handbook": handbook,
    "railway": railway,
}
Pages = Mapping[str, tuple[Hit, ...]]


def corpora() -> dict[str, Pages]:
    """Each corpus with the pieces of its pages by their titles."""
    found = {"sample": pages_of(SAMPLE)}
    with TemporaryDirectory() as folder:
        for name, write in GENERATED.items():
            write(Path(folder) / name, SEED)
            found[name] = pages_of(Path(folder) / name / "pages")
    return found


def pages_of(folder: Path) -> Pages:
    """The pieces of the pages in a folder by their titles."""
    content = load(folder)
    found: dict[str, tuple[Hit, ...]] = {}
    for entry in content.entries.values():
        owner = content.people[entry.owner].name if entry.owner else ""
        page = Page(
            id=entry.id,
            space=entry.space,
            title=entry.title,
            url=f"https://wiki.example/{entry.id}",
            owner=owner,
            updated_at=entry.updated_at,
        )
        if not entry.space.startswith("~") or entry.title not in found:  # those are copies
            pieces = evidence(page, parse(entry.body))
            found[entry.title] = tuple(Hit(evidence=piece, page=page) for piece in pieces)
    return found
