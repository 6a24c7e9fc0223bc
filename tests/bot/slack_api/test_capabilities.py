"""Methods that a workspace does not have are tried once for each team."""

from __future__ import annotations

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack_api.capabilities import Capabilities
from bot.slack_api.errors import NOT_AVAILABLE, SlackRefused


class Slack:
    """A workspace that refuses everything in the same way."""

    def __init__(self, error: str) -> None:
        self.error = error
        self.asked = 0

    def call(self) -> SlackResponse:
        self.asked += 1
        raise SlackApiError("refused", {"ok": False, "error": self.error})  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("error", sorted(NOT_AVAILABLE))
def test_what_is_missing_is_asked_for_once(error: str) -> None:
    newer, slack = Capabilities(), Slack(error)
    assert [newer.attempt("T1", "chat.startStream", slack.call) for _ in range(3)] == [None] * 3
    assert slack.asked == 1


def test_another_team_and_another_method_are_other_questions() -> None:
    newer, slack = Capabilities(), Slack("unknown_method")
    for team, method in (("T1", "a"), ("T2", "a"), ("T1", "b"), ("T2", "a")):
        newer.attempt(team, method, slack.call)
    assert slack.asked == 3


def test_a_refusal_of_this_very_call_says_nothing_about_the_next() -> None:
    newer, slack = Capabilities(), Slack("channel_not_found")
    for _ in range(2):
        with pytest.raises(SlackRefused):
            newer.attempt("T1", "a", slack.call)
    assert slack.asked == 2
