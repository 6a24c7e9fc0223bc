"""Every sentence of an answer's menu, vote reasons, reports, deletion, and stale sources."""

from __future__ import annotations

# The menu of an answer, by bot.views.answer_menu.Choice, and what its choices open.
MORE = {
    "behind": "Behind the scenes",
    "report": "Report a wrong source",
    "delete": "Delete this answer",
}
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
    "I erase the question, this answer with its evidence, its explanation and the votes, "
    "and take my messages back. "
    "What was written by people stays in Slack. This cannot be undone."
)
NOT_AN_ANSWER = (
    "This message is none of my answers, or I do not know it any more. "
    "On one of my answers, this shows which pages it rests on: I take them away one by one and ask "
    "again."
)
# What has become of a source since the answer was given.
SINCE_CHANGED = ":warning: *changed since this answer*"
SINCE_GONE = "_gone since this answer, or no longer open_"


def may_not_delete(user: str) -> str:
    return f"Only <@{user}>, who asked, and the admins of this workspace can delete this answer."
