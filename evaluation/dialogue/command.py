"""`python -m evaluation acts`: what becomes of labelled messages, against what should."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.dialogue.decision import Outcome
from core.settings import settings
from evaluation.dialogue.labelled import FOLDER, Decided, LabelledMessage, decided, messages
from evaluation.dialogue.taught import taught, taught_of
from evaluation.harness.interval import Share
from evaluation.harness.output import AsJson, fail, show_json
from evaluation.harness.progress import track
from worker.bootstrap import chat_model

STEPS = 1500


class Labels(StrEnum):
    """Who wrote a set, and when."""

    BEFORE = "before"  # whoever wrote the rules, before them; never taught
    UNSEEN = "unseen"  # by people who had seen nothing, each of another company; never taught
    # By four others of them, three messages after each scene that look alike; never taught.
    LATER = "later"
    WRITTEN = "written"  # by others of them; the reader is taught these


Row = Mapping[str, Share]


def acts(
    labels: Annotated[Labels, typer.Option("--set", help="Who wrote it.")] = Labels.UNSEEN,
    save: Annotated[
        Path | None,
        typer.Option("--train", help="Train the reader anew, into this file; needs torch."),
    ] = None,
    steps: Annotated[int, typer.Option(help="Of the training; 32 messages each.")] = STEPS,
    start: Annotated[
        Path | None,
        typer.Option("--from", help="Weights to go on from.", exists=True, dir_okay=False),
    ] = None,
    by_model: Annotated[
        bool, typer.Option("--model", help="Ask the model of LLM_BASE_URL where the bot is unsure.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Dialogue acts: is a message answered, shortly replied to, or left alone, as labelled?

    Nothing reads new weights until they stand in place of `core/dialogue/trained.npz`.
    """
    if save:
        _train(save, steps, start)
        return
    asked = labelled(labels)
    model = chat_model(settings()) if by_model else None
    found = list(track(decided(asked, model), "messages", total=len(asked)))
    rows = dict(report(found))
    missed = [each for each in found if not each.is_right]
    if as_json:
        show_json({"rows": _plain(rows), "missed": [_miss(each) for each in missed]})
        return
    _show(rows)
    _show_misses(missed)


def labelled(labels: Labels) -> list[LabelledMessage]:
    """All messages of a set, which is a file or a folder of them."""
    folder = FOLDER / labels
    files = sorted(folder.glob("*.yaml")) if folder.is_dir() else [FOLDER / f"{labels}.yaml"]
    return [each for file in files for each in messages(file)]


def _train(save: Path, steps: int, start: Path | None) -> None:
    if find_spec("torch") is None:
        fail("training needs torch: scripts/install tuning")
    learned = [*taught(), *taught_of(labelled(Labels.WRITTEN))]
    import_module("evaluation.dialogue.training").train_meanings(learned, save, steps, start)


def report(found: Sequence[Decided]) -> Iterator[tuple[str, Row]]:
    """All messages, then those of each writer, place and language."""
    yield "all", _row(found)
    for name in sorted({each.labelled.by for each in found}):
        yield name, _row([each for each in found if each.labelled.by == name])
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
