"""Charts in Slack: uploaded for nobody to see, then shown by a block of a message that stands already.

An upload without a channel is private until the bot's own message shows it, so one that is repeated after a crash leaves a file that
nobody ever sees, and no second message. docs.slack.dev/messaging/working-with-files
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.delivery.turn_message import Voice, code
from bot.views.block_kit import Block
from core import logs

NAME = "evidence.png"
# Slack looks at an uploaded file for some moments before a block may show it: github.com/slackapi/slack-github-action/issues/413
WAITS_S = (0.3, 0.7, 1.5, 3.0, 6.0)
NOT_YET = "invalid_blocks"
# This app, or this workspace, does not upload: docs.slack.dev/reference/methods/files.getUploadURLExternal#errors
NOT_ALLOWED = {
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

log = logs.get(__name__)


class Pictures:
    """Uploads of one process; where they are not allowed, that is found out once."""

    def __init__(self, client: WebClient, *, wanted: bool) -> None:
        self._client = client
        self._allowed = wanted

    def upload(self, png: bytes) -> str:
        """The id of the uploaded file; empty when there is none, which is no reason not to say what it shows."""
        if not self._allowed:
            return ""
        try:
            reply = self._client.files_upload_v2(filename=NAME, file=png)
            return str(reply["files"][0]["id"])
        except SlackApiError as error:
            self._allowed = code(error) not in NOT_ALLOWED
            log.warning("picture.refused", error=code(error), again=self._allowed)
        except (SlackClientError, OSError) as error:  # the bytes go to another address, which no retry of the client covers
            log.warning("picture.not_uploaded", error=str(error))
        return ""


def show(voice: Voice, text: str, blocks: Sequence[Block]) -> bool:
    """Put blocks with a picture into a message that says the same without; False when Slack does not take them."""
    for wait_s in WAITS_S:
        time.sleep(wait_s)
        try:
            voice.change(text, blocks)
            return True
        except SlackApiError as error:
            if code(error) != NOT_YET:
                log.warning("picture.not_shown", error=code(error))
                return False
        except (SlackClientError, OSError) as error:
            log.warning("picture.not_shown", error=str(error))
            return False
    log.warning("picture.not_shown", error=NOT_YET)
    return False
