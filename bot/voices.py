"""In which language a turn is spoken of, and a person spoken to.

An answer and what belongs to it are in the language of the question; what one person sees, such as
a modal, Home or an ephemeral message, is in the locale of that person in Slack.
"""

from __future__ import annotations

from core.language import language, spoken
from core.language.sentences import Sentences, sentences
from core.policy import people
from core.storage.database import Database
from core.turns import turn_store
from core.turns.turn import Turn


def about(database: Database, turn: Turn) -> Sentences:
    """As it was answered; before that, as its question or its conversation is worded."""
    if turn.record:
        return sentences(turn.record.completed.language)
    locale = people.locale(database, turn.address.team, turn.user)
    questions = [turn.question]
    if language(turn.question) is None:
        earlier = turn_store.earlier(database, turn)
        questions += [each.question for each in reversed(earlier)]
    return sentences(spoken(locale, *questions))


def to(database: Database, team: str, user: str) -> Sentences:
    """In the locale that Slack last told us of this person."""
    return sentences(people.locale(database, team, user))
