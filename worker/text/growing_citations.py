"""Citations in a text that grows: passed on as they will be read, and which page each one names.

What could still change when more comes is held back: a citation that is not closed, one that may be
repeated, the space before one that may be dropped, and code that is not closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.markdown.reading import code_ranges
from core.models import Hit, Source
from worker.text.citations import cite

_UNSETTLED = re.compile(r"(?:\s|\\|\\?\[[^\]\n]{0,80}\\?\]?\]?|【[^】\n]{0,80}】?)+\Z")
_OPEN_CODE = re.compile(r"`(?:(?!\n[ \t]*\n).)*\Z", re.DOTALL)  # of the last paragraph


def ignore_source(_source: Source) -> None:
    """For whoever shows no sources while the text grows."""


class CitedStream:
    """Takes the pieces that a model writes, and passes on the same text with its citations."""

    def __init__(
        self,
        hits: Sequence[Hit],
        on_text: Callable[[str], None],
        on_source: Callable[[Source], None],
    ) -> None:
        self._hits = hits
        self._on_text = on_text
        self._on_source = on_source
        self._written = ""
        self._sent = ""
        self._told = 0  # sources

    def __call__(self, piece: str) -> None:
        self._written += piece
        cited, sources = cite(settled(self._written), self._hits)
        if len(cited) <= len(self._sent) or not cited.startswith(self._sent):
            return
        for source in sources[self._told :]:
            self._on_source(source)
        self._told = len(sources)
        self._on_text(cited[len(self._sent) :])
        self._sent = cited


def settled(text: str) -> str:
    """The beginning of a growing text whose citations more text does not change.

    >>> settled("Ben is on call [2]"), settled("Ben [2] is `a[1")
    ('Ben is on call', 'Ben [2] is')
    """
    without_code = text
    for first, last in code_ranges(text):
        if last == len(text) and text.endswith("`"):
            break  # one backtick more, and this is no code
        hidden = "x" * (last - first)
        without_code = without_code[:first] + hidden + without_code[last:]
    if code := _OPEN_CODE.search(without_code):
        text, without_code = text[: code.start()], without_code[: code.start()]
    if open_ := _UNSETTLED.search(without_code):
        text = text[: open_.start()]
    return text
