"""Every sentence that people read in Slack."""

from __future__ import annotations

from collections.abc import Iterable

from core.attribution import Verdict
from core.models import Confidence, Field, Note

PLACEHOLDER = "Looking through the pages…"
EXPLAINING = "Taking evidence away and asking again…"

STAGES = {
    "retrieve": "Searching the pages…",
    "generate": "Reading what I found…",
}

# Why a question gets no answer, by the key that is saved with the turn.
REASONS = {
    "empty": "Hello! Ask me a question about the pages in Confluence, for example: _How do I request time off?_",
    "too_long": "That question is too long for me. Please ask it in fewer than 4,000 characters.",
    "late": "I could not find an answer in time. The programs that think may be busy or down; your question is kept.",
    "gave_up": "I tried this question several times and did not get to the end of it. The operator finds the reason in the log.",
}

NOTES = {
    Note.NO_MODEL: "Quoted from the pages; no language model was used.",
    Note.MODEL_DOWN: "The language model did not answer, so this is quoted from the pages; no model was used.",
    Note.WORDS_ONLY: "The vector store did not answer, so I searched by words alone and may have missed something.",
    Note.CONDITIONS_DROPPED: "No page passes that filter, so I answered without it.",
    Note.NOT_FOUND: "The nearest pages:",
}

# Measured: how often the page was the right one where the search was as sure as this (docs/benchmarks.md).
CONFIDENCE = {
    Confidence.HIGH: ":large_green_circle: The sources fit the question well.",
    Confidence.MEDIUM: ":large_yellow_circle: The sources probably fit the question; have a look at them.",
    Confidence.LOW: ":red_circle: I am not sure that these are the right pages; please check them.",
}
UNSURE_SOURCE = "unsure"
ALSO_ON = "the same on {pages}"

EMPTY_ANSWER = "The language model gave an empty answer. Please ask again, perhaps in other words."

QUEUE_DOWN = "I have written your question down, but my queue does not answer right now. I answer here as soon as it does."

EXPLANATION_REASONS = {
    "model_down": "I cannot explain this answer right now: the language model that made it does not answer. Please try again later.",
    "closed": "I cannot explain this answer: a page that it was made from is gone, or is not open to everybody here any more.",
    "nothing_to_explain": "There is no answer to explain.",
    "gave_up": "I tried to explain this several times and did not get to the end of it. The operator finds the reason in the log.",
}
EXPLAINED_ALREADY = "The explanation of this answer stands in the thread already."
EXPLAINING_ALREADY = "I am working on the explanation of this answer already; it will come in the thread."
NOT_YET = "This answer is not finished yet."
UNKNOWN_ANSWER = "I do not know this answer any more, so nothing happened. Please ask the question again."
THANKS = "Thank you, noted."

VERDICTS = {
    Verdict.CAUSAL: "changed the answer",
    Verdict.NOISE: "cannot be told apart from the answer's own variation",
    Verdict.REDUNDANT: "changed nothing, since another page says the same",
}
NEEDED = "Without any of the evidence the answer is a different one: it rests on these pages."
NOT_NEEDED = "The answer stays about the same without any evidence: *the model did not need these pages*. Take it with care."
NOTHING_ALONE = "No single piece of evidence decided it: taking any one away changed nothing that stands out."

BUTTON_EXPLAIN = "Which evidence?"
BUTTON_ASK_AGAIN = "Try again"
BUTTON_UNFILTERED = "Without the filter"

# What is asked of the pages, as one reads it behind "Only pages:".
CONDITIONS = {
    Field.SPACE: "in {}",
    Field.LABEL: "labelled {}",
    Field.TITLE: "titled “{}”",
    Field.PERSON: "by {}",
    Field.AFTER: "changed since {}",
    Field.BEFORE: "changed before {}",
}


def only_pages(conditions: Iterable[tuple[Field, str]], *, dropped: bool) -> str:
    """What the question asks of the pages, and whether it was followed."""
    said = " · ".join(CONDITIONS[field].format(value) for field, value in conditions)
    return f"Asked for pages: {said}" if dropped else f"Only pages: {said}"


def asked_by_button(question: str, user: str = "") -> str:
    """The question of a turn that no message asks; with a `user`, whoever pressed the button."""
    return f"*<@{user}> asks:* {question}" if user else f"*Question:* {question}"


def more_sources(number: int) -> str:
    return f"and {number} more"


def explanation_reason(key: str) -> str:
    return EXPLANATION_REASONS.get(key, EXPLANATION_REASONS["gave_up"])


def reason(key: str) -> str:
    """Why there is no answer; a key that a newer program wrote still gives a sentence."""
    return REASONS.get(key, REASONS["gave_up"])
