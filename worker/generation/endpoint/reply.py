"""The reply of a chat model as it comes, in pieces or at once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from core.errors import ModelUnavailable
from core.storage import clock
from core.usage import Usage
from worker.generation.endpoint.reasoning import WithoutReasoning, spoken

_BROKEN_OFF = ("length", "content_filter")  # finish reasons of a reply without its end
# Half of a character beyond the first 65,536, as JSON writes it: an endpoint may send the other
# half in its next chunk, or never. What holds one can be neither stored nor sent.
_HALF = re.compile("[\ud800-\udfff]")
_FIRST_HALF = re.compile("[\ud800-\udbff]\\Z")
_SENTENCE_ENDS = (".", "!", "?", "…", ":", "]", ")", "`", "|", "*", '"', "”", "“")


@dataclass(frozen=True)
class Reply:
    """What the model said, and what it cost."""

    text: str
    usage: Usage
    whole: bool = True  # False: it was broken off, and has no end


@dataclass
class GrowingReply:
    """What was sent so far; nothing of it is validated, so any field may lack."""

    text: str = ""
    heard_at: float = field(default_factory=clock.now)  # the last sign of life
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    _finished: str = ""
    _cut_off: bool = False
    _half: str = ""  # that the last chunk ended with
    _shown: WithoutReasoning = field(default_factory=WithoutReasoning)

    def add(self, chunk: Any) -> str:
        """Add a chunk, or a whole completion; the text in it that may be shown.

        Reasoning and calls of tools are signs of life, and no text.
        """
        self.heard_at = clock.now()
        usage = getattr(chunk, "usage", None)
        if usage:
            self.usage = with_tokens(self.usage, usage)
        choices = getattr(chunk, "choices", None)
        if not choices:
            return ""
        choice = choices[0]
        self._finished = getattr(choice, "finish_reason", None) or self._finished
        piece = self._shown.add(self._in_whole_characters(said(choice)))
        self.text += piece
        return piece

    def break_off(self) -> None:
        """No more will come, though it was not at its end."""
        self._cut_off = True

    def reply(self, *, seconds: float) -> Reply:
        """What was said.

        Raises:
            ModelUnavailable: nothing.
        """
        text = spoken(self.text).strip()
        if not text:
            raise ModelUnavailable(self._why_empty())
        usage = self.usage.model_copy(update={"seconds": round(seconds, 3)})
        return Reply(text, usage, whole=self._is_whole(text))

    def _in_whole_characters(self, piece: str) -> str:
        piece = self._half + piece
        ends = _FIRST_HALF.search(piece)
        self._half = ends[0] if ends else ""
        whole = piece.removesuffix(self._half)
        if not _HALF.search(whole):
            return whole
        return whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _is_whole(self, text: str) -> bool:
        if self._cut_off or self._finished in _BROKEN_OFF:
            return False
        # Some endpoints never say why they end, and a proxy may end a reply for them.
        return bool(self._finished) or text.endswith(_SENTENCE_ENDS)

    def _why_empty(self) -> str:
        if self._finished == "tool_calls":
            return "the model called a tool instead of answering"
        if not self._finished:
            return "the reply of the model at LLM_BASE_URL ended before the answer did"
        return "the model returned an empty answer"


def said(choice: Any) -> str:
    """The text of a choice: a string, or parts of which some are reasoning."""
    message = getattr(choice, "delta", None) or getattr(choice, "message", None)
    content = getattr(message, "content", None) or ""
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(str(part.get("text") or "") for part in parts)


def with_tokens(usage: Usage, said: Any) -> Usage:
    """The usage with the tokens that the endpoint has counted."""
    tokens = {
        "prompt_tokens": getattr(said, "prompt_tokens", None) or 0,
        "completion_tokens": getattr(said, "completion_tokens", None) or 0,
    }
    return usage.model_copy(update=tokens)
