"""`python -m evaluation corpus`: write the corpus of our own into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaluation.corpus.write import write
from evaluation.harness.output import fail, show_json

SEED = 2026


def corpus(
    out: Annotated[Path, typer.Option(help="An empty folder, or one that does not exist yet.")],
    seed: Annotated[int, typer.Option(help="Another seed, other facts.")] = SEED,
) -> None:
    """Write the wiki of a fictional railway and labelled questions about it; counts, as JSON."""
    if out.exists() and any(out.iterdir()):
        fail(f"{out} is not empty: name a new folder")
    out.mkdir(parents=True, exist_ok=True)
    show_json(write(out, seed))
