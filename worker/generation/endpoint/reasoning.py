"""Takes the reasoning out of a growing reply: what a model thinks is not what it says."""

from __future__ import annotations

import re

_OPENS = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_TAGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_CLOSES = re.compile(r"</(?:think|thinking|thought|reasoning)>\s*", re.IGNORECASE)


class WithoutReasoning:
    """Hands on what stands behind the blocks of reasoning that a reply begins with."""

    def __init__(self) -> None:
        self._held = ""
        self._has_begun = False

    def add(self, piece: str) -> str:
        """The text that can be shown by now; empty while it may still be reasoning.

        >>> reply = WithoutReasoning()
        >>> [reply.add(piece) for piece in ("<th", "ink>a b", " c</think>", "Yes", ".")]
        ['', '', '', 'Yes', '.']
        """
        if self._has_begun:
            return piece
        self._held += piece
        while opened := _OPENS.match(self._held):
            closed = _CLOSES.search(self._held, opened.end())
            if closed is None:
                return ""
            self._held = self._held[closed.end() :]
        if _may_open(self._held):
            return ""
        self._has_begun = True
        return self._held


def spoken(text: str) -> str:
    """A whole reply without reasoning whose beginning was part of the prompt.

    >>> spoken("The page says 5.</think>Five days [1].")
    'Five days [1].'
    """
    return _CLOSES.split(text)[-1]


def _may_open(text: str) -> bool:
    begun = text.strip().lower()
    return any(tag.startswith(begun) for tag in _TAGS)
