"""`python -m evaluation left-out`: every corpus with weights that were chosen without it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from sqlmodel import select

from core.evidence.ranking.weights import PRODUCT
from core.storage.index_tables import PageRow
from evaluation.harness.output import AsJson, fail, show_json, show_rows
from evaluation.harness.progress import track
from evaluation.retrieval.left_out.bench import Bench
from evaluation.retrieval.left_out.corpora import LANGUAGES, available
from evaluation.retrieval.left_out.folds import PARTS, Fold, folds, unfitted
from evaluation.retrieval.left_out.keywords import peers_outcomes
from evaluation.retrieval.left_out.opened import Opened, embedders
from evaluation.retrieval.left_out.tables import (
    Compared,
    Row,
    ablations,
    by_class,
    misses,
    quality,
    weights,
)
from evaluation.sets.confquestions import DataMissing
from sandbox.programs.processes import DidNotStart

Tables = dict[str, list[Row]]


def left_out(
    data: Annotated[
        Path | None, typer.Option(help="ConfQuestions; without it, the table has one corpus less.")
    ] = None,
    corpus: Annotated[
        list[str] | None, typer.Option(help="Only these; the others are not fitted to either.")
    ] = None,
    language: Annotated[str, typer.Option(help="en, de or both.")] = "both",
    without: Annotated[
        list[str] | None, typer.Option(help=f"A part to switch off: all, {', '.join(PARTS)}.")
    ] = None,
    is_fitted: Annotated[
        bool, typer.Option("--fit/--no-fit", help="Without: the shipped weights everywhere.")
    ] = True,
    with_misses: Annotated[bool, typer.Option("--misses", help="List every miss.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write everything there, as JSON.")] = None,
    folder: Annotated[Path, typer.Option(help="Where indexes are kept.")] = Path("var/left-out"),
    as_json: AsJson = False,
) -> None:
    """P@1 on corpora left out, beside bm25s and SQLite FTS5; then by class of question."""
    languages = LANGUAGES if language == "both" else (language,)
    parts = list(PARTS) if without == ["all"] else list(without or ())
    try:
        opened = _opened(data, corpus, folder)
        found = _tables(opened, languages, parts, is_fitted=is_fitted)
    except (DataMissing, DidNotStart, ValueError) as error:
        fail(str(error))
    if save:
        save.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")
    if not with_misses:
        found.pop("misses")
    if as_json:
        return show_json(found)
    return show_rows(found)


def _opened(data: Path | None, only: Sequence[str] | None, folder: Path) -> dict[str, Opened]:
    makers = available(data, folder / "corpora")
    names = only or list(makers)
    if unknown := [name for name in [*names] if name not in makers]:
        raise ValueError(f"no such corpus: {unknown[0]}; there are {', '.join(makers)}")
    load = embedders()
    of_each = track(names, "opening corpora")
    return {name: Opened(makers[name](), folder / "indexes", load) for name in of_each}


def _tables(
    opened: Mapping[str, Opened],
    languages: tuple[str, ...],
    parts: Sequence[str],
    *,
    is_fitted: bool,
) -> Tables:
    bench = Bench(opened, languages)
    measures = {name: bench.measure(name) for name in opened}
    whole = {name: bench.measure_whole(name) for name in opened}
    chosen = folds(measures, whole) if is_fitted else unfitted(opened)
    compared = [_compared(bench, name, fold) for name, fold in chosen.items()]
    found = {
        "quality": list(quality(compared)),
        "classes": list(by_class(compared)),
        "weights": list(weights(chosen)),
    }
    if parts:
        found["ablations"] = list(ablations(bench, chosen, parts))
    titles = {name: _titles(each) for name, each in opened.items()}
    return found | {"misses": list(misses(compared, titles))}


def _compared(bench: Bench, name: str, fold: Fold) -> Compared:
    opened = bench.opened[name]
    shipped = bench.outcomes(name, PRODUCT)
    return Compared(
        corpus=name,
        without_it=bench.outcomes(name, fold.without_it.ranking),
        shipped=shipped,
        on_it=bench.outcomes(name, fold.on_it.ranking),
        # Follow-ups as the shipped product completes them.
        peers=peers_outcomes(opened.database, opened.corpus.language, shipped),
    )


def _titles(opened: Opened) -> dict[str, str]:
    with opened.database.reading() as session:
        rows = session.exec(select(PageRow.id, PageRow.record)).all()
    return {page: str(record["title"]) for page, record in rows}
