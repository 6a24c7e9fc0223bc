"""Claims of an answer, and what each is read behind."""

from __future__ import annotations

import pytest

from worker.support.claims import LONGEST_BEFORE, claims


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (
            "Days of leave:\n- Kassel: 30\n- Porto: 25 [1].\n\nIt is so. Ask Ana.",
            ["Days of leave:\n- Kassel: 30", "Days of leave: Porto: 25.", "It is so.", "Ask Ana."],
        ),
        (
            "**Days of leave:**\n\n- Kassel has many. They count twice.\n- Porto has 25.",
            [
                "Days of leave: Kassel has many.",
                "Kassel has many. They count twice.",
                "Days of leave: Porto has 25.",
            ],
        ),
        (
            "Days of leave:\n\n- Porto has 25.\n\nAsk Ana.\n\n- Or ask Ben.",
            ["Days of leave: Porto has 25.", "Ask Ana.", "Or ask Ben."],
        ),
        (
            "Gateways are backed up at night. They restart then.",
            [
                "Gateways are backed up at night.",
                "Gateways are backed up at night. They restart then.",
            ],
        ),
    ],
)
def test_an_item_and_what_goes_on_are_read_behind_what_leads_to_them(
    answer: str, read: list[str]
) -> None:
    assert [each.read for each in claims(answer)] == read


def test_of_what_is_long_its_end_leads_to_a_claim() -> None:
    before = "Gateways are backed up " + "again and " * 40 + "again."
    *_, last = claims(f"{before} They restart then.")
    assert last.read.endswith("again and again. They restart then.")
    assert len(last.read) <= LONGEST_BEFORE + len(" They restart then.")
