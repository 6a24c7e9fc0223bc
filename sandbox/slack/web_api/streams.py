"""chat.*Stream: streamed messages; only the text of chunks is kept, no tasks and plans."""

from __future__ import annotations

from dataclasses import replace

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.web_api.block_kit import MARKDOWN_CHARACTERS
from sandbox.slack.web_api.chat import content, grows, own
from sandbox.slack.workspace.values import Json, Message, Refused
from sandbox.slack.workspace.world import Sandbox


def start(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/chat.startStream: a reply; in a channel to somebody."""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    thread_ts = a.needed("thread_ts", "invalid_thread_ts")
    if not channel.is_im:
        a.needed("recipient_user_id", "missing_recipient_user_id")
        a.needed("recipient_team_id", "missing_recipient_team_id")
    message = sandbox.team.post(
        channel.id, sandbox.ids.bot_user, _piece(a), thread_ts=thread_ts, streaming=True
    )
    # It makes a session and lets it go again: github.com/agentconnect-md/agentconnect/pull/1483
    sandbox.now.sessions[channel.id, thread_ts] = "processing"
    sandbox.now.statuses.pop((channel.id, thread_ts), None)
    sandbox.changes.tell("message", channel.id, message.ts)
    return {"channel": channel.id, "ts": message.ts}


def append(sandbox: Sandbox, a: Arguments) -> Json:
    message = _streaming(sandbox, a)
    sandbox.team.keep(replace(message, text=message.text + _piece(a)))
    sandbox.changes.tell("message", message.channel, message.ts)
    return {"channel": message.channel, "ts": message.ts}


def stop(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/chat.stopStream: blocks given now stand under the text."""
    message = _streaming(sandbox, a)
    said = content(
        sandbox, Arguments({k: v for k, v in a.given.items() if k in ("blocks", "metadata")})
    )
    text = message.text + _piece(a)
    blocks = (*_as_blocks(text), *(said.blocks or ()))
    done = sandbox.team.keep(
        replace(message, text=text, blocks=blocks, metadata=said.metadata, streaming=False)
    )
    sandbox.now.sessions[message.channel, message.root_ts] = a.text("session_status") or "active"
    sandbox.posted(done)
    return {"channel": message.channel, "ts": message.ts, "message": {"text": text}}


def _streaming(sandbox: Sandbox, a: Arguments) -> Message:
    message = own(sandbox, a, "message_not_owned_by_app")
    if not grows(message):
        raise Refused("message_not_in_streaming_state")
    return message


def _piece(a: Arguments) -> str:
    chunks = a.value("chunks") or []
    text = (a.text("markdown_text") or "") + "".join(
        c.get("text", "") for c in chunks if c.get("type") == "markdown_text"
    )
    if len(text) > MARKDOWN_CHARACTERS:
        raise Refused("msg_too_long")
    return text


def _as_blocks(text: str) -> tuple[Json, ...]:
    return ({"type": "markdown", "text": text, "block_id": "stream"},) if text else ()
