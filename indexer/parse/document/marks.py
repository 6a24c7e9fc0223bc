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
