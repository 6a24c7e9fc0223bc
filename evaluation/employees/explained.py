"""Questions inside a message, as people write who are new or shy: a greeting, a story, thanks."""

from __future__ import annotations

import re
from enum import StrEnum
from random import Random

from evaluation.employees.questions import Wanted


class Story(StrEnum):
    """What a message tells around its question."""

    LONG = "long"  # thirty words before it, thanks and a reason behind it
    LINES = "lines"  # the same, a sentence a line and without marks
    SHORT = "short"  # one sentence before it


BEFORE = {
    "en": (
        "Hi everybody, I am new here and started on Monday in the Hamburg office, so forgive me if "
        "this was asked before; I have looked around in the wiki for an hour and found nothing "
        "that helps me. ",
        "Quick one for the team before I head into my next meeting, since my manager asked me this "
        "morning and I had no answer for him at all, which was a bit embarrassing to be honest. ",
    ),
    "de": (
        "Hallo zusammen, ich bin neu hier und habe am Montag angefangen, entschuldigt also, wenn "
        "das schon mal gefragt wurde; ich habe eine Stunde im Wiki gesucht und nichts gefunden. ",
        "Kurze Frage an alle, bevor ich in die nächste Besprechung muss, mein Chef hat mich heute "
        "früh danach gefragt und ich wusste keine Antwort, was mir ziemlich peinlich war. ",
    ),
}
AFTER = {
    "en": (
        "",
        " Any help appreciated!",
        " Thanks a lot in advance, any pointer is welcome, it would help me to finish the report "
        "that I have to hand in this afternoon. Best, Tom",
    ),
    "de": (
        "",
        " Danke!",
        " Vielen Dank schon mal, jeder Hinweis hilft, ich muss heute Nachmittag den Bericht "
        "abgeben. Viele Grüße, Tom",
    ),
}

SHORTLY = {
    "en": (
        "Hi all, I am new here and cannot find this. ",
        "Quick one, my manager asked me. ",
        "I started on Monday in Hamburg. ",
    ),
    "de": (
        "Hallo zusammen, ich bin neu hier und finde das nicht. ",
        "Kurze Frage, mein Chef will das wissen. ",
        "Ich habe am Montag angefangen. ",
    ),
}
_END = re.compile(r"(?<=[.!?;])\s+")


def explained(wanted: Wanted, story: Story) -> Wanted:
    """The same, with what is asked first in such a message, always the same one.

    Nobody greets everybody again in a thread. Two thirds of those with a long story, and all with a
    short one, end as a question.
    """
    drawn = Random(wanted.id)
    first, *others = (*wanted.before, wanted.ask)
    *earlier, ask = (_around(first, story, wanted.language, drawn), *others)
    return wanted.model_copy(update={"before": tuple(earlier), "ask": ask})


def _around(question: str, story: Story, language: str, drawn: Random) -> str:
    is_open = question[-1] not in "?.!"
    if story is Story.SHORT:
        asked = f"{question}?" if is_open else question
        return drawn.choice(SHORTLY[language]) + asked
    asked = question + drawn.choice("??.") if is_open else question
    message = drawn.choice(BEFORE[language]) + asked + drawn.choice(AFTER[language])
    if story is Story.LINES:
        return "\n".join(line.rstrip(".!?") for line in _END.split(message))
    return message
