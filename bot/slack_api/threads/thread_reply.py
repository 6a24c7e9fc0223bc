"""A reply in a Slack thread, as far as the outbox needs it to find its own message again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ThreadReply:
    """A message in a thread."""

    ts: str
    bot_id: str = ""  # empty for people's
    post_id: str = ""  # the idempotency key that it was posted with
