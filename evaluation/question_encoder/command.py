"""`python -m evaluation question-encoder`: how near questions come to what answers them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from core.embeddings import Vectors
from core.embeddings.bundled import Bundled
from evaluation.employees.wikis import FITTED, LEARNT, UNSEEN
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.progress import track
from evaluation.question_encoder.asked import Asked, Wiki
from evaluation.retrieval.left_out.opened import embedders
from sandbox.programs.processes import DidNotStart

STEPS = 1000
FIRST = (1, 3, 10)  # pieces among which one has to answer


class Found(NamedTuple):
    """Of the questions of a set, the share for which one of the nearest pieces answers."""

    asked: str
    encoder: str
    of: int
    shares: tuple[float, ...]  # for each of FIRST


def question_encoder(
    folder: Annotated[Path, typer.Option(help="Where indexes are kept.")] = Path("var/left-out"),
    save: Annotated[
        Path | None,
        typer.Option("--train", help="Train it anew, into this file; needs torch."),
    ] = None,
    steps: Annotated[int, typer.Option(help="Of the training; 48 questions each.")] = STEPS,
    as_json: AsJson = False,
) -> None:
    """Of wikis that it has not seen: is what answers among the nearest pieces, with and without it?

    Nothing reads new weights until they stand in place of `core/embeddings/question_encoder.npz`.
    """
    if save and find_spec("torch") is None:
        fail("training needs torch: scripts/install tuning")
    try:
        if save:
            import_module("evaluation.question_encoder.training").train_questions(
                list(_asked(LEARNT, folder)), steps, save
            )
            return
        found = list(measured(list(_asked((*FITTED, *UNSEEN), folder))))
    except DidNotStart as error:
        fail(str(error))
    if as_json:
        show_json([each._asdict() for each in found])
    else:
        _show(found)


def _asked(names: Sequence[str], folder: Path) -> Iterator[Asked]:
    load = embedders()
    for name in track(names, "wikis"):
        yield from Wiki(name, folder, load).asked()


def measured(asked: Sequence[Asked]) -> Iterator[Found]:
    """By set of questions: as the embedder has them, then as the encoder moves them."""
    embedder, texts = Bundled(), [each.text for each in asked]
    ways = {"without": embedder.embed(texts), "with": embedder.embed_questions(texts)}
    sets = defaultdict[str, list[int]](list)
    for at, each in enumerate(asked):
        sets[each.of].append(at)
    for of, places in sets.items():
        for way, vectors in ways.items():
            ranks = [_rank(asked[at], vectors[at]) for at in places]
            yield Found(of, way, len(ranks), tuple(_share(ranks, most) for most in FIRST))


def _rank(asked: Asked, question: Vectors) -> int:
    """Of the nearest piece that answers, from 1."""
    scores = asked.vectors @ question
    return 1 + int((scores > scores[list(asked.right)].max()).sum())


def _share(ranks: Iterable[int], most: int) -> float:
    return float(np.mean([rank <= most for rank in ranks]))


def _show(found: Sequence[Found]) -> None:
    table = Table("asked", "question encoder", "n", *(f"among {most}" for most in FIRST))
    for each in found:
        shares = (f"{share:.3f}" for share in each.shares)
        table.add_row(each.asked, each.encoder, str(each.of), *shares)
    Console().print(table)
