"""Decides on a message as bot and worker do together: the bot, and where it is unsure a model."""

from __future__ import annotations

import time

from core.dialogue.decide import decide
from core.dialogue.decision import Decision
from core.dialogue.message import Message
from worker.generation.chat_model import ChatModel
from worker.question.meant import meant
from worker.understanding import WAIT_S


def decided_with(message: Message, model: ChatModel | None) -> Decision:
    """Without a model the bot alone decides."""
    decision = decide(message)
    if model is None or not decision.is_unsure:
        return decision
    told, _ = meant(model, message, pages=(), deadline=time.time() + WAIT_S)
    return decide(message, meant=told)
