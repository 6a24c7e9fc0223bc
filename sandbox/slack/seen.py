"""What a client of the stand-in sees: messages as they stood, and the calls that the bot made."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

from sandbox.slack.render.plain import plain

Json = dict[str, Any]


@dataclass(frozen=True)
class Message:
    """A message as it stood when it was read."""

    channel: str
    ts: str
    thread_ts: str | None
    user: str
    bot: bool
    text: str
    blocks: tuple[Json, ...]
    reactions: dict[str, tuple[str, ...]]  # name -> ids of the users
    edited: bool
    streaming: bool
    ephemeral_for: str | None
    metadata: Json | None

    @property
    def root_ts(self) -> str:
        return self.thread_ts or self.ts

    def has_button(self, action_id: str) -> bool:
        elements = chain.from_iterable(block.get("elements", ()) for block in self.blocks)
        return any(element.get("action_id") == action_id for element in elements)

    def plain(self) -> str:
        """The readable text of its blocks, for a terminal."""
        return plain(self.text, self.blocks)


@dataclass(frozen=True)
class Call:
    """A Web API call of the bot, and how it was answered."""

    method: str
    arguments: Json
    ok: bool
    error: str
    status: int
    time: float
    lost: bool = False  # carried out, but the reply never arrived


def read_message(shown: Json) -> Message:
    """A message as the control API shows it."""
    return Message(
        channel=shown["channel"],
        ts=shown["ts"],
        thread_ts=shown.get("thread_ts"),
        user=shown["user"],
        bot="bot_id" in shown,
        text=shown["text"],
        blocks=tuple(shown.get("blocks", ())),
        reactions={r["name"]: tuple(r["users"]) for r in shown.get("reactions", ())},
        edited="edited" in shown,
        streaming=shown["streaming"],
        ephemeral_for=shown["ephemeral_for"],
        metadata=shown.get("metadata"),
    )
