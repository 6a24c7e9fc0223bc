"""The welcome in a channel: what is read, how to ask, what is kept, what leaves the company."""

from __future__ import annotations

from bot.views.answer_blocks import MessageBlocks
from bot.views.block_kit import context, section
from bot.views.leaves import build_leaves
from core.language.sentences import Sentences
from core.policy.model_routing import Leaving


def build_welcome(say: Sentences, leaving: Leaving, retention_days: int) -> MessageBlocks:
    """`retention_days`: after which questions are erased; 0 for never."""
    hello = say("welcome-hello")
    kept = say("welcome-kept", days=retention_days) if retention_days else say("welcome-kept-all")
    blocks = [
        section(hello),
        section(say("how-to-ask")),
        context(kept),
        *build_leaves(say, leaving),
    ]
    return MessageBlocks(hello, blocks)
