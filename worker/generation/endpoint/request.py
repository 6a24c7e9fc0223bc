"""The request to a chat model, without the parameters that its endpoint has refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import openai

SYSTEM = "system"  # the role: the instructions then stand at the top of the user's message

# What an endpoint can do without, and how an error names it. One that speaks of two is answered by
# leaving out the first: `stream_options` is often refused together with `stream`.
_NAMED = {
    "stream_options": re.compile(r"\bstream_options\b|\binclude_usage\b"),
    "temperature": re.compile(r"\btemperature\b"),
    "seed": re.compile(r"\bseed\b"),
    "stream": re.compile(r"\bstream(ing|ed)?\b"),
    SYSTEM: re.compile(r"\bsystem\b|\broles?\b"),
}
# 500: some servers say so when the model's chat template knows no system role.
_REFUSALS = (400, 422, 500, 501)


@dataclass(frozen=True)
class ModelRequest:
    """A question to a model, and how its words are chosen."""

    model: str
    user: str
    system: str = ""
    sampling: dict[str, float] = field(default_factory=dict)  # temperature and seed
    streams: bool = True

    def body(self, left_out: frozenset[str]) -> dict[str, Any]:
        """What is sent: https://platform.openai.com/docs/api-reference/chat/create."""
        body: dict[str, Any] = {"model": self.model, **self.sampling}
        body["messages"] = self._messages(apart=SYSTEM not in left_out)
        if self.streams and "stream" not in left_out:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return {name: value for name, value in body.items() if name not in left_out}

    def refused(self, error: openai.APIStatusError, left_out: frozenset[str]) -> str | None:
        """What of the sent parameters the endpoint does not take; None when it is none of them."""
        if error.status_code not in _REFUSALS:
            return None
        sent = self.body(left_out)
        said = (error.param or f"{error.message} {error.body}").lower()
        for name, naming in _NAMED.items():
            is_sent = self.system and name not in left_out if name == SYSTEM else name in sent
            if is_sent and naming.search(said):
                return name
        return None

    def _messages(self, *, apart: bool) -> list[dict[str, str]]:
        if not self.system:
            return [{"role": "user", "content": self.user}]
        if not apart:
            return [{"role": "user", "content": f"{self.system}\n\n{self.user}"}]
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]


class Refusals:
    """The refusals of an endpoint: what it does not take of a model's parameters.

    Kept as long as the process runs, once a request without them was answered: an error may name
    a parameter by chance.
    """

    def __init__(self) -> None:
        self.left_out: frozenset[str] = frozenset()

    def remember(self, left_out: frozenset[str]) -> None:
        self.left_out |= left_out
