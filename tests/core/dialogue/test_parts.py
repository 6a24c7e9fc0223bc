"""Two messages of one person: one question in two parts, or two questions."""

from __future__ import annotations

import pytest

from core.dialogue.parts import is_one, joined


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I have a question about travel", "how much per night in Paris?"),
        ("quick question about the VPN", "who may use it?"),
        ("who is on call,", "and who next week?"),
        ("what is the limit for hotels?", "I mean per night"),
        ("how much is a hotel per night?", "in Paris"),
        ("ich hätte da mal eine Frage", "wie viel Urlaub habe ich?"),
        ("kann ich dich was fragen", "wer hat Bereitschaft?"),
    ],
)
def test_what_is_announced_or_goes_on_belongs_to_what_was_said_before(
    first: str, second: str
) -> None:
    assert is_one(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("who is on call?", "how do I request time off?"),
        ("travel policy", "parental leave"),
        ("I need help with my expenses", "thanks!"),
        ("I have a question about travel: how much per night?", "who is on call?"),
    ],
)
def test_what_stands_for_itself_is_asked_by_itself(first: str, second: str) -> None:
    assert not is_one(first, second)


def test_both_parts_read_as_one_text() -> None:
    assert joined("a question about travel", "how much?") == "a question about travel: how much?"
    assert joined("who is on call?", "in Paris") == "who is on call? in Paris"
