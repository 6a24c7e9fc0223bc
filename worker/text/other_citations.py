"""Citations in a form that a model was not asked for: put into brackets, as others are.

Read only where nothing is cited as asked, and only in forms that hardly mean anything else: a bare
`(1)` may be a step or a footnote of a page, so it is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.markdown.reading import outside
from core.models import Hit
from worker.text.citations import NUMBER, cite, numbers_in
from worker.text.source_list import places_by_title, titled, without_list

_SAID = grammar.merged().replies
_AND = rf"(?:\s*[,;&]\s*|\s+{_SAID.and_citation}\s+)"
_PIECE = rf"(?:{_SAID.evidence})[.:]?\s+#?{NUMBER}"
# (Evidence 2), (see Evidence 1, 3), (Quelle 1 und Quelle 3)
_IN_ROUND = re.compile(
    rf"\(\s*(?:{_SAID.see}\s+)?({_PIECE}(?:{_AND}(?:{_PIECE}|#?{NUMBER}))*)\s*\)", re.IGNORECASE
)
# Evidence 2 says; with a capital, as the prompt has it: "hand in the evidence 3 days before".
_IN_A_SENTENCE = re.compile(
    rf"\bEviden(?:ce|z)\s+#?({NUMBER})"
    rf"(?![.,:]\d|\s*[–—-]\s*\d|(?:\s*,\s*\d+)*\s+{_SAID.and_citation}\s+\d)"
)
_RAISED = re.compile(
    rf"(?:(?<=[^\W\d_]{{3}})|(?<=[.!?%)\]>]))<(sup|cite)>\s*\[?({NUMBER})\]?\s*</\1>"
)
_WITH_TITLE = re.compile(rf"\[({NUMBER})(?:\s*:\s*|\s+[–—-]\s+)([^\[\]\n]{{3,120}})\](?!\()")
_TITLE = re.compile(r"\[([^\[\]\n]{3,120})\](?!\()(?=\s*(?:[.,;:!?)\n]|\Z))")


def in_brackets(reply: str, hits: Sequence[Hit]) -> str:
    """The reply with its citations as they were asked for, `hits` by their place in the prompt.

    >>> in_brackets("Five days.\\n\\nSources: 2, 3", [])
    'Five days. [2][3]'
    """
    body, listed = without_list(reply, hits)
    if not cite(body, hits)[1]:
        body = "".join(part if is_code else _read(part, hits) for part, is_code in outside(body))
        listed = [] if cite(body, hits)[1] else listed
    if not listed:
        return body
    gap = "\n\n" if body.rstrip().endswith(("|", "`")) else " "
    return f"{body}{gap}{''.join(f'[{place}]' for place in listed)}"


def _read(text: str, hits: Sequence[Hit]) -> str:
    titles = places_by_title(hits)

    def marks(said: str, otherwise: str) -> str:
        numbers = numbers_in(said, len(hits))
        return "".join(f"[{number}]" for number in numbers) or otherwise

    def named(match: re.Match[str], title: str) -> str:
        return "".join(f"[{place}]" for place in titled(title, titles)) or match[0]

    text = _IN_ROUND.sub(lambda match: marks(match[1], match[0]), text)
    text = _IN_A_SENTENCE.sub(lambda match: marks(match[1], match[0]), text)
    text = _RAISED.sub(lambda match: f" {marks(match[2], match[0])}".rstrip(), text)
    text = _WITH_TITLE.sub(lambda match: named(match, match[2]), text)
    return _TITLE.sub(lambda match: named(match, match[1]), text)
