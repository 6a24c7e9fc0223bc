"""Decision on an answer, by the support of its claims: shown with a note, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core import metrics
from core.models import Answer, Hit, Note
from core.settings.values import OnUnsupported
from worker.support.check import SupportCheck

MOST_UNSUPPORTED = 0.5  # of the sentences; an answer of which more is not said is none


@dataclass(frozen=True)
class Support:
    """The check, and what becomes of an answer that the pages do not say."""

    check: SupportCheck
    otherwise: OnUnsupported = OnUnsupported.MARK

    def decided(self, answer: Answer, hits: Sequence[Hit], but: str = "") -> tuple[Answer, bool]:
        """The answer with its unsupported sentences, and whether it may be shown.

        The text stays as the model wrote it, since an explanation compares it with others. `but`
        is a sentence of ours inside it, which claims nothing.
        """
        text = answer.text.replace(but, "") if but else answer.text
        checked = self.check.check(text, hits, answer.sources)
        metrics.SENTENCES_CHECKED.labels(outcome="unsupported").inc(len(checked.unsupported))
        supported = checked.of - len(checked.unsupported)
        metrics.SENTENCES_CHECKED.labels(outcome="supported").inc(supported)
        if not checked.unsupported:
            return answer, True
        found = {"unsupported": tuple(each.sentence for each in checked.unsupported)}
        notes = (*answer.notes, Note.UNSUPPORTED)
        marked = answer.model_copy(update={**found, "notes": notes})
        share = len(checked.unsupported) / checked.of
        is_shown = not checked.begins_unsupported and share <= MOST_UNSUPPORTED
        return marked, is_shown and self.otherwise is OnUnsupported.MARK
