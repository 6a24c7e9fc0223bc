"""Every sentence of the details behind an answer."""

from __future__ import annotations

TITLE = "Details of the answer"
LOADING = "Looking whether you may see all pages behind this answer…"
CLOSED = "I cannot show this: a page behind this answer is gone, or is not open to you."
QUEUE_DOWN = "My queue does not answer right now. Please close this and try again in a moment."
REFUSED = (
    "Slack does not take the details of this answer. The operator finds the reason in the log."
)
NOT_OPENED = "Slack did not open the details. Please press the button again."
NOT_EXPLAINED = (
    "This answer has not been explained; the button *Which evidence?* under it does that."
)
EFFECTS = "What each piece of evidence did"
SENTENCES = "Sentence by sentence"
BEHIND_THE_SCENES = "Behind the scenes"
TYPICAL_ANSWER = "A typical answer without it, ~struck out~ what is gone, *bold* what is new:"
WITHOUT_ANY = "*A typical answer without any evidence:*"
SAME_ANSWER = "The answer stays the same, word for word."
ON_NOTHING_ALONE = "on no piece alone"
PROMPT = "The prompt"
NO_PROMPT = "No model was asked: the answer is quoted."


def left_out(characters: int) -> str:
    return f"… {characters:,} characters are left out here …"
