"""The language of a question: English and German are told apart by their stop words.

Left out: every other language. A text that shows neither, such as a French question, has none.
"""

from __future__ import annotations

import re
from enum import StrEnum

# SIM905: a list of a hundred quoted words is no easier to read.
_ENGLISH = frozenset(
    """the is are was were what which who whose why how when where does did do can could should
        would may must i my we our you your of and to for with from it its there be been has have
        this that not a an in on at by if""".split()  # noqa: SIM905
)
_GERMAN = frozenset(
    """der die das den dem des ein eine einen einem einer ist sind war waren wird werden was welche
        welcher welches wer wen wem wie warum wann wo kann darf muss soll ich mein wir unser und zu
        zum zur für mit von vom aus auf bei im am nicht es gibt hat haben sich nach in an bis ab
        oder auch nur""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W\d_]+")


class Language(StrEnum):
    """A language that a question can be worded in."""

    ENGLISH = "en"
    GERMAN = "de"


def language(*texts: str) -> Language | None:
    """The language of the first of these texts that shows one.

    >>> language("Porto?", "Wie viele Tage Urlaub gibt es dort?")
    <Language.GERMAN: 'de'>
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


def _of(text: str) -> Language | None:
    words = [word.lower() for word in _WORD.findall(text)]
    english = german = 0
    for word in words:
        english += word in _ENGLISH
        german += word in _GERMAN
    if english == german:
        return None
    return Language.ENGLISH if english > german else Language.GERMAN
