"""The checks of an answer in its trace: whether evidence answers, and pages say the answer."""

from __future__ import annotations

from collections.abc import Iterator

from core.models import Note, Record
from core.turns.trace.step import TraceStep


def judge_step(record: Record) -> Iterator[TraceStep]:
    """What the gate thought of the evidence, where it was asked."""
    if "judge" not in record.seconds:
        return
    inputs = {"setting": record.settings.get("answerability", "")}
    outputs = {"refused": Note.NOT_FOUND in record.answer.notes}
    module = "worker/answerability/gate.py"
    yield TraceStep("judge", module, inputs, outputs, record.seconds["judge"])


def search_again_step(record: Record) -> Iterator[TraceStep]:
    """The searches of a model that had found no answer; none where they brought none."""
    if "search_again" not in record.seconds:
        return
    inputs = {"found": "no answer"}
    outputs = {"searches": list(record.completed.searches)}
    module = "worker/pipeline/second_search.py"
    yield TraceStep("search again", module, inputs, outputs, record.seconds["search_again"])


def support_step(record: Record) -> Iterator[TraceStep]:
    """The sentences of a model that its pages do not say."""
    if "support" not in record.seconds:
        return
    inputs = {
        "setting": record.settings.get("unsupported", ""),
        "by": record.settings.get("support_by", ""),
    }
    outputs = {"unsupported": list(record.answer.unsupported)}
    module = "worker/support/check.py"
    yield TraceStep("support", module, inputs, outputs, record.seconds["support"])
