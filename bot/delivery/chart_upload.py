"""Shows an uploaded chart in a message that was posted without it.

An upload without a channel is private until a message of the bot shows it, so one that is repeated
after a crash leaves a file that nobody ever sees, and no second message.
docs.slack.dev/messaging/working-with-files
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from bot.delivery.turn_message import TurnMessage
from bot.slack_api.errors import FILE_NOT_READY, SlackError, SlackRefused
from bot.views.block_kit import Block
from core import logs
from core.access.disclosure import Disclosure

# Slack processes an uploaded file for some moments before a block may show it.
WAITS_S = (0.3, 0.7, 1.5, 3.0, 6.0)

log = logs.get(__name__)


def show(
    message: TurnMessage,
    text: str,
    blocks: Sequence[Block],
    *,
    shows: Disclosure,
) -> bool:
    """Replace a message by one with a picture; False when Slack does not take it."""
    for wait_s in WAITS_S:
        time.sleep(wait_s)
        try:
            message.update(text, blocks, shows=shows)
            return True
        except SlackRefused as error:
            if error.code != FILE_NOT_READY:
                log.warning("picture.not_shown", error=error.code)
                return False
        except SlackError as error:
            log.warning("picture.not_shown", error=str(error))
            return False
    log.warning("picture.not_shown", error=FILE_NOT_READY)
    return False
