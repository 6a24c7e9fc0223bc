"""Every sentence of the Home tab, and of the questions that are suggested there."""

from __future__ import annotations

TITLE = "Groundwire"
ABOUT = (
    "I answer questions from the pages in Confluence, say where the answer stands, and show which "
    "page caused it.\n"
    "• Mention me in a channel, or write me a direct message. In a thread, just go on asking.\n"
    "• *In ENG*, *since March*, *by Anna*, *labelled howto*: I look at these pages only.\n"
    "• *Which evidence?* under an answer takes pages away and asks again, until it is clear what "
    "the answer rests on.\n"
    "• `/groundwire QUESTION` asks in private, `/groundwire settings` says how I answer."
)
EXAMPLES = "Try one of these; I answer in our direct messages:"
CONVERSATIONS = "My conversations"
CONVERSATIONS_HIDDEN = "My hidden conversations"
NO_CONVERSATIONS = "You have not asked anything yet, or have hidden it all."
NOTHING_HIDDEN = "You have hidden nothing."
INDEX = "What I have read"
NO_INDEX = "No page that everybody may read is indexed yet. The first sync may still be on its way."
BUTTON_MY_SETTINGS = "My settings"
BUTTON_HIDE = "Hide"
BUTTON_RESTORE = "Show again"
BUTTON_FORGET = "Forget"
BUTTON_KEEP = "Keep"
BUTTON_HIDDEN = "Hidden conversations"
BUTTON_SHOWN = "Back"
FORGET_TITLE = "Forget this conversation?"
FORGET_TEXT = (
    "I erase your questions here, my answers, the evidence and the votes, and take my messages "
    "back. "
    "What you have written yourself stays in Slack. This cannot be undone."
)
OPEN_THREAD = "open the thread"
IN_PRIVATE = "direct messages"
NO_QUESTION = "(no question)"
SYNCED = "read completely"
NEVER_SYNCED = "not read completely yet"
PROMPTS = "For example:"


def example(title: str, heading: str) -> str:
    """A question that the page with this title answers under this heading."""
    return f"What does “{title}” say about “{heading}”?"


def questions(number: int) -> str:
    return f"{number} questions"


def space_pages(pages: int, restricted: int) -> str:
    counted = _counted(pages, "page")
    return f"{counted}, {restricted:,} of them for some people only" if restricted else counted


def space_problems(unread: int, *, failed: bool) -> list[str]:
    """What is wrong with a space."""
    problems = []
    if unread:
        problems.append(f":warning: {_counted(unread, 'page')} could not be read")
    if failed:
        problems.append(":warning: the last sync failed; I try again")
    return problems


def index_total(pages: int, pieces: int, more: int, closed: int) -> str:
    """All that is indexed, with the spaces that are not shown."""
    facts = [f"{pages:,} pages in {pieces:,} pieces"]
    if more:
        facts.append(f"{more:,} more spaces")
    if closed:
        spaces = _counted(closed, "space")
        facts.append(f"{spaces} of which only some people may read something")
    return " · ".join(facts)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
