"""File uploads to Slack: nobody sees them until a message of ours shows them."""

from __future__ import annotations

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import UPLOAD_REFUSED, SlackError, SlackRefused
from core import logs

log = logs.get(__name__)

NAME = "evidence.png"


class FileUpload:
    """Uploads of one process; after a refusal that lasts, none is tried again."""

    def __init__(self, client: WebClient, *, wanted: bool) -> None:
        self._client = client
        self._allowed = wanted

    def upload(self, png: bytes) -> str:
        """The id of the uploaded file; empty when there is none: messages do without."""
        if not self._allowed:
            return ""
        try:
            with slack_call():
                reply = self._client.files_upload_v2(filename=NAME, file=png)
            return str(reply["files"][0]["id"])
        except SlackRefused as error:
            self._allowed = error.code not in UPLOAD_REFUSED
            log.warning("picture.refused", error=error.code, again=self._allowed)
        except SlackError as error:
            # The bytes go to another address, which no retry of the client covers.
            log.warning("picture.not_uploaded", error=str(error))
        return ""
