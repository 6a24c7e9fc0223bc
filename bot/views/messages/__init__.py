"""Every sentence that people read in Slack: of answers here, of all else in sibling modules."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.views.messages import answer_menu, details, explanations, home, settings
from core.models import Confidence, Note
from core.question import Field
from core.states import NoAnswer

__all__ = ["answer_menu", "details", "explanations", "home", "settings"]

PLACEHOLDER = "Looking through the pages…"
IN_LINE = "Many questions are being asked right now; yours is in line…"
STAGES = {
    "retrieve": "Searching the pages…",
    "generate": "Reading what I found…",
}
# Why a question gets no answer, by the key that is saved with the turn.
REASONS = {
    NoAnswer.EMPTY: (
        "Hello! Ask me a question about the pages in Confluence, for example: _How do I request "
        "time off?_"
    ),
    NoAnswer.TOO_LONG: (
        "That question is too long for me. Please ask it in fewer than 4,000 characters."
    ),
    NoAnswer.LATE: (
        "I could not find an answer in time. The programs that think may be busy or down; your "
        "question is kept."
    ),
    NoAnswer.GAVE_UP: (
        "I tried this question several times and did not get to the end of it. The operator finds "
        "the reason in the log."
    ),
    NoAnswer.STOPPED: "You stopped me here; this is no complete answer.",
    NoAnswer.GUEST: (
        "Sorry, I answer only members of this workspace, not its guests. Whoever invited you can "
        "ask me for you."
    ),
    NoAnswer.EXTERNAL: (
        "Sorry, I answer only people of the organization that runs me. Your contact there can ask "
        "me for you."
    ),
    NoAnswer.STRANGER: (
        "Sorry, Slack does not tell me right now who you are, so I cannot answer. Please ask again "
        "in a few minutes."
    ),
    NoAnswer.LIMIT_PERSON: (
        "You have asked as many questions as one person may within an hour. I answer you "
        "again from {when}. "
        "What you ask before then I have to leave unanswered, and I shall not say so each time."
    ),
    NoAnswer.LIMIT_CHANNEL: (
        "This channel has asked as many questions as it may within an hour. I answer here "
        "again from {when}. "
        "What you ask here before then I have to leave unanswered, and I shall not say so "
        "each time."
    ),
    NoAnswer.LIMIT_DAY: (
        "All questions that this workspace may ask in a day have been asked. I answer again "
        "from {when}. "
        "What you ask before then I have to leave unanswered, and I shall not say so each time."
    ),
    NoAnswer.ONLY_MEMBERS: (
        "In this channel, guests and people of other companies cannot ask me. Its admins have "
        "chosen that."
    ),
    NoAnswer.ONLY_ADMINS: "In this channel, only its admins can ask me. They have chosen that.",
    NoAnswer.ONLY_LISTED: (
        "In this channel, only some people can ask me. Its admins have chosen them."
    ),
    NoAnswer.UNKNOWN_ASKER: (
        "Not everybody may ask in this channel, and Slack does not tell me right now whether you "
        "may. Please try again."
    ),
}
NOTES = {
    Note.NO_MODEL: "Quoted from the pages; no language model was used.",
    Note.MODEL_DOWN: (
        "The language model did not answer, so this is quoted from the pages; no model was used."
    ),
    Note.BUDGET: (
        "What may be spent on the language model today is used up, so this is quoted from the "
        "pages; that ends at 00:00 UTC."
    ),
    Note.WORDS_ONLY: (
        "The vector store did not answer, so I searched by words alone and may have missed "
        "something."
    ),
    Note.CONDITIONS_DROPPED: "No page passes that filter, so I answered without it.",
    Note.NOT_FOUND: "The nearest pages:",
}
# Measured: how often the page was the right one at this confidence (docs/benchmarks.md).
CONFIDENCE = {
    Confidence.HIGH: ":large_green_circle: The sources fit the question well.",
    Confidence.MEDIUM: (
        ":large_yellow_circle: The sources probably fit the question; have a look at them."
    ),
    Confidence.LOW: ":red_circle: I am not sure that these are the right pages; please check them.",
}
UNSURE_SOURCE = "unsure"
ALSO_ON = "the same on {pages}"
EMPTY_ANSWER = "The language model gave an empty answer. Please ask again, perhaps in other words."
QUEUE_DOWN = (
    "I have written your question down, but my queue does not answer right now. I answer here as "
    "soon as it does."
)
NOT_YET = "This answer is not finished yet."
UNKNOWN_ANSWER = (
    "I do not know this answer any more, so nothing happened. Please ask the question again."
)
THANKS = "Thank you, noted."
BY_WORDS = "Found by words"
BY_MEANING = "Found by meaning"
AS_GIVEN = "Given to the answer, in this order"
BUTTON_EXPLAIN = "Which evidence?"
BUTTON_ASK_AGAIN = "Try again"
BUTTON_STOP = "Stop"
BUTTON_DETAILS = "Details"
BUTTON_CLOSE = "Close"
BUTTON_UNFILTERED = "Without the filter"
# The filters of a question, as one reads them behind "Only pages:".
CONDITIONS = {
    Field.SPACE: "in {}",
    Field.LABEL: "labelled {}",
    Field.TITLE: "titled “{}”",
    Field.PERSON: "by {}",
    Field.AFTER: "changed since {}",
    Field.BEFORE: "changed before {}",
}


def only_pages(conditions: Iterable[tuple[Field, str]], *, dropped: bool) -> str:
    """The filters of the question, and whether they were applied."""
    filters = " · ".join(CONDITIONS[field].format(value) for field, value in conditions)
    return f"Asked for pages: {filters}" if dropped else f"Only pages: {filters}"


def asked_by_button(question: str, user: str = "") -> str:
    """The question of a turn that no message asks; with a `user`, by whoever pressed the button."""
    return f"*<@{user}> asks:* {question}" if user else f"*{ASKS}* {question}"


def more_sources(number: int) -> str:
    return f"and {number} more"


def reason(why: NoAnswer | None, until: float | None = None) -> str:
    """Why there is no answer, and until when a limit holds."""
    return REASONS[why or NoAnswer.GAVE_UP].format(when=_time(until or 0.0))


def _time(when: float) -> str:
    """A time in each reader's time zone; in UTC where Slack does not show that.

    docs.slack.dev/messaging/formatting-message-text#date-formatting
    """
    day = datetime.fromtimestamp(when, UTC)
    return f"<!date^{when:.0f}^{{time}}, {{date_short}}|{day:%H:%M} UTC, {day:%d %B}>"


FORGOTTEN = "_This answer has been forgotten._"
ASKS = "Question:"
QUEUED = "I will answer this after the one above."
# The assistant status, as Slack shows it behind the bot's name; by the worker's stage.
STATUSES = {
    "": "is reading the question…",
    "retrieve": "is searching the pages…",
    "generate": "is writing the answer…",
}
# Slack shows these in turn meanwhile.
LOADING = (
    "Looking through the pages…",
    "Comparing what they say…",
    "Checking who may see what…",
    "Following the references…",
    "Putting it together…",
)


def may_not_stop_answer(user: str) -> str:
    return f"Only <@{user}>, who asked this, can stop it."
