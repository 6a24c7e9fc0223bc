"""assistant.threads.* and agents.sessions.*: status of the bot, and suggested prompts."""

from __future__ import annotations

import time

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace.values import Json, Refused, Status
from sandbox.slack.workspace.world import Sandbox

# docs.slack.dev/reference/methods/assistant.threads.setStatus: "A two minute timeout applies"
STATUS_S = 120.0
LIFECYCLE = ("active", "processing", "suspended", "closed")


def set_status(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/assistant.threads.setStatus: an empty status clears it."""
    where = _thread(sandbox, a)
    text, loading = a.text("status"), tuple(a.value("loading_messages") or ())
    if text is None or len(loading) > 10:
        raise Refused("invalid_arguments")
    sandbox.now.statuses[where] = Status(text, loading, time.time() + STATUS_S)
    if not text:
        del sandbox.now.statuses[where]
    sandbox.changes.tell("status", *where)
    return {}


def set_suggested_prompts(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts: at most four.

    Each has a title and a message.
    """
    channel = sandbox.team.channel(a.needed("channel_id", "channel_not_found"))
    prompts = a.value("prompts")
    if (
        not isinstance(prompts, list)
        or not 1 <= len(prompts) <= 4
        or not all(p.get("title") and p.get("message") for p in prompts)
    ):
        raise Refused("invalid_arguments")
    sandbox.now.prompts[channel.id] = {"title": a.text("title") or "", "prompts": prompts}
    sandbox.changes.tell("prompts", channel.id)
    return {}


def set_session_status(sandbox: Sandbox, a: Arguments) -> Json:
    """docs.slack.dev/reference/methods/agents.sessions.setStatus

    While it is processing, people see a stop button.
    """
    where = _thread(sandbox, a)
    status = a.needed("status")
    if status not in LIFECYCLE:
        raise Refused("invalid_arguments", f"must be one of {', '.join(LIFECYCLE)}")
    sandbox.now.sessions[where] = status
    sandbox.changes.tell("status", *where)
    return {"agent_status": status, "title": a.text("title") or ""}


def _thread(sandbox: Sandbox, a: Arguments) -> tuple[str, str]:
    channel = sandbox.team.channel(a.needed("channel_id", "channel_not_found"))
    thread_ts = a.needed("thread_ts", "invalid_thread_ts")
    return sandbox.team.thread(channel.id, thread_ts)[0].channel, thread_ts
