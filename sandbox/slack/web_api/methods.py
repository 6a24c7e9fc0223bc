"""The Web API's methods, by family; each follows docs.slack.dev/reference/methods/<its name>."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.slack.web_api import (
    agents,
    chat,
    conversations,
    files,
    history,
    oauth,
    streams,
    views,
)
from sandbox.slack.web_api.arguments import Arguments
from sandbox.slack.workspace.values import Json
from sandbox.slack.workspace.world import Sandbox

Method = Callable[[Sandbox, Arguments], Json]

METHODS: dict[str, Method] = {
    "chat.postMessage": chat.post_message,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.update": chat.update,
    "chat.delete": chat.delete,
    "chat.getPermalink": chat.get_permalink,
    "chat.startStream": streams.start,
    "chat.appendStream": streams.append,
    "chat.stopStream": streams.stop,
    "auth.test": conversations.auth_test,
    "auth.revoke": oauth.revoke,
    "apps.uninstall": oauth.uninstall,
    "conversations.history": history.history,
    "conversations.replies": history.replies,
    "conversations.list": history.channels,
    "users.conversations": history.channels,
    "conversations.open": conversations.open_direct,
    "conversations.info": conversations.info,
    "conversations.members": conversations.members,
    "users.info": conversations.user_info,
    "users.lookupByEmail": conversations.by_email,
    "reactions.add": conversations.add_reaction,
    "reactions.remove": conversations.remove_reaction,
    "files.getUploadURLExternal": files.get_upload_url,
    "files.completeUploadExternal": files.complete_upload,
    "files.delete": files.delete,
    "views.open": views.open_modal,
    "views.update": views.update,
    "views.publish": views.publish,
    "assistant.threads.setStatus": agents.set_status,
    "assistant.threads.setSuggestedPrompts": agents.set_suggested_prompts,
    "agents.sessions.setStatus": agents.set_session_status,
}
