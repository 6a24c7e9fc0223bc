"""The weekly digest of the sample company: due at once, for a channel where somebody reads it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from sandbox.programs.stack import Stack
from sandbox.slack.client import Message, Workspace

CHANNEL = "C0HR"  # whose pages most of the week's questions are about
WAIT_S = 60.0


def send(stack: Stack, workspace: Workspace) -> Message | None:
    """Have it sent by a program that starts anew; None when it did not come in time."""
    stack.settle(DIGEST_CHANNELS=CHANNEL, DIGEST_AT=due_now())
    stack.kill("explainer")
    stack.restart("explainer")
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        for each in workspace.messages(CHANNEL):
            if each.bot and each.has_button("digest_fixed"):
                return each
        time.sleep(0.5)
    return None


def due_now() -> str:
    """A time of the week that was a moment ago, in UTC."""
    moment = datetime.now(UTC) - timedelta(minutes=1)
    return f"{moment:%a %H:%M}".lower()
