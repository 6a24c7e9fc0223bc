"""Decision on an answer, by the support of its claims: shown with a note, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core import metrics
from core.models import Answer, Hit, Note
from core.settings.values import OnUnsupported
from core.usage import Usage
from worker.support.check import SupportCheck, cited_pieces
from worker.support.reading.again import ReadAgain, SecondReading, to_read

MOST_UNSUPPORTED = 0.5  # of the sentences; an answer of which more is not said is none


@dataclass(frozen=True)
class Decided:
    """An answer with its unsupported sentences, whether it may be shown, and what that cost."""

    answer: Answer
    is_shown: bool
    is_verified: bool = False  # read again: every claim cites what says it, and they answer
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class Support:
    """The check, and what becomes of an answer that the pages do not say."""

    check: SupportCheck
    otherwise: OnUnsupported = OnUnsupported.MARK

    def decided(
        self,
        answer: Answer,
        hits: Sequence[Hit],
        but: str = "",
        again: ReadAgain | None = None,
    ) -> Decided:
        """The text stays as the model wrote it, since an explanation compares it with others.

        `but` is a sentence of ours inside it, that something is not known, which claims nothing.
        `again` reads the claims once more, beside the hits that they cite.
        """
        text = answer.text.replace(but, "") if but else answer.text
        checked = self.check.check(text, hits, answer.sources)
        reading = SecondReading()
        if again and checked.claims:
            pieces = cited_pieces(hits, answer.sources)
            reading = again(to_read(answer.text, checked.claims, hits, pieces))
        if reading.said is not None:
            checked = checked.read_again(reading.said)
        count, found = len(checked.claims), checked.unsupported
        metrics.SENTENCES_CHECKED.labels(outcome="unsupported").inc(len(found))
        metrics.SENTENCES_CHECKED.labels(outcome="supported").inc(count - len(found))
        if not found:
            is_whole = text == answer.text and all(claim.cited for claim in checked.claims)
            is_verified = reading.said is not None and reading.answers and is_whole
            return Decided(answer, is_shown=True, is_verified=is_verified, usage=reading.usage)
        sentences = tuple(each.sentence for each in found)
        notes = (*answer.notes, Note.UNSUPPORTED)
        marked = answer.model_copy(update={"unsupported": sentences, "notes": notes})
        is_shown = not checked.begins_unsupported and len(found) / count <= MOST_UNSUPPORTED
        is_shown = is_shown and self.otherwise is OnUnsupported.MARK
        return Decided(marked, is_shown, usage=reading.usage)
