"""ClaimVerdicts in a reply: each claim has exactly one, or there are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from worker.generation.second_reader.verdicts import ClaimVerdicts, verdicts


@pytest.mark.parametrize(
    "reply",
    [
        "1: The page says 110 EUR | yes\n2: No bus is named | no\n0: the price | yes",
        "1: | Yes.\n\n2: | NO\n\n0: | Yes",
        "0. **yes**\n1. **yes**\n2. **no**",
        "Here you are:\n- 1: said there | yes\n- 2: yes, but of Lisbon | no\n- 0: no more | yes",
        "1: yes\r\n2: no\r\n0: yes",
    ],
)
def test_the_last_word_of_each_line_counts(reply: str) -> None:
    assert verdicts(reply, 2) == ClaimVerdicts((True, False), answers=True)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "yes",
        "1: yes\n0: yes",
        "1: yes\n2: no",
        "1: yes\n2: perhaps\n0: yes",
        "1: yes\n2: no\n3: no\n0: yes",
        "A hotel in Porto costs up to 110 EUR a night [1].",
        "1: yes\n2: no\n2: yes\n0: yes",
        "1: yes or no\n2: no\n0: yes",
        "1: it is not the case that the answer is yes\n2: no\n0: yes",
    ],
)
def test_a_reply_that_does_not_tell_of_each_once_tells_nothing(reply: str) -> None:
    assert verdicts(reply, 2) is None


@given(some.text(), some.integers(1, 5))
def test_no_reply_breaks_it(reply: str, count: int) -> None:
    found = verdicts(reply, count)
    assert found is None or len(found.said) == count
