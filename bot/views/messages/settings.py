"""Every sentence of the settings and of the slash command."""

from __future__ import annotations

from collections.abc import Sequence

from core.models import Length, Mode, Tone
from core.settings.values import Askers

TITLE = "Settings"
SETTINGS = {
    "spaces": "Spaces to search",
    "model": "Model that writes the answers",
    "mode": "What pages are found by",
    "evidence": "Pieces of evidence",
    "length": "Length of answers",
    "tone": "Tone of answers",
    "language": "Language of answers",
    "askers": "Who may ask",
    "listed": "These people",
    "mention": "Follow-ups in a thread",
}
HINTS = {
    "evidence": "How many pieces of pages an answer is made from, 3 to 30.",
    "listed": "Counts for “Only these people and admins”.",
}
WRONG_SETTINGS = {
    "spaces": "One of these spaces is not indexed any more. Please choose again.",
    "model": "This model is not configured any more. Please choose again.",
    "mode": "Please choose one of these.",
    "evidence": "Please give a whole number from 3 to 30, or nothing.",
    "length": "Please choose one of these.",
    "tone": "Please choose one of these.",
    "language": "Please choose one of these.",
    "askers": "Please choose one of these.",
    "listed": "Please name the people, at most 100, or let others ask.",
    "mention": "Please choose one of these.",
}
MODES = {
    Mode.BOTH: "Words and meaning",
    Mode.WORDS: "Words alone",
    Mode.MEANING: "Meaning alone",
}
LENGTHS = {
    Length.SHORT: "Short",
    Length.NORMAL: "Normal",
    Length.LONG: "Long",
}
TONES = {
    Tone.PLAIN: "Plain",
    Tone.FRIENDLY: "Friendly",
    Tone.FORMAL: "Formal",
}
ASKERS = {
    Askers.EVERYBODY: "Everybody",
    Askers.MEMBERS: "Members, no guests",
    Askers.ADMINS: "Only admins",
    Askers.LISTED: "Only these people and admins",
}
MENTION = {"false": "Every message is for me", "true": "Only those that mention me"}
ALL_SPACES = "all that are indexed"
AS_NEEDED = "as many as the question needs"
AS_THE_QUESTION = "As the question"
NOBODY = "Nobody"
CHECKING = "I am asking Slack whether you may change this…"
FOR_ADMINS = "Only admins of the workspace and whoever made this channel can change its settings."
UNKNOWN = (
    "Slack does not tell me right now whether you may change this. Please close it and try again "
    "in a moment."
)
SAVED = ":white_check_mark: Saved. It counts from the next question on."
NOT_OPENED = "Slack did not open the settings. Please try again."
BUTTON_SAVE = "Save"
COMMAND_HELP = (
    "*Ask me about the pages in Confluence:* mention me in a channel, or write me a direct "
    "message.\n"
    "• `/groundwire QUESTION` asks in private: the answer comes in our direct messages.\n"
    "• `/groundwire settings` shows how I answer in this channel; its admins can change it. "
    "In our direct messages it is how I answer you."
)
ASKED_IN_PRIVATE = "I answer in our direct messages: <{link}|to the answer>."
NOT_ASKED_IN_PRIVATE = (
    "I cannot write you a direct message right now. Please try again in a moment."
)
PRIVATE_ROOT = ":lock: A question that you asked in private:"


def settings_of(channel: str) -> str:
    """Whose settings these are; without a channel, the person's own."""
    if channel:
        counts = "It counts for everybody there, from the next question on."
        return f"How I answer in <#{channel}>. {counts}"
    return "How I answer you in our direct messages. Channels have settings of their own."


def default_is(value: str) -> str:
    return f"Default ({value})"


def stale(spaces: Sequence[str], model: str) -> str:
    """What was chosen and is not there any more."""
    gone = [f"the space {key} is not indexed any more" for key in spaces]
    if model:
        gone.append(f"the model {model} is not configured any more")
    listed = "; ".join(gone)
    return f":warning: {listed[:1].upper()}{listed[1:]}. The default counts instead."


def only_searched(spaces: Sequence[str]) -> str:
    """Under an answer, where somebody has chosen that."""
    return f"Searched in {', '.join(spaces)} only, as the settings say."
