"""Whether a model says that the evidence does not answer.

It is asked for one English sentence whatever the language, since this is looked for by a program and shown by it in its place. Models
decorate it, say it twice, go on after it, or translate it. Behind an answer with a citation the same sentence speaks of the rest of the
question, and the answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models import Hit
from worker.text.citations import cite

NOT_FOUND = "The pages I can read do not answer this."

_DECORATION = re.compile(r"[*_`~>#\"“”„‟«»‹›‘’‚']+")
_SENTENCE = re.compile(
    r"(?:the pages (?:that )?i can read (?:do not|dont|cannot|can not) answer (?:this|that|the|your)(?: question)?"
    r"|die seiten,? die ich lesen kann,? beantworten (?:das|dies|es|diese frage|die frage)(?: leider)? nicht)(?=\s*(?:[.!;:\n\[(]|$))",
    re.IGNORECASE,
)


def is_unanswered(reply: str, hits: Sequence[Hit]) -> bool:
    """Whether the sentence stands there without an answer before it.

    >>> is_unanswered('**"The pages I can read do not answer this."** Sorry!', [])
    True
    """
    bare = "\n".join(" ".join(line.split()) for line in _DECORATION.sub("", reply).splitlines())
    found = _SENTENCE.search(bare)
    return found is not None and not cite(bare[: found.start()], hits)[1]
