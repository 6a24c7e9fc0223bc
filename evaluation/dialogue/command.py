"""`python -m evaluation acts`: what becomes of labelled messages, against what should."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.dialogue.decision import Outcome
from evaluation.dialogue import fitting
from evaluation.dialogue.labelled import FOLDER, Decided, LabelledMessage, decided, messages
from evaluation.dialogue.taught import taught, taught_of
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, fail, show_json


class Labels(StrEnum):
    """Who wrote a set, and when."""

    BEFORE = "before"  # whoever wrote the rules, before them
    AFTER = "after"  # somebody who had not seen them; taught since
    FRESH = "fresh"  # another, who had seen neither; taught since
    UNSEEN = "unseen"  # both, each message read by a fit that has not seen its conversation


Row = Mapping[str, Share]


def acts(
    labels: Annotated[
        Labels, typer.Option("--set", help="Written before the rules, or after them.")
    ] = Labels.BEFORE,
    fit: Annotated[
        bool,
        typer.Option("--fit", help="Fit the reader on what it is taught; write its weights."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Dialogue acts: is a message answered, shortly replied to, or left alone, as labelled?"""
    if fit:
        _fit(as_json=as_json)
        return
    found = _decided(labels)
    rows = dict(report(found))
    missed = [each for each in found if not each.is_right]
    if as_json:
        show_json({"rows": _plain(rows), "missed": [_miss(each) for each in missed]})
        return
    _show(rows)
    _show_misses(missed)


def _decided(labels: Labels) -> list[Decided]:
    if labels is Labels.UNSEEN:
        return fitting.decided_unseen(taught(), _by_others())
    file = FOLDER / f"{labels}.yaml"
    if not file.exists():
        fail(f"evaluation/dialogue/{labels}.yaml is not there")
    return decided(messages(file))


def _by_others() -> list[LabelledMessage]:
    """What people wrote who had not seen the scenes that are taught."""
    return [*messages(FOLDER / "after.yaml"), *messages(FOLDER / "fresh.yaml")]


def _fit(*, as_json: bool) -> None:
    learned = [*taught(), *taught_of(_by_others())]
    fitting.fit(learned)
    shares = fitting.cross_validated(learned)
    if as_json:
        show_json({name: share.as_json() for name, share in shares.items()})
        return
    table = Table("meaning as taught, each found by a fit on other scenes", "n", "in per cent")
    for name, share in shares.items():
        table.add_row(name, str(share.of), str(share))
    Console().print(table)


def report(found: Sequence[Decided]) -> Iterator[tuple[str, Row]]:
    """All messages, then those of each place and each language."""
    yield "all", _row(found)
    for place in sorted({each.labelled.message.place for each in found}):
        yield place, _row([each for each in found if each.labelled.message.place is place])
    for language in sorted({each.labelled.language for each in found}):
        yield language, _row([each for each in found if each.labelled.language == language])


def _row(found: Sequence[Decided]) -> Row:
    silence = [each for each in found if each.labelled.expected is Outcome.SILENT]
    answers = [each for each in found if each.labelled.expected is Outcome.ANSWER]
    return {
        "as labelled": Share.of_all(each.is_right for each in found),
        "spoke where silence was right": Share.of_all(
            each.decision.outcome is not Outcome.SILENT for each in silence
        ),
        "silent where an answer was due": Share.of_all(
            each.decision.outcome is Outcome.SILENT for each in answers
        ),
    }


def _plain(rows: Mapping[str, Row]) -> dict[str, dict[str, object]]:
    return {
        name: {key: share.as_json() for key, share in row.items()} for name, row in rows.items()
    }


def _miss(missed: Decided) -> dict[str, str]:
    return {
        "id": missed.labelled.id,
        "text": missed.labelled.message.text,
        "expected": missed.labelled.expected,
        "found": missed.decision.outcome,
        "act": missed.decision.act,
        "why": missed.labelled.why,
    }


def _show(rows: Mapping[str, Row]) -> None:
    first = next(iter(rows.values()))
    table = Table("in per cent (95 % interval)", "n", *first)
    for name, row in rows.items():
        table.add_row(name, str(row["as labelled"].of), *map(str, row.values()))
    Console().print(table)


def _show_misses(missed: Sequence[Decided]) -> None:
    if not missed:
        return
    table = Table("id", "text", "expected", "found", "act", "why")
    for each in missed:
        table.add_row(*_miss(each).values())
    Console().print(table)
