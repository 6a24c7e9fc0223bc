"""`python -m evaluation examination`: writes the questions of the exam for models that read claims.

From answers that people wrote about invented companies, right ones and the same made wrong in one
point: a hundred, of as many kinds of errors and from as many companies as there are, in two
languages, about pages that are short enough to be read in one call. The answers by which the
check is measured are not among them (evaluation.support.wiki_answers.APART, READ).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from core.models import Hit
from evaluation.support.case import pieces_of
from evaluation.support.wiki_answers import WikiAnswer, Wrong, taught, wiki_answers, wiki_pages
from worker.generation.second_reader.exam import FILE, ExamItem, ExamPiece
from worker.support.claims import claims

ITEMS = 100
# Drawn, and left out: their right answers say more than their pages, by whoever read them.
UNFAIR = ("Wer leitet bei uns welches Sprint-Meeting?", "Do we take a 200 euro note? Swiss francs?")
LONGEST = 2600  # characters of the pages of an item
SEED = 20


def examination(
    file: Annotated[Path, typer.Option(help="Where it is written.")] = FILE,
) -> None:
    """Write the questions of the exam anew, the same ones every time."""
    lines = [item.model_dump_json() for item in chosen()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    typer.echo(f"{len(lines)} questions in {file}")


def chosen() -> list[ExamItem]:
    """One wiki after the other gives an answer, each time one with a kind of error that is rare."""
    draw = random.Random(SEED)
    waiting = {name: draw.sample(found, len(found)) for name, found in _short().items()}
    kinds: Counter[str] = Counter()
    items: list[ExamItem] = []
    drawn = ITEMS + len(UNFAIR)
    while len(items) < drawn:
        for answers in waiting.values():
            if answers and len(items) < drawn:
                answer, hits = answers.pop()
                wrong = min(answer.wrong, key=lambda each: kinds[each.kind])
                kinds[wrong.kind] += 1
                items.append(_item(answer, wrong, hits))
    return [item for item in items if item.question not in UNFAIR]


def _short() -> dict[str, list[tuple[WikiAnswer, tuple[Hit, ...]]]]:
    return {name: list(_short_of(name)) for name in taught()}


def _short_of(name: str) -> Iterator[tuple[WikiAnswer, tuple[Hit, ...]]]:
    pages = wiki_pages(name)
    for answer in wiki_answers(name):
        hits = pieces_of(pages, answer.pages)
        size = sum(len(hit.evidence.text) for hit in hits)
        if answer.wrong and size <= LONGEST and claims(answer.right):
            yield answer, hits


def _item(answer: WikiAnswer, wrong: Wrong, hits: tuple[Hit, ...]) -> ExamItem:
    pieces = []
    for hit in hits:
        path = hit.evidence.heading_path
        pieces.append(ExamPiece(title=hit.page.title, path=path, text=hit.evidence.text))
    return ExamItem(
        question=answer.question,
        pieces=tuple(pieces),
        right=answer.right,
        wrong=wrong.text,
        kind=wrong.kind,
    )
