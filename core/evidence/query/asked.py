"""A question as it is searched: its words, its conversation, its conditions on pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.evidence.lexical.analyzer import written
from core.manner import Mode
from core.question import Condition, embedded

# Words of a question that are searched by, half of them its first and half its last: what somebody
# pastes stands between. Ten thousand words took 10 s of the processor, 400 take 0.4 s.
MOST_WORDS = 400


@dataclass(frozen=True)
class Query:
    """A question, its conversation (the most important first), and its conditions on pages."""

    question: str
    context: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    mode: Mode = Mode.BOTH

    @property
    def text(self) -> str:
        """As it is embedded."""
        return embedded(self.question, self.context)

    @property
    def bounded(self) -> Query:
        """Without the middle of a question or context that is longer than one can be."""
        return replace(
            self,
            question=bounded(self.question),
            context=tuple(map(bounded, self.context)),
        )


def bounded(text: str) -> str:
    """The text without its middle, if it is longer than a question can be.

    Words are those of the index, so text without blanks is bounded too.
    """
    said = written(text)
    if len(said) <= MOST_WORDS:
        return text
    return " ".join([*said[: MOST_WORDS // 2], *said[-MOST_WORDS // 2 :]])
