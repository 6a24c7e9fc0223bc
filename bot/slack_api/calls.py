"""Calls of Slack's Web API: what slack_sdk raises becomes an error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack_api.errors import SlackUnreachable, refusal


@contextmanager
def slack_call() -> Iterator[None]:
    """Around a call, or as a decorator.

    Raises:
        SlackRefused: Slack says no.
        SlackUnreachable: there is no answer.
    """
    try:
        yield
    except SlackApiError as error:
        raise refusal(code(error)) from error
    except (SlackClientError, OSError) as error:
        raise SlackUnreachable(str(error)) from error


def code(error: SlackApiError) -> str:
    """Slack's error code; empty when the reply was not Slack's, such as the page of a proxy."""
    return str(error.response.get("error", ""))


def retry_after_s(error: SlackApiError) -> float:
    """Seconds that Slack tells us to wait; one where it does not say."""
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    return float(headers.get("retry-after", 1))
