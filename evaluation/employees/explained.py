"""Questions inside a message, as people write who are new or shy: a greeting, a story, thanks."""

from __future__ import annotations

from random import Random

from evaluation.employees.questions import Wanted

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


def explained(wanted: Wanted) -> Wanted:
    """The same, with what is asked first in such a message, always the same one.

    Nobody greets everybody again in a thread. Two thirds of them end as a question.
    """
    drawn = Random(wanted.id)
    first, *others = (*wanted.before, wanted.ask)
    if first[-1] not in "?.!":
        first += drawn.choice("??.")
    before, after = drawn.choice(BEFORE[wanted.language]), drawn.choice(AFTER[wanted.language])
    *earlier, ask = (before + first + after, *others)
    return wanted.model_copy(update={"before": tuple(earlier), "ask": ask})
