"""How well filters in plain language are recognized, on labelled questions of our own."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import Console
from rich.table import Table

from core.policy.acl import EVERYBODY
from core.question import Completed, Field
from core.settings import settings
from evaluation.harness.output import AsJson, show_json
from evaluation.harness.progress import track
from worker.filters import Filters, Vocabulary
from worker.generation.chat_model import ChatModel

LABELLED = Path(__file__).parents[1] / "data" / "filters.yaml"
MODEL_S = 60.0

Pairs = frozenset[tuple[Field, str]]


@dataclass(frozen=True)
class Judged:
    """A question with the conditions that it asks for, and those that were found."""

    question: str
    language: str
    expected: Pairs
    found: Pairs


def filters(
    with_model: Annotated[
        bool, typer.Option(help="Ask the model of LLM_BASE_URL too, as the product does.")
    ] = False,
    wrong: Annotated[
        bool, typer.Option(help="List the questions that were not understood.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Exact matches, precision and recall of the filters in labelled questions.

    A third of the questions are German, two fifths have no filter.
    """
    judged = measure(LABELLED, with_model=with_model)
    if as_json:
        show_json({"by language": exact(judged), "by field": by_field(judged)})
        return
    _show("language", exact(judged))
    _show("field", by_field(judged))
    for each in judged if wrong else []:
        if each.found != each.expected:
            expected, found = _said(each.expected), _said(each.found)
            typer.echo(f"{each.question}\n    expected {expected}\n    found    {found}")


def measure(labelled: Path, *, with_model: bool = False) -> list[Judged]:
    data = yaml.safe_load(labelled.read_text(encoding="utf-8"))
    known = Vocabulary(
        data["spaces"],
        frozenset(data["labels"]),
        frozenset(data["people"]),
        frozenset(data["titles"]),
    )
    today = date.fromisoformat(data["today"])
    finder = Filters(lambda _reader: known, _model() if with_model else None, lambda: today)
    return [_judged(finder, item) for item in track(data["questions"], "filters")]


def _model() -> ChatModel:
    chosen = settings()
    chosen.require("llm_base_url", "llm_model")
    return ChatModel(chosen, chosen.llm_model or "")


def exact(judged: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """By language: how many questions are understood exactly, with a filter and without one."""
    rows = {"all": dict(_exact(judged))}
    for code in ("en", "de"):
        rows[code] = dict(_exact([each for each in judged if each.language == code]))
    return rows


def by_field(judged: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """Precision and recall by field."""
    rows = {field.value: _quality(judged, {field}) for field in Field}
    return rows | {"all": _quality(judged, set(Field))}


def _judged(finder: Filters, item: Mapping[str, Any]) -> Judged:
    completed = Completed(question=item["question"], text=item["question"])
    conditions, _ = finder.find(completed, EVERYBODY, deadline=time.time() + MODEL_S)
    expected = frozenset((field, str(item[field])) for field in Field if field in item)
    found = frozenset((each.field, each.value) for each in conditions)
    return Judged(item["question"], item["language"], expected, found)


def _exact(group: Sequence[Judged]) -> Iterator[tuple[str, float]]:
    for name, some in (
        ("exact", group),
        ("with a filter", [each for each in group if each.expected]),
        ("without", [each for each in group if not each.expected]),
    ):
        yield f"n {name}", len(some)
        yield name, sum(each.found == each.expected for each in some) / len(some)


def _quality(judged: Sequence[Judged], fields: set[Field]) -> dict[str, float]:
    expected = found = right = 0
    for each in judged:
        expected += _count(each.expected, fields)
        found += _count(each.found, fields)
        right += _count(each.expected & each.found, fields)
    return {
        "n": expected,
        "precision": right / found if found else 1.0,
        "recall": right / expected if expected else 1.0,
    }


def _count(pairs: Pairs, fields: set[Field]) -> int:
    return sum(field in fields for field, _ in pairs)


def _show(what: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    names = list(next(iter(rows.values())))
    table = Table(what, *names)
    for name, figures in rows.items():
        formats = ("g" if key.startswith("n") else ".3f" for key in names)
        cells = (format(figures[key], how) for key, how in zip(names, formats, strict=True))
        table.add_row(name, *cells)
    Console().print(table)


def _said(pairs: Pairs) -> str:
    return ", ".join(f"{field.value} {value}" for field, value in sorted(pairs)) or "nothing"
