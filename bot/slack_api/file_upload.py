"""Files uploaded for nobody to see, until a message of ours shows them."""

from __future__ import annotations

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack_api.errors import UPLOAD_REFUSED, code
from core import logs

log = logs.get(__name__)

NAME = "evidence.png"


class FileUpload:
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
            self._allowed = code(error) not in UPLOAD_REFUSED
            log.warning("picture.refused", error=code(error), again=self._allowed)
        except (
            SlackClientError,
            OSError,
        ) as error:  # the bytes go to another address, which no retry of the client covers
            log.warning("picture.not_uploaded", error=str(error))
        return ""
