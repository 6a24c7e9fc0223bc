"""The "more" menu of an answer: what is seldom wanted, out of the way.

docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element: 1 to 5 options; a confirmation would be one for all of them, so
what cannot be undone asks in a modal.
"""

from __future__ import annotations

from enum import StrEnum

from bot.views import messages
from bot.views.block_kit import Block

MORE_ACTION = "more"


class Choice(StrEnum):
    """What can be chosen."""

    BEHIND = "behind"
    REPORT = "report"
    DELETE = "delete"


def more(turn_id: str, *, has_sources: bool) -> Block:
    """The menu of an answer; its values are `CHOICE:TURN`."""
    offered = [choice for choice in Choice if has_sources or choice is not Choice.REPORT]
    return {
        "type": "overflow",
        "action_id": MORE_ACTION,
        "options": [_option(choice, turn_id) for choice in offered],
    }


def _option(choice: Choice, turn_id: str) -> Block:
    return {
        "text": {"type": "plain_text", "text": messages.answer_menu.MORE[choice]},
        "value": f"{choice}:{turn_id}",
    }
