"""`python -m evaluation reader`: trains the reader that gate, badge and excerpts ask."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from evaluation.harness.output import fail
from sandbox.programs.processes import DidNotStart

STEPS = 3400


def reader(
    data: Annotated[
        Path | None, typer.Option("--squad", help="Folder of SQuAD 1.1's train-v1.1.json.")
    ] = None,
    steps: Annotated[int, typer.Option(help="Of some 32 examples; 1.6 s on two cores.")] = STEPS,
    folder: Annotated[Path, typer.Option(help="Where indexes are kept.")] = Path("var/left-out"),
    start: Annotated[
        Path | None,
        typer.Option("--from", help="Weights to go on from.", exists=True, dir_okay=False),
    ] = None,
    save: Annotated[Path, typer.Option(help="A new file for the weights.")] = Path("trained.npz"),
) -> None:
    """Train the reader anew, on wikis of others, on what our own corpora answer, and on SQuAD.

    Nothing reads the new weights until they stand in place of `worker/reading/trained.npz`.
    """
    if find_spec("torch") is None:
        fail("training needs torch: scripts/install tuning")
    try:
        power = import_module("evaluation.reader.run").train_reader(
            data, steps, folder, save, start
        )
    except DidNotStart as error:
        fail(str(error))
    typer.echo(f"AUC of pieces of wikis that it has not seen: {power:.3f}")
