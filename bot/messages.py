"""Every sentence that people read in Slack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from core.attribution import Method, Verdict
from core.limits import until
from core.models import Confidence, Field, Length, Mode, Note, Tone
from core.preferences import Askers

PLACEHOLDER = "Looking through the pages…"
IN_LINE = "Many questions are being asked right now; yours is in line…"
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
    "stopped": "You stopped me here; this is no complete answer.",
    "guest": "Sorry, I answer only members of this workspace, not its guests. Whoever invited you can ask me for you.",
    "external": "Sorry, I answer only people of the organization that runs me. Your contact there can ask me for you.",
    "stranger": "Sorry, Slack does not tell me right now who you are, so I cannot answer. Please ask again in a few minutes.",
    "limit_person": "You have asked as many questions as one person may within an hour. I answer you again from {when}."
    " What you ask before then I have to leave unanswered, and I shall not say so each time.",
    "limit_channel": "This channel has asked as many questions as it may within an hour. I answer here again from {when}."
    " What you ask here before then I have to leave unanswered, and I shall not say so each time.",
    "limit_day": "All questions that this workspace may ask in a day have been asked. I answer again from {when}."
    " What you ask before then I have to leave unanswered, and I shall not say so each time.",
}

NOTES = {
    Note.NO_MODEL: "Quoted from the pages; no language model was used.",
    Note.MODEL_DOWN: "The language model did not answer, so this is quoted from the pages; no model was used.",
    Note.BUDGET: "What may be spent on the language model today is used up, so this is quoted from the pages; that ends at 00:00 UTC.",
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
    "model_down": "I cannot explain this answer right now: the language model that made it does not answer.",
    "closed": "I cannot explain this answer: a page that it was made from is gone, or is not open to everybody here any more.",
    "nothing_to_explain": "There is no answer to explain.",
    "gave_up": "I tried to explain this several times and did not get to the end of it. The operator finds the reason in the log.",
    "budget": "I cannot explain this answer today: what may be spent on the language model is used up. It starts anew at 00:00 UTC.",
    "forgotten": "I cannot explain this answer: what was asked before it has been forgotten, so it cannot be asked again as it was.",
    "stopped": "The explanation was stopped before it was done. What was found out by then is kept, for whoever asks again.",
}
EXPLAINED_ALREADY = "The explanation of this answer stands in the thread already."
EXPLAINING_ALREADY = "I am working on the explanation of this answer already; it will come in the thread."
NOT_YET = "This answer is not finished yet."
UNKNOWN_ANSWER = "I do not know this answer any more, so nothing happened. Please ask the question again."
THANKS = "Thank you, noted."

EXPLAINED = "Which evidence caused this answer?"
# What taking a piece away did, as one reads it behind "Taking it away".
VERDICTS = {
    Verdict.CAUSAL: "*changed the answer*",
    Verdict.NOISE: "did nothing that can be told apart from the answer's own variation",
    Verdict.REDUNDANT: "alone changed nothing, since other evidence says the same",
}
SILENT = "changed nothing"
LOST = "Not cited, and what taking it away did cannot be told apart from the answer's own variation:"
NEEDED = "Without any of the evidence the answer is a different one: it rests on these pages."
NOT_NEEDED = ":warning: The answer stays about the same without any evidence: *the model did not need these pages*. Take it with care."
TOO_NOISY = ":warning: The answer varies so much by itself that *it cannot be told* what caused it."
NOTHING_ALONE = "No single piece of evidence decided it: taking any one away changed nothing that stands out."
ONLY_TOGETHER = "No single piece of evidence decided it, but some do together."
CITED_UNUSED = "_cited but unused_"
USED_UNCITED = "_used but not cited_"
# By the paper's methods (Saha Roy et al., WSDM 2025) nothing is tested; what is shown then, by method.
UNTESTED = {
    Method.PAPER: "Shares by the method of the paper, one cluster taken away at a time. Nothing was tested against chance.",
    Method.PAPER_NO_CLUSTERS: "Shares by the method of the paper, each piece taken away alone. Nothing was tested against chance.",
    Method.NAIVE: "Shares by similarity of each piece and the answer. Nothing was taken away, so they say nothing about causes.",
}
NO_EVIDENCE = "No evidence was given to this answer."
NOT_TESTED = "Nothing was tested against chance."
NO_MODEL_ASKED = "quoted answers, no model was asked"

DETAILS_TITLE = "Details of the answer"
DETAILS_LOADING = "Looking whether you may see all pages behind this answer…"
DETAILS_CLOSED = "I cannot show this: a page behind this answer is gone, or is not open to you."
DETAILS_QUEUE_DOWN = "My queue does not answer right now. Please close this and try again in a moment."
DETAILS_REFUSED = "Slack does not take the details of this answer. The operator finds the reason in the log."
NOT_OPENED = "Slack did not open the details. Please press the button again."
NOT_EXPLAINED = "This answer has not been explained; the button *Which evidence?* under it does that."
EFFECTS = "What each piece of evidence did"
SENTENCES = "Sentence by sentence"
BEHIND_THE_SCENES = "Behind the scenes"
TYPICAL_ANSWER = "A typical answer without it, ~struck out~ what is gone, *bold* what is new:"
WITHOUT_ANY = "*A typical answer without any evidence:*"
SAME_ANSWER = "The answer stays the same, word for word."
ON_NOTHING_ALONE = "on no piece alone"
BY_WORDS, BY_MEANING, AS_GIVEN = "Found by words", "Found by meaning", "Given to the answer, in this order"
PROMPT = "The prompt"
NO_PROMPT = "No model was asked: the answer is quoted."

BUTTON_EXPLAIN = "Which evidence?"
BUTTON_ASK_AGAIN = "Try again"
BUTTON_STOP = "Stop"
BUTTON_DETAILS = "Details"
BUTTON_CLOSE = "Close"
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
    return f"*<@{user}> asks:* {question}" if user else f"*{ASKS}* {question}"


def more_sources(number: int) -> str:
    return f"and {number} more"


def explaining(done: int, of: int, seconds_left: float | None) -> str:
    """How far an explanation is; `of` may still change."""
    if not of:
        return EXPLAINING
    left = "" if seconds_left is None else f", about {_duration(seconds_left)} left"
    return f"{EXPLAINING} {done} of about {of} answers{left}"


def _duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def may_not_stop(user: str) -> str:
    return f"Only <@{user}>, who asked for this explanation, can stop it."


def group(pieces: int, pages: int, clusters: int) -> str:
    """What an effect stands for, when that is more than one piece; empty otherwise."""
    if clusters > 1:
        return f"{clusters} pieces or groups, only tested together"
    if pages > 1:
        return f"{pages} pages that say the same, taken away together"
    return f"{pieces} pieces, taken away together" if pieces > 1 else ""


def redundant(label: str, pages: int) -> str:
    """Of two that can stand in for one another."""
    who = f"{pages} pages say the same" if pages > 1 else "Two pieces say the same"
    return f"{who}; removing either alone changes nothing, removing both changes the answer: {label}"


def compared(null: int, repeats: int, test: str) -> str:
    if not test:
        return "Quoted answers do not vary, so one without each piece was compared."
    return f"Compared: {null} answers with all evidence and up to {repeats} without each piece. Test: {test}."


def varies(null: float, empty: float) -> str:
    return f"By itself the answer changes by {null:.2f}, without any evidence by {empty:.2f}."


def certain(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def more_pairs(number: int) -> str:
    return f"{number} more that change the answer only together are not shown."


def hidden(weaker: int, silent: int) -> list[str]:
    """What the message has no room for, and what was given and did nothing."""
    said = [f"{silent} other pieces were given, and removing any of them changed nothing."] if silent else []
    return [*said, f"{weaker} weaker ones are not shown."] if weaker else said


def skipped(labels: Sequence[str], more: int) -> str:
    return f"Not tested, since the budget of calls was used up: {'; '.join(labels)}{f'; and {more} more' if more else ''}."


def left_out(characters: int) -> str:
    return f"… {characters:,} characters are left out here …"


def explanation_reason(key: str) -> str:
    return EXPLANATION_REASONS.get(key, EXPLANATION_REASONS["gave_up"])


def reason(saved: str) -> str:
    """Why there is no answer; a key that a newer program wrote still gives a sentence.

    The reason of a limit carries the time when it is over: `limit_day@1795305600`.
    """
    key, when = until(saved)
    return REASONS.get(key, REASONS["gave_up"]).format(when=_time(when))


def _time(when: float) -> str:
    """A time as each reader's own clock shows it, in UTC where Slack does not: docs.slack.dev/messaging/formatting-message-text."""
    day = datetime.fromtimestamp(when, UTC)
    return f"<!date^{when:.0f}^{{time}}, {{date_short}}|{day:%H:%M} UTC, {day:%d %B}>"


