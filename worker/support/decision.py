"""Decision on an answer, by the support of its claims: shown with a note, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core import metrics
from core.models import Answer, Hit, Note
from core.settings.values import OnUnsupported
from core.usage import Usage
from worker.support.check import SupportCheck, cited
from worker.support.claims import Claim

MOST_UNSUPPORTED = 0.5  # of the sentences; an answer of which more is not said is none


@dataclass(frozen=True)
class SecondReading:
    """Whether the pages say each claim, in their order; None where nobody can be believed."""

    said: tuple[bool, ...] | None = None
    answers: bool = False  # the claims answer all of the question
    usage: Usage = field(default_factory=Usage)


ReadAgain = Callable[[Sequence[Claim], Sequence[Hit]], SecondReading]


@dataclass(frozen=True)
class Decided:
    """An answer with its unsupported sentences, whether it may be shown, and what that cost."""

    answer: Answer
    is_shown: bool
    is_verified: bool = False  # it was read again: every claim is said, and they answer
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

        `but` is a sentence of ours inside it, which claims nothing. `again` reads the claims once
        more, beside the hits that they cite.
        """
        text = answer.text.replace(but, "") if but else answer.text
        checked = self.check.check(text, hits, answer.sources)
        reading = SecondReading()
        if again and checked.claims:
            reading = again(checked.claims, cited(checked.claims, hits, answer.sources))
        if reading.said is not None:
            checked = checked.read_again(reading.said)
        count, found = len(checked.claims), checked.unsupported
        metrics.SENTENCES_CHECKED.labels(outcome="unsupported").inc(len(found))
        metrics.SENTENCES_CHECKED.labels(outcome="supported").inc(count - len(found))
        if not found:
            is_verified = reading.said is not None and reading.answers
            return Decided(answer, is_shown=True, is_verified=is_verified, usage=reading.usage)
        sentences = tuple(each.sentence for each in found)
        notes = (*answer.notes, Note.UNSUPPORTED)
        marked = answer.model_copy(update={"unsupported": sentences, "notes": notes})
        is_shown = not checked.begins_unsupported and len(found) / count <= MOST_UNSUPPORTED
        is_shown = is_shown and self.otherwise is OnUnsupported.MARK
        return Decided(marked, is_shown, usage=reading.usage)
