"""What Slack says of people and channels: who is a guest, who is an admin, who made a channel.

Slack's user object: docs.slack.dev/reference/objects/user-object
"""

from __future__ import annotations

from typing import Any

from slack_sdk import WebClient

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import CHANNEL_HIDDEN, NO_SUCH_PERSON, SlackRefused

MOST_MEMBERS, MOST_PAGES = 1_000, 5  # of a channel: so many at a time, so often


class Directory:
    """Every method raises SlackError when Slack does not say."""

    def __init__(self, client: WebClient) -> None:
        self._client = client

    @slack_call()
    def user(self, user: str) -> dict[str, Any]:
        """Slack's user object, with the locale.

        docs.slack.dev/reference/methods/users.info
        """
        return dict(self._client.users_info(user=user, include_locale=True)["user"])

    @slack_call()
    def enterprise(self) -> str:
        """The Enterprise organization of this workspace; empty for none."""
        return str(self._client.auth_test().get("enterprise_id") or "")

    def creator(self, channel: str) -> str:
        """Whoever created the channel; empty where Slack does not show the channel to us."""
        try:
            with slack_call():
                found = self._client.conversations_info(channel=channel)["channel"]
        except SlackRefused as error:
            if error.code in CHANNEL_HIDDEN:
                return ""
            raise
        return str(found.get("creator") or "")

    def is_open(self, channel: str) -> bool:
        """Whether everybody in the workspace may read it; a channel that Slack hides is not open.

        docs.slack.dev/reference/objects/conversation-object
        """
        try:
            with slack_call():
                found = self._client.conversations_info(channel=channel)["channel"]
        except SlackRefused as error:
            if error.code in CHANNEL_HIDDEN:
                return False
            raise
        closed = ("is_private", "is_im", "is_mpim")
        return bool(found.get("is_channel")) and not any(found.get(each) for each in closed)

    def with_email(self, address: str) -> str:
        """The id of the person with this e-mail; empty for nobody, and for who has left.

        docs.slack.dev/reference/methods/users.lookupByEmail
        """
        try:
            with slack_call():
                return str(self._client.users_lookupByEmail(email=address)["user"]["id"])
        except SlackRefused as error:
            if error.code == NO_SUCH_PERSON:
                return ""
            raise

    @slack_call()
    def is_in(self, channel: str, user: str) -> bool:
        """Whether somebody is in a channel; in one of many thousands, we take it for granted.

        docs.slack.dev/reference/methods/conversations.members
        """
        pages = self._client.conversations_members(channel=channel, limit=MOST_MEMBERS)
        for _, page in zip(range(MOST_PAGES), pages, strict=False):
            if user in page["members"]:
                return True
            if not (page.get("response_metadata") or {}).get("next_cursor"):
                return False
        return True
