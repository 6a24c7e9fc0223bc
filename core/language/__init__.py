"""The language of a question: languages are told apart by their stop words.

Left out: what has no file in `languages/`. A text that shows none, such as a French question, has
no language. Of the files only the stop words are read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "languages"
_WORD = re.compile(r"[^\W\d_]+")


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


def spoken(locale: str, *texts: str) -> str:
    """The locale to speak in about these texts, the first of which counts most.

    Their own language, or `locale`, which is that of whoever asks, where they show none.

    >>> spoken("de-AT", "Porto?"), spoken("de-AT", "Wer leitet das?"), spoken("de-AT", "Who leads?")
    ('de-AT', 'de-AT', 'en')
    """
    found = language(*texts)
    is_theirs = found is None or locale.partition("-")[0] == found
    return locale if is_theirs else str(found)


def _of(text: str) -> str | None:
    words = _words(text)
    counts: dict[str, int] = {}
    for code, stop_words in _stop_words().items():
        counts[code] = sum(word in stop_words for word in words)
    most = max(counts.values())
    best = [code for code, count in counts.items() if count == most]
    return best[0] if most and len(best) == 1 else None


def _words(text: str) -> list[str]:
    """In small letters, without abbreviations: `IT` is a department, not a pronoun."""
    found = _WORD.findall(text)
    if not text.isupper():
        found = [word for word in found if len(word) == 1 or not word.isupper()]
    return [word.lower() for word in found]


@cache
def _stop_words() -> Mapping[str, frozenset[str]]:
    """By language; core.grammar has checked the files."""
    found = {}
    for file in FOLDER.glob("*.toml"):
        tables = tomllib.loads(file.read_text("utf-8"))
        text = tables.get("stop_words", {}).get("language", "")
        found[file.stem] = frozenset(text.split())
    return found
