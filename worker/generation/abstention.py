"""Abstention: whether a model says that the evidence does not answer.

It is asked for one English sentence whatever the language, since a program looks for it and shows
the one of the catalogue instead. Models decorate it, say it twice, go on after it, or translate it.
Behind an answer with a citation the same sentence speaks of the rest of the question, and the
answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import grammar
from core.models import Hit
from worker.text.citations import cite

NOT_FOUND = "The pages I can read do not answer this."

_DECORATION = re.compile(r"[*_`~>#\"“”„‟«»‹›‘’‚']+")
_SENTENCE = re.compile(
    rf"{grammar.merged().replies.not_answered}(?=\s*(?:[.!;:\n\[(]|$))",
    re.IGNORECASE,
)


def is_unanswered(reply: str, hits: Sequence[Hit]) -> bool:
    """Whether the sentence stands there without an answer before it.

    >>> is_unanswered('**"The pages I can read do not answer this."** Sorry!', [])
    True
    """
    undecorated = _DECORATION.sub("", reply)
    lines = [" ".join(line.split()) for line in undecorated.splitlines()]
    bare = "\n".join(lines)
    found = _SENTENCE.search(bare)
    if found is None:
        return False
    _, sources_before = cite(bare[: found.start()], hits)
    return not sources_before
