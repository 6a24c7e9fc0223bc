"""Where a sentence of an answer ends, in both languages."""

from __future__ import annotations

import pytest

from worker.attribution.statistics.answer_distance import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The meeting is at 11:30. Lisa leads it.", 2),
        ("Das Treffen ist um 11:30. Lisa leitet es.", 2),
        ("Es wiegt 2,5. Lisa trägt es.", 2),
        ("Das gilt ab dem 3. Mai in Bonn.", 1),
    ],
)
def test_a_time_or_a_decimal_ends_a_sentence_and_an_ordinal_does_not(text: str, parts: int) -> None:
    assert len(sentences(text)) == parts
