"""States of turns and explanations, and the reasons why one ended without its result.

In SQL they are strings. A newer program may have written a reason that this one does not know;
`saved` reads it as the one that says the least.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class _Reason(StrEnum):
    """A reason that is saved; one that nobody knows any more is that somebody gave up."""

    @classmethod
    def saved(cls, reason: str) -> Self | None:
        """The reason that SQL holds; None where there is none.

        >>> NoAnswer.saved("late"), NoAnswer.saved("of a newer program"), NoAnswer.saved("")
        (<NoAnswer.LATE: 'late'>, <NoAnswer.GAVE_UP: 'gave_up'>, None)
        """
        if not reason:
            return None
        return cls(reason if reason in list(cls) else "gave_up")


class NoAnswer(_Reason):
    """Why a question gets no answer; each has its sentence in languages/*.po."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    LATE = "late"
    GAVE_UP = "gave_up"
    STOPPED = "stopped"
    JOINED = "joined"  # it was the first part of a question
    GUEST = "guest"
    EXTERNAL = "external"
    STRANGER = "stranger"
    LIMIT_PERSON = "limit_person"
    LIMIT_CHANNEL = "limit_channel"
    LIMIT_DAY = "limit_day"
    ONLY_MEMBERS = "only_members"
    ONLY_ADMINS = "only_admins"
    ONLY_LISTED = "only_listed"
    UNKNOWN_ASKER = "unknown_asker"
    UNCONFIRMED = "unconfirmed"  # the source could not be asked who may read its pages
    CLOSED = "closed"  # pages that the answer gives away were closed to its readers since


class NoExplanation(_Reason):
    """Why an answer is not explained; each has its sentence in languages/*.po."""

    MODEL_DOWN = "model_down"
    NO_SCORES = "no_scores"  # EXPLAIN_BY demands what the endpoint does not tell
    KEPT_INSIDE = "kept_inside"  # its pages may not reach the language model any more
    CLOSED = "closed"
    NOTHING_TO_EXPLAIN = "nothing_to_explain"
    GAVE_UP = "gave_up"
    BUDGET = "budget"
    FORGOTTEN = "forgotten"
    EDITED = "edited"  # the question was edited since, and this explained its first answer
    STOPPED = "stopped"


class TurnState(StrEnum):
    """Of a question: what has become of it."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
    FORGOTTEN = "forgotten"
    REPLACED = "replaced"  # a question as it was before it was edited, kept with its votes


class ExplanationState(StrEnum):
    """Of an explanation that somebody asked for."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


class DetailState(StrEnum):
    """Of a modal with details: may the person see them?"""

    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"


class DetailKind(StrEnum):
    """What a modal shows that waits for a permission check."""

    DETAILS = "details"
    REPORT = "report"  # the sources of an answer, to say which of them are wrong
    SOURCES = "sources"  # the same with a line of what each says
    HAND_OVER = "hand_over"  # no modal: what somebody may be told who is asked for help


class PostKind(StrEnum):
    """What a message of ours is about a turn."""

    ANSWER = "answer"
    EXPLANATION = "explanation"
    HAND_OVER = "hand_over"  # asks a person to help


class HandOverState(StrEnum):
    """Of a question that is handed to people."""

    SHOWN = "shown"  # its author sees in private what would be sent, and to whom
    WAITING = "waiting"  # those who are to be asked are looked for
    ASKED = "asked"
    RESOLVED = "resolved"


class Vote(StrEnum):
    """A thumb on an answer."""

    UP = "up"
    DOWN = "down"


class VoteBy(StrEnum):
    """How somebody voted; empty for votes from before that was kept."""

    BUTTON = "button"
    REACTION = "reaction"
    UNKNOWN = ""


class Cure(StrEnum):
    """What became of a question that was asked again after somebody had called its gap fixed."""

    ANSWERED = "answered"  # no page said it, and now one does
    OTHERWISE = "otherwise"  # it was voted down, and is answered otherwise now
    AS_BEFORE = "as_before"


class PairOrigin(StrEnum):
    """Where a question and answer pair comes from."""

    PAGE = "page"  # made of a heading or of a row
    VOTE = "vote"  # an answer that people liked
    MODEL = "model"  # asked by the model, and answered as anybody who asks it is answered


class PairState(StrEnum):
    """What an operator has said of a pair."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
