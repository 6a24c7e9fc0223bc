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
from core.usage import Usage
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
) -> tuple[Meaning | None, Usage]:
    """What the model takes it for; None where it does not say, or is away.

    `pages` are all that the lines before it give away. Where some of them may not reach the model,
    it sees the message alone.
    """
    kept = model.kept(pages)
    lines = [] if kept else _lines(message.before[-LINES:])
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
        return None, Usage()
    found = read(reply.text)
    metrics.MESSAGES_READ.labels(outcome="said" if found else "unreadable").inc()
    return found, reply.usage


def read(reply: str) -> Meaning | None:
    """The word that is the reply, or its first or last line alone; None where there is none.

    >>> read("**Question**."), read("This is not a question.")
    (<Meaning.ASK: 'ask'>, None)
    """
    lines = [re.sub(r"[\W_]+", " ", line).strip().casefold() for line in reply.splitlines()]
    said = [line for line in lines if line]
    found = {_WORDS[word] for word in (*said[:1], *said[-1:]) if word in _WORDS}
    return found.pop() if len(found) == 1 else None


def _lines(before: Sequence[Line]) -> list[Line]:
    return [
        Line(sanitize.line(line.who), sanitize.line(line.text)[:MOST_BEFORE], line.by_bot)
        for line in before
    ]
