"""What Slack's client raises is an error of ours, by what can be done about it."""

from __future__ import annotations

import pytest
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot.slack_api.calls import slack_call
from bot.slack_api.errors import PLACE_GONE, PlaceGone, SlackRefused, SlackUnreachable


@slack_call()
def called(error: Exception) -> None:
    raise error


def refused(code: str) -> SlackApiError:
    return SlackApiError("refused", {"ok": False, "error": code})  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("code", sorted(PLACE_GONE))
def test_a_place_that_is_gone_is_an_error_of_its_own(code: str) -> None:
    with pytest.raises(PlaceGone, match=code):
        called(refused(code))


@pytest.mark.parametrize("code", ["invalid_auth", ""])
def test_any_other_refusal_keeps_its_code(code: str) -> None:
    with pytest.raises(SlackRefused) as raised:
        called(refused(code))
    assert (type(raised.value), raised.value.code) == (SlackRefused, code)


@pytest.mark.parametrize("error", [OSError("reset"), TimeoutError(), SlackRequestError("odd")])
def test_no_answer_is_no_refusal(error: Exception) -> None:
    with pytest.raises(SlackUnreachable):
        called(error)


def test_an_error_of_our_own_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        called(ZeroDivisionError())