# ── What is kept ──

FORGOTTEN = "_This answer has been forgotten._"


# ── Settings, the slash command and App Home ──

REASONS |= {
    "only_members": "In this channel, guests and people of other companies cannot ask me. Its admins have chosen that.",
    "only_admins": "In this channel, only its admins can ask me. They have chosen that.",
    "only_listed": "In this channel, only some people can ask me. Its admins have chosen them.",
    "unknown_asker": "Not everybody may ask in this channel, and Slack does not tell me right now whether you may. Please try again.",
}

SETTINGS_TITLE = "Settings"
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
SETTINGS_HINTS = {
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
MODES = {Mode.BOTH: "Words and meaning", Mode.WORDS: "Words alone", Mode.MEANING: "Meaning alone"}
LENGTHS = {Length.SHORT: "Short", Length.NORMAL: "Normal", Length.LONG: "Long"}
TONES = {Tone.PLAIN: "Plain", Tone.FRIENDLY: "Friendly", Tone.FORMAL: "Formal"}
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

SETTINGS_CHECKING = "I am asking Slack whether you may change this…"
SETTINGS_FOR_ADMINS = "Only admins of the workspace and whoever made this channel can change its settings."
SETTINGS_UNKNOWN = "Slack does not tell me right now whether you may change this. Please close it and try again in a moment."
SETTINGS_SAVED = ":white_check_mark: Saved. It counts from the next question on."
SETTINGS_NOT_OPENED = "Slack did not open the settings. Please try again."
BUTTON_SAVE = "Save"

COMMAND_HELP = (
    "*Ask me about the pages in Confluence:* mention me in a channel, or write me a direct message.\n"
    "• `/groundwire QUESTION` asks in private: the answer comes in our direct messages.\n"
    "• `/groundwire settings` shows how I answer in this channel; its admins can change it. "
    "In our direct messages it is how I answer you."
)
ASKED_IN_PRIVATE = "I answer in our direct messages: <{link}|to the answer>."
NOT_ASKED_IN_PRIVATE = "I cannot write you a direct message right now. Please try again in a moment."
PRIVATE_ROOT = ":lock: A question that you asked in private:"


HOME_TITLE = "Groundwire"
HOME_ABOUT = (
    "I answer questions from the pages in Confluence, say where the answer stands, and show which page caused it.\n"
    "• Mention me in a channel, or write me a direct message. In a thread, just go on asking.\n"
    "• *In ENG*, *since March*, *by Anna*, *labelled howto*: I look at these pages only.\n"
    "• *Which evidence?* under an answer takes pages away and asks again, until it is clear what the answer rests on.\n"
    "• `/groundwire QUESTION` asks in private, `/groundwire settings` says how I answer."
)
HOME_EXAMPLES = "Try one of these; I answer in our direct messages:"
HOME_CONVERSATIONS = "My conversations"
HOME_CONVERSATIONS_HIDDEN = "My hidden conversations"
HOME_NO_CONVERSATIONS = "You have not asked anything yet, or have hidden it all."
HOME_NOTHING_HIDDEN = "You have hidden nothing."
HOME_INDEX = "What I have read"
HOME_NO_INDEX = "No page that everybody may read is indexed yet. The first sync may still be on its way."
BUTTON_MY_SETTINGS = "My settings"
BUTTON_HIDE, BUTTON_RESTORE, BUTTON_FORGET, BUTTON_KEEP = "Hide", "Show again", "Forget", "Keep"
BUTTON_HIDDEN, BUTTON_SHOWN = "Hidden conversations", "Back"
FORGET_TITLE = "Forget this conversation?"
FORGET_TEXT = (
    "I erase your questions here, my answers, the evidence and the votes, and take my messages back. "
    "What you have written yourself stays in Slack. This cannot be undone."
)
OPEN_THREAD = "open the thread"
IN_PRIVATE = "direct messages"
NO_QUESTION = "(no question)"
SYNCED, NEVER_SYNCED = "read completely", "not read completely yet"


def example(title: str, heading: str) -> str:
    """A question that the page with this title answers under this heading."""
    return f"What does “{title}” say about “{heading}”?"


def questions(number: int) -> str:
    return f"{number} questions"


def space_pages(pages: int, restricted: int) -> str:
    of_some = f", {restricted:,} of them for some people only" if restricted else ""
    return f"{pages:,} page{'' if pages == 1 else 's'}{of_some}"


def space_problems(unread: int, *, failed: bool) -> list[str]:
    """What is wrong with a space."""
    said = [f":warning: {unread:,} page{'' if unread == 1 else 's'} could not be read"] if unread else []
    return [*said, ":warning: the last sync failed; I try again"] if failed else said


def index_total(pages: int, pieces: int, more: int, closed: int) -> str:
    """All that is indexed, with the spaces that are not shown."""
    said = [f"{pages:,} pages in {pieces:,} pieces"]
    said += [f"{more:,} more spaces"] if more else []
    said += [f"{closed:,} space{'' if closed == 1 else 's'} of which only some people may read something"] if closed else []
    return " · ".join(said)


def settings_of(channel: str) -> str:
    """Whose settings these are; without a channel, the person's own."""
    if channel:
        return f"How I answer in <#{channel}>. It counts for everybody there, from the next question on."
    return "How I answer you in our direct messages. Channels have settings of their own."


def default_is(value: str) -> str:
    return f"Default ({value})"


def stale(spaces: Sequence[str], model: str) -> str:
    """What was chosen and is not there any more."""
    gone = [f"the space {key} is not indexed any more" for key in spaces] + (
        [f"the model {model} is not configured any more"] if model else []
    )
    return f":warning: {_listed(gone)}. The default counts instead."


def only_searched(spaces: Sequence[str]) -> str:
    """Under an answer, where somebody has chosen that."""
    return f"Searched in {', '.join(spaces)} only, as the settings say."


def _listed(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


# The menu of an answer, by bot.menu.Choice, and what its choices open.
MORE = {"behind": "Behind the scenes", "report": "Report a wrong source", "delete": "Delete this answer"}
BUTTON_SEND, BUTTON_CANCEL, BUTTON_DELETE, BUTTON_WHY = "Send", "Cancel", "Delete", "Say why"
WHY_TITLE = "What is wrong with it?"
WHY_WHAT = "Your vote counts either way. If you like, say more:"
WHY_TEXT = "In your own words"
# Why an answer is bad, by the key that is saved with the vote.
REASONS_OF_VOTES = {
    "wrong": "It is wrong",
    "outdated": "It is outdated",
    "incomplete": "It is incomplete",
    "wrong source": "It uses a wrong source",
    "not understood": "It does not understand the question",
}
REPORT_TITLE = "Report a wrong source"
REPORT_WHICH = "Which sources are wrong?"
REPORT_TEXT = "Why? Where would the right answer stand?"
NOTHING_TO_REPORT = "This answer names no sources."
DELETE_TITLE = "Delete this answer?"
DELETE_TEXT = (
    "I erase the question, this answer with its evidence, its explanation and the votes, and take my messages back. "
    "What was written by people stays in Slack. This cannot be undone."
)
NOT_AN_ANSWER = (
    "This message is none of my answers, or I do not know it any more. "
    "On one of my answers, this shows which pages it rests on: I take them away one by one and ask again."
)

# What has become of a source since the answer was given.
SINCE_CHANGED = ":warning: *changed since this answer*"
SINCE_GONE = "_gone since this answer, or no longer open_"

PROMPTS = "For example:"


def may_not_delete(user: str) -> str:
    return f"Only <@{user}>, who asked, and the admins of this workspace can delete this answer."


# ── While an answer is made ──

ASKS = "Question:"
QUEUED = "I will answer this after the one above."
# What the bot does, as Slack shows it behind its name; by the stage that the worker reports.
STATUSES = {
    "": "is reading the question…",
    "retrieve": "is searching the pages…",
    "generate": "is writing the answer…",
}
# Shown in turn while that lasts.
LOADING = (
    "Looking through the pages…",
    "Comparing what they say…",
    "Checking who may see what…",
    "Following the references…",
    "Putting it together…",
)


def may_not_stop_answer(user: str) -> str:
    return f"Only <@{user}>, who asked this, can stop it."
