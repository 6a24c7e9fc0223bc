"""The protocol's JSON: pure functions.

Shapes: https://platform.openai.com/docs/api-reference/chat (object, streaming), …/embeddings
and …/models.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from base64 import b64encode
from dataclasses import dataclass, field
from math import sqrt
from struct import pack
from typing import Any
from uuid import uuid4

from sandbox.llm.scripted import Messages, all_text, tokens

Json = dict[str, Any]
DIMENSIONS = 256
MODEL = "sandbox-toy"
ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "invalid_request_error",
    429: "rate_limit_exceeded",
}


@dataclass(frozen=True)
class Reply:
    """One answer, to be sent whole or in pieces."""

    model: str
    prompt_tokens: int
    pieces: list[str]
    finish_reason: str  # stop | length
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))


def reply_to(asked: Json, text: str) -> Reply:
    """The answer to a request, cut at `max_completion_tokens` or `max_tokens`."""
    messages: Messages = asked["messages"]
    pieces = tokens(text)
    limit = asked.get("max_completion_tokens") or asked.get("max_tokens") or len(pieces)
    finish_reason = "length" if limit < len(pieces) else "stop"
    return Reply(
        str(asked["model"]), len(tokens(all_text(messages))), pieces[:limit], finish_reason
    )


def completion(reply: Reply) -> Json:
    """https://platform.openai.com/docs/api-reference/chat/object"""
    message = {"role": "assistant", "content": "".join(reply.pieces), "refusal": None}
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": reply.finish_reason,
    }
    return {**_head(reply, "chat.completion"), "choices": [choice], "usage": usage(reply)}


def events(reply: Reply, *, include_usage: bool) -> list[str]:
    """The stream: role, pieces, finish reason, with `include_usage` a chunk with usage, end mark.

    https://platform.openai.com/docs/api-reference/chat-streaming
    """
    deltas: list[tuple[Json, str | None]] = [({"role": "assistant", "content": ""}, None)]
    deltas += [({"content": piece}, None) for piece in reply.pieces]
    deltas.append(({}, reply.finish_reason))
    head = _head(reply, "chat.completion.chunk") | ({"usage": None} if include_usage else {})
    chunks = [{**head, "choices": [_delta(delta, reason)]} for delta, reason in deltas]
    if include_usage:
        chunks.append({**head, "choices": [], "usage": usage(reply)})
    return [*(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks), "data: [DONE]\n\n"]


def _delta(delta: Json, reason: str | None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}


def _head(reply: Reply, kind: str) -> Json:
    return {
        "id": reply.id,
        "object": kind,
        "created": reply.created,
        "model": reply.model,
        "system_fingerprint": "fp_sandbox",
    }


def usage(reply: Reply) -> Json:
    """Counted in the words of `tokens`, not in those of any real tokenizer."""
    written = len(reply.pieces)
    return {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": written,
        "total_tokens": reply.prompt_tokens + written,
    }


def models() -> Json:
    """https://platform.openai.com/docs/api-reference/models/list"""
    return {
        "object": "list",
        "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "sandbox"}],
    }


def embeddings(asked: Json) -> Json:
    """https://platform.openai.com/docs/api-reference/embeddings/create

    base64, which clients ask for by default, is little-endian float32.
    """
    inputs = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
    vectors = [vector(str(text), asked.get("dimensions") or DIMENSIONS) for text in inputs]
    in_base64 = asked.get("encoding_format") == "base64"
    shown = [b64encode(pack(f"<{len(v)}f", *v)).decode() if in_base64 else v for v in vectors]
    data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(shown)]
    count = sum(len(tokens(str(text))) for text in inputs)
    return {
        "object": "list",
        "model": asked["model"],
        "data": data,
        "usage": {"prompt_tokens": count, "total_tokens": count},
    }


def vector(text: str, dimensions: int) -> list[float]:
    """A unit vector in which every word adds to one hashed place: shared words make texts near."""
    places = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [""]:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        places[int.from_bytes(digest) % dimensions] += 1.0
    length = sqrt(sum(place * place for place in places))
    return [place / length for place in places]


def error(status: int, message: str = "", param: str | None = None) -> Json:
    """https://platform.openai.com/docs/guides/error-codes"""
    shown = {
        "message": message or f"ordered fault {status}",
        "type": ERROR_TYPES.get(status, "server_error"),
        "param": param,
        "code": None,
    }
    return {"error": shown}
