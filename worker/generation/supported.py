"""Support of a generated answer: names what its pages do not say, or quotes the pages instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.models import Hit, Note
from core.question import Completed
from worker.generation import abstention
from worker.generation.generator import GeneratedAnswer, Generator
from worker.support.decision import Support


def supported(
    draft: GeneratedAnswer,
    completed: Completed,
    hits: Sequence[Hit],
    *,
    generator: Generator,
    support: Support | None,
) -> GeneratedAnswer:
    """The draft with its unsupported sentences; quoted `hits` where they are too many.

    What is quoted, and what answers nothing, is left as it is.
    """
    if support is None or not draft.answer.model or Note.NOT_FOUND in draft.answer.notes:
        return draft
    ours = abstention.not_found(completed.language)
    answer, is_shown = support.decided(draft.answer, draft.hits, but=ours)
    if is_shown:
        return replace(draft, answer=answer)
    quoted = generator.quote(completed, hits, Note.UNSUPPORTED)
    said = quoted.answer.model_copy(update={"unsupported": answer.unsupported})
    return replace(quoted, answer=said, usage=draft.usage)
