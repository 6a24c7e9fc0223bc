"""Decisions on a message that is not searched, and where its words alone say so."""

from __future__ import annotations

from core.dialogue.decision import HEART, Decision, DialogueAct, Outcome
from core.dialogue.likely import Meaning
from core.dialogue.reading import Courtesy, Reading
from core.dialogue.signs import ABOUT_BOT, MEANT, is_short_and_goes_on

SILENT = Decision(Outcome.SILENT, DialogueAct.TALK)
IN_DOUBT = Decision(Outcome.SILENT, DialogueAct.TALK, sure=False)
CLARIFY = Decision(Outcome.CLARIFY, DialogueAct.EMPTY, sentence="ask-me")
ABOUT = Decision(Outcome.BRIEF, DialogueAct.ABOUT_BOT, sentence="about-me")
COMPLAINT = Decision(Outcome.BRIEF, DialogueAct.COMPLAINT, sentence="was-wrong")
THANKS = Decision(Outcome.BRIEF, DialogueAct.THANKS, "", HEART, "you-are-welcome")
BY_COURTESY = {
    Courtesy.COMPLAINT: COMPLAINT,
    Courtesy.THANKS: THANKS,
    Courtesy.PRAISE: THANKS,
    Courtesy.GREETING: Decision(Outcome.BRIEF, DialogueAct.GREETING, sentence="hello"),
    Courtesy.ASSENT: SILENT,
}
BY_MEANING = {
    Meaning.THANKS: THANKS,
    Meaning.COMPLAINT: COMPLAINT,
    Meaning.GREETING: BY_COURTESY[Courtesy.GREETING],
    Meaning.ABOUT: ABOUT,
}

TELLING = 2  # words that say something: a question of so many stands without what was said before


def by_words(said: Reading, plain: str) -> Decision | None:
    if not said.rest:
        is_to_bot = said.courtesy not in (None, Courtesy.GREETING)
        return BY_COURTESY[said.courtesy] if said.courtesy and is_to_bot else None
    if ABOUT_BOT.fullmatch(plain):
        return ABOUT
    if only_corrects(said, plain):
        return COMPLAINT
    return THANKS if _only_thanks(said, plain) else None


def only_corrects(said: Reading, plain: str) -> bool:
    """Says that it was wrong, and not what was meant."""
    complains = Courtesy.COMPLAINT in said.courtesies and len(said.content) <= TELLING
    return complains and not said.asks and not MEANT.search(plain)


def _only_thanks(said: Reading, plain: str) -> bool:
    """Thanks, and says what somebody does now: "Thanks, I'll book it"."""
    if Courtesy.THANKS not in said.courtesies or said.asks:
        return False
    return not (MEANT.search(plain) or is_short_and_goes_on(plain))
