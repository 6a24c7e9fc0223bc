"""Slack's error codes, in one place: what each means for what we do next.

The codes of a method: docs.slack.dev/reference/methods/<method>#errors"""

from __future__ import annotations

from slack_sdk.errors import SlackApiError, SlackClientError

REFUSED_BLOCKS = {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"}

STILL_STREAMING = "streaming_state_conflict"  # of chat.update: the message still grows

# Nobody will ever read a message there, so there is no use in trying again.
PLACE_GONE = {
    "channel_not_found",
    "is_archived",
    "not_in_channel",
    "message_not_found",
    "thread_not_found",
    "cant_update_message",
    "restricted_action",
}


def is_gone(error: SlackApiError) -> bool:
    """Whether there is no place left to say anything."""
    return code(error) in PLACE_GONE


def code(error: SlackApiError) -> str:
    """Slack's name for what went wrong; empty when the reply was none of Slack's, such as the page of a proxy."""
    return str(error.response.get("error", ""))


UNREACHABLE = (
    SlackClientError,
    OSError,
)  # what a call to Slack may end in; OSError: no answer at all

CHANNEL_HIDDEN = {"channel_not_found", "missing_scope", "method_not_supported_for_channel_type"}


# docs.slack.dev/reference/methods/<method>#errors: not here, not for this app, or not for this kind of token
NOT_AVAILABLE = {
    "unknown_method",
    "method_deprecated",
    "feature_not_enabled",
    "missing_scope",
    "not_allowed",
    "not_allowed_token_type",
    "no_permission",
    "access_denied",
    "accesslimited",
    "team_access_not_granted",
    "enterprise_is_restricted",
    "deprecated_endpoint",
    "user_not_assistant_enabled",
    "not_an_agent",
}


# Refusals that the operator or an admin of the workspace can end, and nobody else: the answer is delivered once they have.
# docs.slack.dev/reference/methods/chat.postMessage#errors
NEEDS_AN_ADMIN = {
    "access_denied",
    "account_inactive",
    "ekm_access_denied",
    "enterprise_is_restricted",
    "invalid_auth",
    "missing_scope",
    "no_permission",
    "not_allowed_token_type",
    "not_authed",
    "org_login_required",
    "team_access_not_granted",
    "token_expired",
    "token_revoked",
    "two_factor_setup_required",
}


VIEW_CLOSED = {"not_found", "view_not_found"}  # the person has closed it meanwhile


FILE_NOT_READY = "invalid_blocks"

# This app, or this workspace, does not upload: docs.slack.dev/reference/methods/files.getUploadURLExternal#errors
UPLOAD_REFUSED = {
    "missing_scope",
    "not_allowed_token_type",
    "no_permission",
    "access_denied",
    "file_uploads_disabled",
    "file_uploads_except_images_disabled",
    "file_upload_size_restricted",
    "storage_limit_reached",
    "team_access_not_granted",
    "enterprise_is_restricted",
    "unknown_method",
}


FILE_IS_GONE = {"file_not_found", "file_deleted"}
