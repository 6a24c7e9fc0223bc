"""chat.*: messages of the bot, within the limits that Slack documents."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace

from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.web_api.block_kit import MARKDOWN_CHARACTERS, accept
from sandbox.slack.web_api.files import check_shown
from sandbox.slack.workspace.events import as_slack
from sandbox.slack.workspace.values import Channel, Json, Message, Refused
from sandbox.slack.workspace.world import Sandbox

STREAM_S = 300.0  # "~5 minutes": github.com/slackapi/python-slack-sdk/issues/1859
TEXT_CHARACTERS = 40_000  # docs.slack.dev/changelog/2018-truncating-really-long-messages
# docs.slack.dev/reference/methods/chat.update#errors, msg_too_long; counted in bytes of UTF-8
UPDATE_BYTES = 4_000
BLOCKS_CHARACTERS = 13_000  # of JSON, as measured in github.com/slackapi/bolt-js/issues/2509


@dataclass(frozen=True)
class Content:
    """What a message is to say; None where the call left it out."""

    text: str | None
    blocks: tuple[Json, ...] | None
    metadata: Json | None


def content(sandbox: Sandbox, a: Arguments) -> Content:
    """The content of a call, checked."""
    text, blocks, markdown = (
        a.text("text"),
        a.value("blocks", "invalid_blocks_format"),
        a.text("markdown_text"),
    )
    if markdown is not None:
        blocks = [_markdown(markdown, conflicts=bool(text or blocks))]
        text = markdown
    if len(text or "") > TEXT_CHARACTERS:
        raise Refused("msg_too_long")
    if blocks is not None and not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    if len(json.dumps(blocks, ensure_ascii=False)) > BLOCKS_CHARACTERS:
        raise Refused("msg_blocks_too_long")
    accepted = None if blocks is None else accept(blocks)
    check_shown(sandbox, accepted or ())
    return Content(text, accepted, metadata(a))


def _markdown(text: str, *, conflicts: bool) -> Json:
    if conflicts:
        raise Refused("markdown_text_conflict")
    if len(text) > MARKDOWN_CHARACTERS:
        raise Refused("msg_too_long")
    return {"type": "markdown", "text": text}


def metadata(a: Arguments) -> Json | None:
    """docs.slack.dev/messaging/message-metadata: event_type and event_payload, both needed."""
    value = a.value("metadata", "invalid_metadata_format")
    if value is None:
        return None
    if (
        not isinstance(value, dict)
        or not value.get("event_type")
        or not isinstance(value.get("event_payload"), dict)
    ):
        raise Refused("invalid_metadata_format")
    return value


def post_message(sandbox: Sandbox, a: Arguments) -> Json:
    channel = _recipient(sandbox, a.needed("channel", "channel_not_found"))
    said = content(sandbox, a)
    if not said.text and not said.blocks:
        raise Refused("no_text")
    thread_ts = a.text("thread_ts")
    message = sandbox.team.post(
        channel.id,
        sandbox.ids.bot_user,
        said.text or "",
        thread_ts=thread_ts,
        blocks=said.blocks or (),
        metadata=said.metadata,
    )
    # docs.slack.dev/reference/methods/assistant.threads.setStatus:
    # cleared "when the app sends a reply"
    sandbox.now.statuses.pop((channel.id, message.root_ts), None)
    return _reply(sandbox.posted(message))


def _recipient(sandbox: Sandbox, given: str) -> Channel:
    # docs.slack.dev/reference/methods/chat.postMessage:
    # "pass a user's ID to send it to their direct messages"
    if given in sandbox.team.users:
        return sandbox.team.direct(sandbox.team.users[given])
    return sandbox.team.channel(given)


def post_ephemeral(sandbox: Sandbox, a: Arguments) -> Json:
    channel, said = (
        sandbox.team.channel(a.needed("channel", "channel_not_found")),
        content(sandbox, a),
    )
    user = sandbox.team.users.get(a.needed("user", "no_user"))
    if user is None or (channel.is_im and channel.user != user.id):
        raise Refused("user_not_in_channel")
    if not said.text and not said.blocks:
        raise Refused("no_text")
    thread_ts = a.text("thread_ts")
    message = sandbox.team.post(
        channel.id,
        sandbox.ids.bot_user,
        said.text or "",
        thread_ts=thread_ts,
        blocks=said.blocks or (),
        ephemeral_for=user.id,
    )
    sandbox.changes.tell(
        "message", channel.id, message.ts
    )  # no event: nobody but that person ever sees it
    return {"message_ts": message.ts}


def update(sandbox: Sandbox, a: Arguments) -> Json:
    before = own(sandbox, a, "cant_update_message")
    if grows(before):
        raise Refused(
            "streaming_state_conflict"
        )  # docs.slack.dev/reference/methods/chat.update#errors
    said = content(sandbox, a)
    if said.text is None and said.blocks is None:
        raise Refused("no_text")
    if len((said.text or "").encode()) > UPDATE_BYTES:
        raise Refused("msg_too_long")
    return _reply(sandbox.changed(before, changed(before, said, sandbox.team.new_ts())))


def changed(before: Message, said: Content, ts: str) -> Message:
    """docs.slack.dev/reference/methods/chat.update: blocks that the call leaves out stay."""
    return replace(
        before,
        text=before.text if said.text is None else said.text,
        blocks=before.blocks if said.blocks is None else said.blocks,
        metadata=before.metadata if said.metadata is None else said.metadata,
        edited_ts=ts,
        streaming=False,
    )


def delete(sandbox: Sandbox, a: Arguments) -> Json:
    message = own(sandbox, a, "cant_delete_message")
    sandbox.deleted(message)
    return {"channel": message.channel, "ts": message.ts}


def get_permalink(sandbox: Sandbox, a: Arguments) -> Json:
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    message = sandbox.team.message(channel.id, a.needed("message_ts", "message_not_found"))
    thread = f"?thread_ts={message.thread_ts}&cid={channel.id}" if message.is_reply else ""
    archive = f"https://{sandbox.ids.domain}.slack.com/archives/{channel.id}"
    link = f"{archive}/p{message.ts.replace('.', '')}{thread}"
    return {"channel": channel.id, "permalink": link}


def own(sandbox: Sandbox, a: Arguments, otherwise: str) -> Message:
    """The bot's own message that a call is about; ephemeral messages cannot be found again."""
    channel = sandbox.team.channel(a.needed("channel", "channel_not_found"))
    message = sandbox.team.message(channel.id, a.needed("ts", "message_not_found"))
    if message.ephemeral_for:
        raise Refused("message_not_found")
    if not message.by_bot:
        raise Refused(otherwise)
    return message


def grows(message: Message) -> bool:
    """Whether it is a stream that was neither stopped nor forgotten."""
    return message.streaming and time.time() - float(message.ts) < STREAM_S


def _reply(message: Message) -> Json:
    return {
        "channel": message.channel,
        "ts": message.ts,
        "text": message.text,
        "message": as_slack(message),
    }
