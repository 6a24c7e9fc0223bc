"""`groundwire pairs`: proposes pairs, and exports those that were accepted in the console."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from core import logs
from core.outages.ending import or_one_sentence
from core.pairs import pairs
from core.pairs.pairs import Pair
from core.policy import audit
from core.policy.acl import EVERYBODY
from core.policy.audit import Act
from core.settings import settings
from core.states import PairState
from groundwire.pairs import making
from groundwire.pairs.exporting import examples
from worker.bootstrap import WorkerParts, open_model, parts

app = typer.Typer(
    help="Question and answer pairs: proposed here, decided on in the console.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.command()
def propose(
    count: Annotated[int, typer.Option(min=0, help="Of pages, at most.")] = 100,
    seed: Annotated[int, typer.Option(help="Another seed, other pages.")] = 0,
    by_rules: Annotated[
        bool, typer.Option("--by-rules", help="Of headings and rows, also where there is a model.")
    ] = False,
) -> None:
    """Propose pairs of liked answers, and of pages: by the model that answers, else by rules."""
    with or_one_sentence():
        built = _parts()
        model = None if by_rules else open_model(built.settings, built.database)
        made = making.of_pages(built, count, seed)
        if model:
            made = making.of_model(built, model, count, seed)
        found = chain(making.of_votes(built), made)
        new = pairs.propose(built.database, found)
    typer.echo(f"{new} pairs proposed; accept or refuse them in `groundwire console`, room Pairs")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="Where the lines of JSON go.")],
) -> None:
    """Write accepted pairs as instruction data: the product's prompts, in chat format."""
    with or_one_sentence():
        if file.exists():
            typer.echo(f"groundwire: {file} is there: name another file", err=True)
            raise typer.Exit(2)
        built = _parts()
        accepted = _open(built, pairs.of_state(built.database, PairState.ACCEPTED))
        audit.by_operator(built.database, Act.EXPORTED, details={"what": "pairs"})
        console = Console(stderr=True)
        shown = track(accepted, "pairs", console=console, disable=not console.is_terminal)
        with file.open("x", encoding="utf-8") as out:
            file.chmod(0o600)
            written = 0
            for example in examples(built, list(shown)):
                out.write(example.model_dump_json() + "\n")
                written += 1
    typer.echo(f"{file}: {written} examples of {len(accepted)} pairs")


def _open(built: WorkerParts, accepted: Sequence[Pair]) -> list[Pair]:
    """Those of pages that everybody may read, as their site says now."""
    pages = {pair.page for pair in accepted}
    allowed = built.authorizer.check_all(pages, EVERYBODY).allowed
    return [pair for pair in accepted if pair.page in allowed]


def _parts() -> WorkerParts:
    logs.configure_quietly(settings())
    return parts()
