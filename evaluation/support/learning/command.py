"""`python -m evaluation claims`: trains the reader that the support check asks."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from evaluation.harness.output import fail
from worker.reading.reader import TRAINED

STEPS = 2000


def claims(
    data: Annotated[Path, typer.Option("--squad", help="Folder of SQuAD 1.1: train and dev.")],
    steps: Annotated[int, typer.Option(help="Of eight groups each; 3 s on two cores.")] = STEPS,
    start: Annotated[
        Path, typer.Option("--from", help="Weights to go on from.", exists=True, dir_okay=False)
    ] = TRAINED,
    save: Annotated[Path, typer.Option(help="A new file for the weights.")] = Path("claims.npz"),
) -> None:
    """Train the reader of claims, on SQuAD and on answers about wikis of others.

    Nothing reads the new weights until they stand in place of
    `worker/support/reading/trained.npz`; then `python -m evaluation support --fit`.
    """
    if find_spec("torch") is None:
        fail("training needs torch: scripts/install tuning")
    run = import_module("evaluation.support.learning.training")
    power = run.train_claims(data, save, steps, start)
    typer.echo(f"AUC on answers about wikis that it has not seen: {power:.3f}")
