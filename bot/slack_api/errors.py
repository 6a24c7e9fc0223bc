"""Slack's error codes in one place: what each one means for what we do next.

    SlackError
    ├── Unconfirmed        the gate has stopped it, so Slack was not even asked
    ├── Dropped            Slack takes no more calls now, and this one can be done without
    ├── SlackUnreachable   no answer at all, or none that Slack's client understands
    └── SlackRefused       Slack says no, with a code
        └── PlaceGone          there is no place left to post in

The codes of a method: docs.slack.dev/reference/methods/<method>#errors
"""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import GroundwireError

# The message is fine, its blocks are not: it goes out as plain text.
# docs.slack.dev/reference/methods/chat.postMessage#errors
REFUSED_BLOCKS = {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"}

# The message is still a stream, which has to be stopped before it is changed.
# docs.slack.dev/reference/methods/chat.update#errors
STILL_STREAMING = "streaming_state_conflict"

# Nobody will ever read a message there, so there is no use in a retry.
# docs.slack.dev/reference/methods/chat.postMessage#errors, and those of chat.update
PLACE_GONE = {
    "channel_not_found",
    "is_archived",
    "not_in_channel",
    "message_not_found",
    "thread_not_found",
    "cant_update_message",
    "restricted_action",
}

# Too many calls: docs.slack.dev/apis/web-api/rate-limits
RATE_LIMITED = "ratelimited"

# Slack does not tell us about this channel, such as a private one without the bot.
# docs.slack.dev/reference/methods/conversations.info#errors
CHANNEL_HIDDEN = {"channel_not_found", "missing_scope", "method_not_supported_for_channel_type"}

# docs.slack.dev/reference/methods/users.lookupByEmail#errors
NO_SUCH_PERSON = "users_not_found"

# The method does not exist here, for this app, or for this kind of token.
# docs.slack.dev/reference/methods/<method>#errors
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

# Nothing of this message can be posted there, however often it is tried.
# docs.slack.dev/reference/methods/chat.postMessage#errors
NEVER_TAKEN = REFUSED_BLOCKS | {
    "cannot_reply_to_message",
    "invalid_arg_name",
    "invalid_arguments",
    "invalid_metadata_format",
    "markdown_text_conflict",
    "metadata_must_be_sent_from_app",
    "metadata_too_large",
    "no_text",
}

# Slack may have done it all the same; empty: a proxy's page, which says nothing of Slack.
# docs.slack.dev/reference/methods/chat.postMessage#errors
UNSURE = {"", "internal_error", "fatal_error", "service_unavailable", "request_timeout"}

# Only the operator or an admin can end this; the answer is delivered once they have.
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

# Of these, the ones that say so of the token itself.
TOKEN_REFUSED = {"account_inactive", "invalid_auth", "token_expired", "token_revoked"}

# The person has closed the modal meanwhile.
# docs.slack.dev/reference/methods/views.update#errors
VIEW_CLOSED = {"not_found", "view_not_found"}

# Slack is still processing the upload: github.com/slackapi/slack-github-action/issues/413
FILE_NOT_READY = "invalid_blocks"

# This app, or this workspace, does not upload files.
# docs.slack.dev/reference/methods/files.getUploadURLExternal#errors
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

# The file is deleted already.
# docs.slack.dev/reference/methods/files.delete#errors
FILE_IS_GONE = {"file_not_found", "file_deleted"}


class SlackError(GroundwireError):
    """A call to Slack did not do what it should."""


class Unconfirmed(SlackError):
    """The gate has stopped it: pages that it gives away are not confirmed for its readers now."""

    def __init__(self, pages: Sequence[str]) -> None:
        super().__init__(" ".join(pages))


class Dropped(SlackError):
    """The outbox has no room for it now, and nobody needs it later."""


class SlackUnreachable(SlackError):
    """No answer at all, or none that Slack's client understands."""


class SlackRefused(SlackError):
    """Slack says no; the code is empty when the reply was not Slack's, such as a proxy's page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PlaceGone(SlackRefused):
    """There is no place left to post in."""


def surely_not_done(error: SlackError) -> bool:
    """Whether Slack has surely not done it."""
    if isinstance(error, SlackRefused):
        return error.code not in UNSURE
    return isinstance(error, (Unconfirmed, Dropped))


def refusal(code: str) -> SlackRefused:
    """The error of this code."""
    return PlaceGone(code) if code in PLACE_GONE else SlackRefused(code)
