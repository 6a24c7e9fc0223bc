"""What is said above an answer of how its question was heard: late, or without its files."""

from __future__ import annotations

from bot.views.block_kit import Block, context
from core.language.sentences import Sentences
from core.turns.turn import Turn

LATE_S = 120.0  # nobody wonders about less
HOURS_FROM_S = 7200.0


def build_heard(say: Sentences, turn: Turn) -> list[Block]:
    """One line in small print, or none."""
    lines = []
    if turn.late_s >= HOURS_FROM_S:
        lines.append(say("heard-very-late", hours=round(turn.late_s / 3600)))
    elif turn.late_s >= LATE_S:
        lines.append(say("heard-late", minutes=round(turn.late_s / 60)))
    if turn.has_files:
        lines.append(say("files-not-read"))
    return [context(" ".join(lines))] if lines else []
