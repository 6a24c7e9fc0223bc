"""The language of a question: languages are told apart by their stop words.

Left out: what has no file in `languages/`. A text that shows none, such as a French question, has
no language.
"""

from __future__ import annotations

import re

from core import grammar

_WORD = re.compile(r"[^\W\d_]+")
_STOP_WORDS = {
    code: frozenset(each.stop_words.language) for code, each in grammar.languages().items()
}


def language(*texts: str) -> str | None:
    """The language of the first of these texts that shows one, as its ISO 639-1 code.

    >>> language("Porto?", "Wie viele Tage Urlaub gibt es dort?")
    'de'
    >>> language("Combien coûte un hôtel ?") is None
    True
    """
    for text in texts:
        found = _of(text)
        if found:
            return found
    return None


def _of(text: str) -> str | None:
    words = [word.lower() for word in _WORD.findall(text)]
    counts: dict[str, int] = {}
    for code, stop_words in _STOP_WORDS.items():
        counts[code] = sum(word in stop_words for word in words)
    most = max(counts.values())
    best = [code for code, count in counts.items() if count == most]
    return best[0] if most and len(best) == 1 else None
