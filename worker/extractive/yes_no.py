"""Yes or no to a question that asks for it, but only where the quoted evidence says so plainly; else the quote stands alone."""

from __future__ import annotations

import re

from core.evidence.lexical.analyzer import content_words
from core.question import Completed, QuestionKind
from worker.extractive.spans import Span
from worker.extractive.table_rows import asked_columns, named_columns

PLAIN = 0.75  # of the question's words must stand in a sentence, or in its heading, for its negation to be about them

_YES = {"yes", "y", "true", "ok", "ja", "✓", "✔", "✅"}
_NO = {"no", "n", "false", "nein", "✗", "✘", "❌"}
_WORD = re.compile(r"[✓✔✅✗✘❌]|\w+")
# A negation of the verb: "visitors wear a badge, not a sticker" negates something else.
_NEGATED = re.compile(
    r"\b(is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had)( \w+)? (not|never|no longer)\b(?! only)"
    r"|\b\w+n['’]t\b|\bcannot\b|^(no|nobody|nothing|kein\w*|niemand|nichts)\b"
    r"|\b(ist|sind|war|waren|darf|dürfen|kann|können|wird|werden|wurden?|muss|müssen|soll|hat|haben)\b[^,;:]{0,60}"
    r"\b(nicht(?! nur)|nie|keine?[nmrs]?)\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"[äöüß]|\b(ist|sind|war|hat|haben|wird|darf|kann|muss|gibt|gilt|stimmt|der|das|dem|den|und|im|zu|ich|wir|man|nicht|eine?[nmrs]?)\b",
    re.IGNORECASE,
)


def verdict(unit: Span, completed: Completed) -> str:
    """`Yes.`, `No.`, `Ja.`, `Nein.`, or nothing."""
    if completed.kind is not QuestionKind.CONFIRMATION:
        return ""
    said = _of_row(unit, completed) if unit.is_row else _of_sentence(unit, completed)
    if said is None:
        return ""
    return {
        (True, False): "Yes.",
        (False, False): "No.",
        (True, True): "Ja.",
        (False, True): "Nein.",
    }[said, bool(_GERMAN.search(completed.question))]


def _of_row(unit: Span, completed: Completed) -> bool | None:
    """What the one cell that was asked for begins with."""
    columns = asked_columns(unit, content_words(completed.question), named_columns(unit, completed))
    values = [value for name, value in unit.cells if name in columns]
    first = _WORD.search(values[0].casefold()) if len(values) == 1 else None
    if _NEGATED.search(completed.question) or first is None or first.group() not in _YES | _NO:
        return None
    return first.group() in _YES


def _of_sentence(unit: Span, completed: Completed) -> bool | None:
    """No where the verb is negated. That it is not negated is no yes: it may be so only sometimes."""
    asked = set(content_words(completed.question))
    covered = asked & (unit.own_terms | unit.context_terms)
    if not asked or len(covered) < PLAIN * len(asked) or _NEGATED.search(completed.question):
        return None
    return False if _NEGATED.search(unit.text) else None
