"""What Slack shows of an assistant: the status of a thread, its agent session, its prompts."""

from __future__ import annotations

from collections.abc import Sequence

from bot.slack_api.capabilities import Capabilities
from bot.slack_api.outbox.urgency import Urgency
from bot.slack_api.sender import Sender, Write
from core.access.disclosure import NOTHING, Disclosure
from core.turns.turn import Address

STATUS = "assistant.threads.setStatus"
SESSION = "agents.sessions.setStatus"
PROMPTS = "assistant.threads.setSuggestedPrompts"
# The warning of a session without a Stop button.
NO_BUTTON = "missing_agent_session_stopped_event_subscription"


class SlackAssistant:
    """Every method raises SlackError, and does nothing where the workspace lacks it."""

    def __init__(self, sender: Sender, capabilities: Capabilities) -> None:
        self._sender = sender
        self._capabilities = capabilities

    def set_status(
        self,
        address: Address,
        text: str,
        loading: Sequence[str],
        *,
        shows: Disclosure,
        urgency: Urgency,
    ) -> bool:
        """Whether Slack shows it; an empty text clears it."""
        reply = self._capabilities.attempt(
            address.team,
            STATUS,
            lambda: self._sender.send(
                Write.STATUS,
                shows=shows,
                urgency=urgency,
                channel_id=address.channel,
                thread_ts=address.thread_ts,
                status=text,
                loading_messages=list(loading) or None,
            ),
        )
        return reply is not None

    def has_sessions(self, team: str) -> bool:
        """Whether Slack may have a Stop button of its own; it has until it says no."""
        return self._capabilities.may_have(team, SESSION)

    def set_session(self, address: Address, status: str, *, urgency: Urgency) -> bool:
        """Whether Slack shows a Stop button of its own."""
        reply = self._capabilities.attempt(
            address.team,
            SESSION,
            lambda: self._sender.send(
                Write.SESSION,
                shows=NOTHING,  # one of Slack's own words
                urgency=urgency,
                channel_id=address.channel,
                thread_ts=address.thread_ts,
                status=status,
            ),
        )
        if reply is None:
            return False
        if NO_BUTTON in str(reply.get("warning", "")):
            self._capabilities.mark_missing(address.team, SESSION, NO_BUTTON)
            return False
        return True

    def suggest(
        self,
        team: str,
        channel: str,
        title: str,
        prompts: Sequence[dict[str, str]],
        *,
        shows: Disclosure,
    ) -> None:
        suggested = list(prompts)
        self._capabilities.attempt(
            team,
            PROMPTS,
            lambda: self._sender.send(
                Write.PROMPTS, shows=shows, channel_id=channel, title=title, prompts=suggested
            ),
        )
