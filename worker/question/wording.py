"""Words a follow-up that rules have completed: what it was completed with, then the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language import spoken
from core.language.sentences import sentences

_ENDS = re.compile(r"[.?!…]\W*$")


def worded(question: str, title: str, earlier: Sequence[str]) -> str:
    """The question as people read it, in its own language.

    `earlier` are the questions it follows, in the order in which they were asked; an empty title
    is left out.

    >>> worded("And in Spain", "Leave", ["How much leave is there?"])
    'About “Leave”, after “How much leave is there?”: And in Spain?'
    >>> worded("Und in Porto?", "", ["Wer leitet die Werft?", "Wie viel Urlaub gibt es dort?"])
    'Nach „Wer leitet die Werft?“ und „Wie viel Urlaub gibt es dort?“: Und in Porto?'
    """
    say = sentences(spoken("", question, *reversed(earlier)))
    quoted = say.listed([say("quote", text=each) for each in earlier])
    asked = question if _ENDS.search(question) else f"{question.rstrip()}?"
    if title:
        return say("completed-about", title=title, earlier=quoted, question=asked)
    return say("completed-after", earlier=quoted, question=asked)
