"""Support of a generated answer: names what its pages do not say, or quotes the pages instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.models import Hit, Note
from core.question import Completed
from worker.generation import abstention, pages_given
from worker.generation.generator import GeneratedAnswer, Generator
from worker.generation.second_reader.model_reader import ModelReader
from worker.support.decision import Support
from worker.support.reading.again import ReadAgain


def supported(
    draft: GeneratedAnswer,
    completed: Completed,
    hits: Sequence[Hit],
    *,
    generator: Generator,
    support: Support | None,
    reader: ModelReader | None = None,
) -> GeneratedAnswer:
    """The draft with its unsupported sentences; quoted `hits` where they are too many.

    With a `reader` the model that wrote it reads its claims again. What is quoted, and what answers
    nothing, is left as it is. What cites nothing is not shown: nobody could look it up, and the
    pages themselves answer more (docs/benchmarks.md).
    """
    if not draft.answer.model or Note.NOT_FOUND in draft.answer.notes:
        return draft
    if not draft.answer.sources:
        return _quoted_instead(draft, completed, hits, generator)
    if support is None:
        return draft
    ours = abstention.not_found(completed.language)
    again = _second_reader(draft, completed, generator, reader)
    decided = support.decided(draft.answer, draft.hits, but=ours, again=again)
    usage = draft.usage + decided.usage
    if decided.is_shown:
        is_whole = Note.INCOMPLETE not in draft.answer.notes
        is_verified = decided.is_verified and is_whole
        return replace(draft, answer=decided.answer, usage=usage, is_verified=is_verified)
    quoted = generator.quote(completed, hits, Note.UNSUPPORTED)
    said = quoted.answer.model_copy(update={"unsupported": decided.answer.unsupported})
    return replace(quoted, answer=said, usage=usage)


def _quoted_instead(
    draft: GeneratedAnswer, completed: Completed, hits: Sequence[Hit], generator: Generator
) -> GeneratedAnswer:
    """The pages, and why; only the refusal where nothing can be quoted either."""
    quoted = generator.quote(completed, hits, Note.UNCITED)
    if Note.NOT_FOUND in quoted.answer.notes:
        quoted = generator.refuse(completed, hits)
    return replace(quoted, usage=draft.usage)


def _second_reader(
    draft: GeneratedAnswer,
    completed: Completed,
    generator: Generator,
    reader: ModelReader | None,
) -> ReadAgain | None:
    """The model that has written the draft: it has been shown these pages already."""
    model = generator.model
    if model is None or reader is None:
        return None
    pages = pages_given.given(completed, draft.hits)
    return lambda asked: reader.read(model, completed.text, asked, pages)
