"""Writing of an answer: generated, checked, and refused where nothing is to be believed of it.

The gate refuses what the evidence hardly answers, since a model that is asked may make something
up. It refuses what pages do answer, too. So a model that has passed the exam is asked all the same,
unseen: what it writes is shown where it was read again and the pages say every claim, else the
question is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.metrics import Timings
from core.models import Hit, Source
from core.question import Completed
from worker.generation.chat_model import ignore_text
from worker.generation.generator import GeneratedAnswer, Generator
from worker.generation.second_reader.model_reader import ModelReader
from worker.generation.supported import supported
from worker.support.decision import Support
from worker.text.growing_citations import ignore_source


@dataclass(frozen=True)
class Writing:
    """What writes answers and checks them."""

    generator: Generator
    support: Support | None = None
    reader: ModelReader | None = None

    def answer(
        self,
        completed: Completed,
        hits: Sequence[Hit],
        *,
        is_answerable: bool,
        deadline: float,
        timings: Timings,
        on_text: Callable[[str], None] = ignore_text,
        on_source: Callable[[Source], None] = ignore_source,
    ) -> GeneratedAnswer:
        """An answer that may be shown; `is_answerable` is what the gate thinks.

        `on_text` and `on_source` get what may be shown while it is written.
        """
        with timings.step("generate"):
            if not is_answerable and not (hits and self._is_trusted):
                return self.generator.refuse(completed, hits)
            draft = self.generator.generate(
                completed,
                hits,
                deadline=deadline,
                on_text=on_text if is_answerable else lambda _piece: on_text(""),
                on_source=on_source if is_answerable else ignore_source,
            )
        if draft.answer.model:
            with timings.step("support"):
                draft = supported(
                    draft,
                    completed,
                    hits,
                    generator=self.generator,
                    support=self.support,
                    reader=self.reader,
                )
        if is_answerable or draft.is_verified:
            return draft
        refused = self.generator.refuse(completed, hits)
        return replace(refused, usage=draft.usage, lacked_a_model=draft.lacked_a_model)

    @property
    def _is_trusted(self) -> bool:
        """Whether the model that would write would be believed."""
        model = self.generator.model
        return model is not None and self.reader is not None and self.reader.trusts(model)
