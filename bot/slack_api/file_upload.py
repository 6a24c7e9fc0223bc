"""File uploads to Slack: nobody sees them until a message of ours shows them."""

from __future__ import annotations

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import UPLOAD_REFUSED, SlackError, SlackRefused
from bot.slack_api.sender import Sender, Write
from core import logs
from core.access.disclosure import Disclosure

log = logs.get(__name__)

NAME = "evidence.png"


class FileUpload:
    """Uploads of one process; after a refusal that lasts, none is tried again."""

    def __init__(self, sender: Sender, *, wanted: bool) -> None:
        self._sender = sender
        self._allowed = wanted

    def upload(self, png: bytes, *, shows: Disclosure) -> str:
        """The id of the uploaded file; empty when there is none: messages do without."""
        if not self._allowed:
            return ""
        try:
            with slack_call():
                reply = self._sender.send(Write.UPLOAD, shows=shows, filename=NAME, file=png)
            return str(reply["files"][0]["id"])
        except SlackRefused as error:
            self._allowed = error.code not in UPLOAD_REFUSED
            log.warning("picture.refused", error=error.code, again=self._allowed)
        except SlackError as error:
            # The bytes go to another address, which no retry of the client covers.
            log.warning("picture.not_uploaded", error=str(error))
        return ""
