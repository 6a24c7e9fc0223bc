"""The "more" menu of an answer: what is seldom wanted, out of the way.

docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element: 1 to 5 options. A
confirmation would be one for all of them, so what cannot be undone asks in a modal.
"""

from __future__ import annotations

from enum import StrEnum

from bot.views.block_kit import Block, plain_text
from core.language.sentences import Sentences

MORE_ACTION = "more"


class Choice(StrEnum):
    """What can be chosen."""

    SOURCES = "sources"
    TRACE = "behind"
    REPORT = "report"
    HAND_OVER = "person"
    DELETE = "delete"


_OF_SOURCES = {Choice.SOURCES, Choice.REPORT}


def build_answer_menu(say: Sentences, turn_id: str, *, has_sources: bool) -> Block:
    """The menu of an answer; its values are `CHOICE:TURN`."""
    options = []
    for choice in Choice:
        if choice in _OF_SOURCES and not has_sources:
            continue
        text = plain_text(say(f"menu-{choice}"))
        options.append({"text": text, "value": f"{choice}:{turn_id}"})
    return {"type": "overflow", "action_id": MORE_ACTION, "options": options}
