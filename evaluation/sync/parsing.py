"""The parser on the benchmark's pages, beside published counts; losses, leaks, speed."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from core.models import Evidence, Page
from evaluation.sets.confquestions import DataMissing
from evaluation.sync.page_shapes import seconds_a_megabyte
from indexer.evidence.build import evidence
from indexer.parse import Document, Item, ListBlock, Table, parse
from indexer.parse.markup.xml import Element, attribute, name, read

PUBLISHED = {
    "passage": 2163,
    "list": 1085,
    "table": 110,
    "row": 1200,
}  # RAGonite (Saha Roy et al. 2025); rows counted on the pages
# Parameters that a rule shows, since readers of the page see them.
SHOWN = {
    "title",
    "key",
    "jqlQuery",
    "jql",
    "colour",
    "name",
    "url",
    "",
    "anchor",
    "diagramName",
    "User",
    "user",
    "page",
}
SHORTEST = 4  # characters of a parameter that could be recognized again


@dataclass(frozen=True)
class Source:
    """A page of the benchmark."""

    id: str
    title: str
    storage: str


def sources(documents: Path) -> list[Source]:
    """Every page in the folder.

    Raises:
        DataMissing: there is none.
    """
    files = sorted(documents.glob("*.json"))
    if not files:
        raise DataMissing(f"{documents} holds no pages: name the benchmark's folder with --data")
    pages = [(file.stem, json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return [Source(identifier, page["title"], page["content"]) for identifier, page in pages]


def report(pages: Sequence[Source]) -> dict[str, float]:
    """Pieces by kind beside the markup and the published numbers, losses, leaks and seconds."""
    began = time.perf_counter()
    documents = [parse(page.storage) for page in pages]
    made = [
        evidence(Page(id=page.id, space="", title=page.title, url=""), each)
        for page, each in zip(pages, documents, strict=True)
    ]
    seconds = time.perf_counter() - began
    pieces = Counter(piece.kind.value for found in made for piece in found)
    trees = [read(page.storage)[0] for page in pages]
    elements = Counter(name(each) for tree in trees for each in tree.iter() if name(each))
    lines = [
        (line, found) for found, tree in zip(made, trees, strict=True) for line in code_lines(tree)
    ]
    return {
        "pages": len(pages),
        **{f"{kind}s (pieces)": pieces[kind] for kind in PUBLISHED},
        **{f"{kind}s (published)": number for kind, number in PUBLISHED.items()},
        "ul and ol (markup)": elements["ul"] + elements["ol"],
        "table (markup)": elements["table"],
        "tr (markup)": elements["tr"],
        **_blocks(documents),
        "ul and ol in cells": sum(
            _is_in_cell(each)
            for tree in trees
            for each in tree.iter()
            if name(each) in ("ul", "ol")
        ),
        "code lines": len(lines),
        "code lines lost": sum(not _holds(found, line) for line, found in lines),
        "parameters leaked": sum(
            len(leaked(tree, found)) for found, tree in zip(made, trees, strict=True)
        ),
        "seconds": round(seconds, 3),
        **_speed(),
    }


def _speed() -> dict[str, float]:
    seconds = seconds_a_megabyte().items()
    return {f"seconds for a page of 1 MB: {shape}": round(took, 2) for shape, took in seconds}


def _blocks(documents: Sequence[Document]) -> dict[str, float]:
    """What was read before anything is cut: these add up to what is in the markup."""
    blocks = [block for document in documents for block in document.blocks]
    lists = [block for block in blocks if isinstance(block, ListBlock)]
    tables = [block for block in blocks if isinstance(block, Table)]
    rows = [row for table in tables for row in table.rows]
    return {
        "lists (whole)": len(lists),
        "lists inside lists": sum(_levels_under(block.items) for block in lists),
        "tables (whole)": len(tables),
        "rows (under headers)": len(rows),
        "rows without text": sum(not any(row.cells) and not row.group for row in rows),
    }


def _levels_under(items: Sequence[Item]) -> int:
    return sum(bool(item.children) + _levels_under(item.children) for item in items)


def _is_in_cell(element: Element) -> bool:
    return any(name(above) in ("td", "th") for above in element.iterancestors())


def code_lines(tree: Element) -> Iterator[str]:
    """The lines of every code macro and every `pre` that is not inside one, without blank ones."""
    for element in tree.iter():
        is_macro = name(element) == "ac:plain-text-body"
        if is_macro or (
            name(element) == "pre"
            and all(name(above) != "ac:plain-text-body" for above in element.iterancestors())
        ):
            yield from (line.strip() for line in _text(element).splitlines() if line.strip())


def _text(element: Element) -> str:
    """With a line break for each `br`."""
    inside = "".join(_text(each) + (each.tail or "") for each in element)
    return "\n" if name(element) == "br" else (element.text or "") + inside


def leaked(tree: Element, found: Sequence[Evidence]) -> list[str]:
    """Values of parameters that are in the evidence and not in what readers of the page see."""
    shown = "\n".join(piece.text for piece in found)
    parameters = [
        each
        for each in tree.iter()
        if name(each) == "ac:parameter" and attribute(each, "ac:name") not in SHOWN
    ]
    values = {"".join(str(part) for part in each.itertext()).strip() for each in parameters}
    for each in parameters:
        each.clear()
    visible = "".join(str(part) for part in tree.itertext()) + etree.tostring(
        tree, encoding="unicode"
    )
    return [
        value
        for value in values
        if len(value) >= SHORTEST and _as_word(value, shown) and not _as_word(value, visible)
    ]


def _as_word(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _holds(found: Sequence[Evidence], line: str) -> bool:
    squeezed = " ".join(line.split())
    return any(line in piece.text or squeezed in " ".join(piece.text.split()) for piece in found)
