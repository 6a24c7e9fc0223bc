"""A question as it is searched: its words, its conversation, its conditions on pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
            question=_without_middle(self.question),
            context=tuple(map(_without_middle, self.context)),
        )


def _without_middle(text: str) -> str:
    words = text.split()
    if len(words) <= MOST_WORDS:
        return text
    return " ".join([*words[: MOST_WORDS // 2], *words[-MOST_WORDS // 2 :]])
