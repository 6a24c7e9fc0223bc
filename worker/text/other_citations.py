"""Citations in a form that a model was not asked for: put into brackets, as others are.

What might be something else, such as `(1)` or "Evidence 2" in a sentence, is taken for a citation
only where nothing else is cited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from core import grammar
from core.markdown.reading import outside
from core.models import Hit
from worker.text.citations import CITED_AS, NUMBERS, cite, numbers_in
from worker.text.source_list import places_by_title, titled, without_list

_SAID = grammar.merged().replies
_FLAGS = re.IGNORECASE | re.MULTILINE
Replacement = str | Callable[[re.Match[str]], str]
Rule = tuple[re.Pattern[str], Replacement]

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_RAISED, "0123456789")
_END = r"(?=\s*(?:[.,;:!?)\n]|\Z))"  # of what is cited for; `(1) Log in` begins a step


def _lowered(match: re.Match[str]) -> str:
    return f" [{match[0].translate(_DIGITS)}]"


# <sup>2</sup>, [2: Travel], and what Command R writes around the words that a piece supports.
_SURE: Sequence[Rule] = (
    (re.compile(rf"<(sup|cite)>\s*\[?({NUMBERS})\]?\s*</\1>", _FLAGS), r" [\2]"),
    (re.compile(rf"［\s*({NUMBERS})\s*］", _FLAGS), r"[\1]"),
    (re.compile(rf"\[({NUMBERS})\s*[:–—-]\s*[^\W\d][^\]\n]{{2,80}}\]", _FLAGS), r"[\1]"),
    (re.compile(rf"</co:\s*({NUMBERS})>", _FLAGS), r" [\1]"),
    (re.compile(r"<co:\s*[\d,\s]+>\s*", _FLAGS), ""),
)
_LIKELY: Sequence[Rule] = (
    (re.compile(rf"\(\s*{CITED_AS}\s*({NUMBERS})\s*\)", _FLAGS), r"[\1]"),
    (re.compile(rf"(?<=[\w.!?%)*])\s*[({{]({NUMBERS})[)}}]{_END}", _FLAGS), r" [\1]"),
    (re.compile(rf"\b{_SAID.evidence}\s+#?({NUMBERS})", _FLAGS), r"[\1]"),
    (re.compile(rf"\b({_SAID.according_to} {CITED_AS})\s+#?({NUMBERS})", _FLAGS), r"\1 [\2]"),
    # Behind a word of three letters or more, or the end of a sentence: not in m² or 10².
    (re.compile(rf"(?:(?<=[^\W\d_]{{3}})|(?<=[.!?%)]))[{_RAISED}]{{1,2}}{_END}"), _lowered),
)
_TITLED = re.compile(r"\[(?P<title>[^\[\]\n]{3,120})\](?!\()")
_QUOTED = re.compile(r"(?P<mark>[\"“„*_])(?P<title>[^\"“”„*_\n]{3,120})[\"”“*_]")


def in_brackets(reply: str, hits: Sequence[Hit]) -> str:
    """The reply with its citations as they were asked for, `hits` by their place in the prompt.

    >>> in_brackets("Five days.\\n\\nSources: 2, 3", [])
    'Five days. [2][3]'
    """
    body, listed = without_list(_replaced(reply, _SURE, hits), hits)
    if not _cites(body, hits):
        body = _by_title(_replaced(body, _LIKELY, hits), hits)
    if not _cites(body, hits) and listed:
        body = f"{body} {listed}"
    return body


def _cites(text: str, hits: Sequence[Hit]) -> bool:
    return bool(cite(text, hits)[1])


def _replaced(text: str, rules: Sequence[Rule], hits: Sequence[Hit]) -> str:
    """Outside code; a number that is none of a hit's, such as a year, is no citation."""

    def given(match: re.Match[str], by: Replacement) -> str:
        new = match.expand(by) if isinstance(by, str) else by(match)
        return new if all(number <= len(hits) for number in numbers_in(new)) else match[0]

    parts = []
    for part, is_code in outside(text):
        changed = part
        for pattern, by in () if is_code else rules:
            changed = pattern.sub(partial(given, by=by), changed)
        parts.append(changed)
    return "".join(parts)


def _by_title(text: str, hits: Sequence[Hit]) -> str:
    """`[Leave policy]` cites what was given of this page, so does its title in quotes."""
    places = places_by_title(hits)

    def marks(match: re.Match[str]) -> str:
        return "".join(f"[{place}]" for place in titled(match["title"], places))

    return _replaced(
        text,
        [
            (_TITLED, lambda match: marks(match) or match[0]),
            (_QUOTED, lambda match: " ".join(filter(None, (match[0], marks(match))))),
        ],
        hits,
    )
