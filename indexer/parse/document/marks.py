"""Marks: which words on a page are the title of another page, from the parser to its evidence.

Text is cut, joined and put into tables on its way to evidence; what stands inside a word stays with
it. So each word of such a title has a mark after its first character, made of characters that
Unicode keeps for internal use, with the id of the other page. They do not count as words, and end
where evidence is built. An author who writes them withholds that piece, and nothing else.
"""

from __future__ import annotations

import re

_FIRST = 0xFDD0  # of 32 noncharacters: sixteen digits, and the beginning of a mark
_BEGIN = chr(0xFDE0)
_DIGITS = str.maketrans({f"{value:x}": chr(_FIRST + value) for value in range(16)})
_VALUES = str.maketrans({chr(_FIRST + value): f"{value:x}" for value in range(16)})
# Characters of a heading, a label, a title or the name of a column, which stand over many pieces:
# one of a page's whole length would make evidence of hundreds of times the page.
LONGEST = 300
_ANY = re.compile("[\ufdd0-\ufdef]")
_MARK = re.compile("\ufde0((?:[\ufdd0-\ufddf]{2})+)")
_WORD = re.compile(r"\S+")


def marked(text: str, page_id: str) -> str:
    """The text, of which each word says that it gives this page away.

    >>> without(marked("Salary bands", "17")), named(marked("Salary bands", "17").split()[1])
    ('Salary bands', ('17',))
    """
    if not page_id:
        return text
    mark = _BEGIN + page_id.encode().hex().translate(_DIGITS)
    return _WORD.sub(lambda word: f"{word[0][0]}{mark}{word[0][1:]}", without(text))


def is_long(text: str) -> bool:
    """Whether it is too long to stand over every piece below it."""
    return len(text) > LONGEST and len(without(text)) > LONGEST


def briefly(text: str) -> str:
    """The beginning of a text that is repeated over many pieces; words keep their marks.

    >>> briefly("Travel policy"), len(briefly("Travel " * 1_000)), len(briefly("x" * 10_000))
    ('Travel policy', 295, 302)
    """
    if not is_long(text):
        return text
    kept: list[str] = []
    room = LONGEST
    for word in text.split():
        room -= len(without(word)) + 1
        if room < 0:
            break
        kept.append(word)
    return " ".join([*kept, "…"] if kept else [_beginning(text.split()[0]), "…"])


def _beginning(word: str) -> str:
    mark = _MARK.match(word, 1)
    return word[: LONGEST + (mark.end() if mark else 0)]


def named(text: str) -> tuple[str, ...]:
    """The ids of the pages that a text gives away, in its order."""
    found: dict[str, None] = {}
    for digits in _MARK.findall(text):
        written = bytes.fromhex(digits.translate(_VALUES))
        found[written.decode(errors="replace")] = None
    return tuple(found)


def without(text: str) -> str:
    """The text as it is read."""
    return _ANY.sub("", text)
