"""What a message means, by a model: whom it is for, and what it wants.

The reader of messages (core.dialogue.likely) is asked first, and is right where it is sure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from core import logs, metrics
from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message
from core.errors import ModelUnavailable
from core.pages import PageKey
from worker.generation.chat_model import ChatModel
from worker.prompting import templates
from worker.text import sanitize

LINES = 6  # said before, as many as the reader of messages sees
MOST_BEFORE, MOST_TEXT = 300, 600  # characters of a line, and of the message
_WORDS = {
    "question": Meaning.ASK,
    "above": Meaning.ABOVE,
    "unclear": Meaning.FRAGMENT,
    "thanks": Meaning.THANKS,
    "complaint": Meaning.COMPLAINT,
    "greeting": Meaning.GREETING,
    "about": Meaning.ABOUT,
    "silence": Meaning.TALK,
}

log = logs.get(__name__)


def meant(
    model: ChatModel, message: Message, *, pages: Collection[PageKey], deadline: float
) -> Meaning | None:
    """What the model takes it for; None where it does not say, or is away.

    `pages` are all that the words of the bot's answers give away. Where some of them may not reach
    the model, it is told that there was an answer, and not which.
    """
    kept = model.kept(pages)
    lines = _lines(message.before[-LINES:], are_ours_told=not kept)
    prompt = templates.render(
        "message_for",
        place=message.place,
        mentions_bot=message.mentions_bot,
        before=lines,
        who=sanitize.line(message.who),
        text=sanitize.line(message.as_written or message.text)[:MOST_TEXT],
    )
    given = frozenset[PageKey]() if kept else frozenset(pages)
    try:
        reply = model.reply(prompt, pages=given, deadline=deadline)
    except ModelUnavailable as error:
        log.warning("meant.model_unavailable", error=str(error))
        metrics.MESSAGES_READ.labels(outcome="unavailable").inc()
        return None
    found = read(reply.text)
    metrics.MESSAGES_READ.labels(outcome="said" if found else "unreadable").inc()
    return found


def read(reply: str) -> Meaning | None:
    """The one word of the reply; None where there is none, or several.

    >>> read("**Question**.")
    <Meaning.ASK: 'ask'>
    """
    said = {word for word in re.findall(r"[a-z]+", reply.casefold()) if word in _WORDS}
    return _WORDS[said.pop()] if len(said) == 1 else None


def _lines(before: Sequence[Line], *, are_ours_told: bool) -> list[Line]:
    return [
        Line(
            sanitize.line(line.who),
            sanitize.line(line.text)[:MOST_BEFORE] if are_ours_told or not line.by_bot else "",
            line.by_bot,
        )
        for line in before
    ]
