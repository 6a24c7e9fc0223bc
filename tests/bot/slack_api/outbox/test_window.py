"""How many calls go in how much time: of a value, without a clock."""

from __future__ import annotations

import pytest

from bot.slack_api.outbox.tiers import CallLimit, limits
from bot.slack_api.outbox.window import JITTER_S, SLOWER, SLOWER_FOR_S, Window, read

TIER_2 = CallLimit("chat.startStream", 20, 60.0)
NOW = 1000.0


def used(times: int, *, at: float = NOW) -> Window:
    window = Window()
    for _ in range(times):
        window = window.with_call(TIER_2, at)
    return window


def test_as_many_calls_go_at_once_as_the_tier_says() -> None:
    assert used(19).free_at(TIER_2, NOW, 1.0) == NOW
    assert used(20).free_at(TIER_2, NOW, 1.0) == NOW + 60.0 + JITTER_S


def test_in_no_minute_are_there_more_calls_than_the_tier_says() -> None:
    window, made, now = Window(), [], NOW
    for _ in range(100):
        now = window.free_at(TIER_2, now, 1.0)
        window = window.with_call(TIER_2, now)
        made.append(now)
        now += 0.7
    assert all(later - first > 60.0 for first, later in zip(made, made[20:], strict=False))


def test_a_courtesy_leaves_room_for_finals() -> None:
    window = used(8)
    assert window.free_at(TIER_2, NOW, 0.4) > NOW
    assert window.free_at(TIER_2, NOW, 1.0) == NOW


def test_a_429_holds_everybody_back_and_slows_them_down_for_a_while() -> None:
    window = used(20).refused(NOW, 5.0)
    assert Window().refused(NOW, 5.0).free_at(TIER_2, NOW, 1.0) == NOW + 5.0
    assert window.free_at(TIER_2, NOW, 1.0) == NOW + 60.0 * SLOWER + JITTER_S
    forgotten = NOW + SLOWER_FOR_S + 1
    assert window.free_at(TIER_2, forgotten, 1.0) == forgotten


def test_a_window_is_read_as_it_was_written() -> None:
    window = used(3).refused(NOW, 2.0)
    assert read(window.as_json()) == window
    assert read(None) == Window()


@pytest.mark.parametrize("channel", ["C1", "C2"])
def test_a_message_counts_in_its_channel_and_in_the_workspace(channel: str) -> None:
    keys = [limit.key for limit in limits("chat.postMessage", channel)]
    assert keys == ["chat.postMessage", f"chat.postMessage:{channel}"]


def test_a_modal_is_opened_without_asking_any_budget() -> None:
    assert limits("views.open") == ()
