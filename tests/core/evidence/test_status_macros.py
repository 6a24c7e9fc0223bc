"""What Confluence's status macro says where a page or a section begins."""

from __future__ import annotations

import pytest

from core.evidence.lexical.page_status import says_outdated


@pytest.mark.parametrize(
    "opening",
    [
        "[OUTDATED]",
        "[VERALTET] Die Nacht kostet 5 EUR.",
        "[Deprecated: see Rates 2026]",
        "[OUTDATED SINCE 2025]",
        "[HR] [NO LONGER VALID] Rates",
        "[NICHT MEHR GÜLTIG]\nTarife",
        "Status: [ARCHIVED]",
        "Owner: Kim\nStatus: [RETIRED]",
        "| Owner | Kim |\n| Status | [Superseded] |",
    ],
)
def test_it_says_that_this_is_not_to_go_by(opening: str) -> None:
    assert says_outdated(opening)


@pytest.mark.parametrize(
    "opening",
    [
        "[DONE] Rates",
        "[IN PROGRESS]",
        "Status: [CURRENT]",
        "Pump A is [OBSOLETE], pump B is not.",
        "Projects: A [DONE], B [ARCHIVED]",
        "| Project | Owner |\n| A [ARCHIVED] | Kim |",
    ],
)
def test_of_a_thing_on_the_page_it_says_nothing_of_the_page(opening: str) -> None:
    assert not says_outdated(opening)
