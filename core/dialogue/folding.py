"""One writing for all that people write in Slack, so that words of a grammar are found in it."""

from __future__ import annotations

import re
import unicodedata

from core.grammar import Words

# Slack's own writing of people, channels and links, and how people write them.
PEOPLE = re.compile(r"<[@!][^>]*>|(?<![\w.])@\w[\w.-]*")
_LINK = re.compile(r"<?https?://[^\s>]+>?|<#[^>]*>")
_EMOJI = re.compile(r":[a-z0-9_+'-]+:(?::skin-tone-\d:)?")
_SYMBOLS = ("So", "Sk", "Cf")  # emoji, the colour of their skin, what joins them
_AS_PICTURE = "\ufe0f"  # says of the sign before that it is an emoji
_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "’": "'"})
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")


def in_lines(text: str) -> str:
    """Its lines without needless blanks, none of them empty: where one ends, a sentence may end.

    >>> in_lines(" Hi  all, \\n  \\n who is on call? ").splitlines()
    ['Hi all,', 'who is on call?']
    """
    bare = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(filter(None, bare))


def folded(text: str) -> str:
    """Without people, links and emoji, capitals and umlauts, and no letter three times.

    >>> folded("Daaanke <@U0BEN>, das hilft für später :wave:")
    'danke , das hilft fuer spaeter'
    """
    plain = " ".join(without_marks(text).lower().split())
    return _DRAWN_OUT.sub(r"\1", plain.translate(_LETTERS))


def pattern(words: Words) -> str:
    """The alternatives of a grammar's list, for folded text."""
    return str(words).translate(_LETTERS)


def without_marks(text: str) -> str:
    """With spaces in place of people, links and emoji, so that every word stays in its place."""
    for marks in (PEOPLE, _LINK, _EMOJI):
        text = marks.sub(lambda mark: " " * len(mark[0]), text)
    return "".join(" " if _is_picture(each) else each for each in text)


def is_picture(text: str) -> bool:
    """Whether emoji stand in it and nothing else."""
    plain = _EMOJI.sub("", text)
    rest = "".join(each for each in plain if not _is_picture(each))
    return bool(text.strip()) and not rest.strip()


def _is_picture(letter: str) -> bool:
    if letter.isascii():
        return False
    return letter == _AS_PICTURE or unicodedata.category(letter) in _SYMBOLS
