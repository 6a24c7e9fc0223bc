"""Patterns of question classification: which kinds are tried in which order, and where they begin.

How questions of each kind are put in a language stands in its file, `languages/*.toml`.
"""

from __future__ import annotations

import re

from core import grammar
from core.question import QuestionKind

_ASKING = grammar.merged().question
_KINDS = _ASKING.kinds
_FLAGS = re.IGNORECASE | re.MULTILINE

# The first match decides: "why is it true that …" is a confirmation, "how many" no procedure.
RULES: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(str(patterns), _FLAGS))
    for kind, patterns in (
        (QuestionKind.CONFIRMATION, _KINDS.certainly_confirmation),
        (QuestionKind.HYPOTHETICAL, _KINDS.hypothetical),
        (QuestionKind.CAUSE, _KINDS.cause),
        (QuestionKind.COMPARISON, _KINDS.comparison),
        (QuestionKind.PROCEDURE, _KINDS.procedure),
        (QuestionKind.LIST, _KINDS.list),
        (QuestionKind.FACTOID, _KINDS.factoid),
        (QuestionKind.CONFIRMATION, _KINDS.confirmation),
    )
)
# Also behind a comma, where the question itself begins: `For the new office, who has the key?`
BEGINNING = re.compile(
    rf"(?<=[.!?:])\s+|(?<=,)\s+(?=(?:{_ASKING.verbs}|{_ASKING.words}) )",
    re.IGNORECASE,
)
# What stands before the question itself.
OPENING = re.compile(rf"^{_ASKING.openings}+", _FLAGS)
