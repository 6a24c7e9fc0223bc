"""Charts in Slack: uploaded for nobody to see, then shown by a block of a message that stands already.

An upload without a channel is private until the bot's own message shows it, so one that is repeated after a crash leaves a file that
nobody ever sees, and no second message. docs.slack.dev/messaging/working-with-files
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError, SlackClientError

from bot.delivery.turn_message import TurnMessage
from bot.slack_api.errors import FILE_NOT_READY, code
from bot.views.block_kit import Block
from core import logs

# Slack looks at an uploaded file for some moments before a block may show it: github.com/slackapi/slack-github-action/issues/413
WAITS_S = (0.3, 0.7, 1.5, 3.0, 6.0)

log = logs.get(__name__)


def show(voice: TurnMessage, text: str, blocks: Sequence[Block]) -> bool:
    """Put blocks with a picture into a message that says the same without; False when Slack does not take them."""
    for wait_s in WAITS_S:
        time.sleep(wait_s)
        try:
            voice.change(text, blocks)
            return True
        except SlackApiError as error:
            if code(error) != FILE_NOT_READY:
                log.warning("picture.not_shown", error=code(error))
                return False
        except (SlackClientError, OSError) as error:
            log.warning("picture.not_shown", error=str(error))
            return False
    log.warning("picture.not_shown", error=FILE_NOT_READY)
    return False
