"""What hostile attachments cost a sync: the same pages with one of each kind, and with none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.settings import Settings
from evaluation.harness.output import AsJson, show_json
from evaluation.harness.progress import track
from evaluation.sync.measure import SPACE, Bench, Measured, start_both
from sandbox.confluence.client import Site
from sandbox.hostile import HOSTILE
from sandbox.programs.processes import Programs

SYNCS = 4  # first and unchanged, without and with


def hostile(
    pages: Annotated[int, typer.Option(help="How many generated pages.")] = 500,
    files: Annotated[int, typer.Option(help="How many attachments, of kinds in turn.")] = 30,
    as_json: AsJson = False,
) -> None:
    """What hostile attachments cost a sync, at the usual pace of requests."""
    with TemporaryDirectory() as folder:
        found = list(track(_measure(pages, files, Path(folder)), "hostile", total=SYNCS))
    if as_json:
        show_json([asdict(each) for each in found])
        return
    table = Table("sync", "seconds until its pages are found", "to its end", "requests")
    for each in found:
        seconds = (f"{each.until_found:.1f}", f"{each.seconds:.1f}")
        table.add_row(each.what, *seconds, str(each.requests))
    Console().print(table)


def _measure(pages: int, most: int, folder: Path) -> Iterator[Measured]:
    per_second = Settings.model_fields["confluence_requests_per_second"].default
    chosen = {"confluence_attachments": True, "confluence_requests_per_second": per_second}
    with Programs(folder / "logs") as programs:
        site, chroma = start_both(programs, folder)
        with Site(site) as control:
            for files in (0, most):
                control.reset()
                control.fill(SPACE, pages)
                _attach(control, files)
                bench = Bench(site, chroma, folder / str(files), **chosen)
                for what in ("first", "unchanged"):
                    yield bench.sync(pages, f"{what}, {files} hostile attachments")


def _attach(control: Site, files: int) -> None:
    """Each to a page of its own, spread evenly over the kinds."""
    kinds = list(HOSTILE.values())
    chosen = [kinds[number * len(kinds) // files % len(kinds)] for number in range(files)]
    last = int(control.create(SPACE, "The last one", "<p>It marks the buoy.</p>")["id"])
    for number, (name, make) in enumerate(chosen, 1):
        control.attach(str(last - number), name, make())
