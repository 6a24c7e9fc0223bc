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
        "Owner | Kim\nStatus | [Superseded]",
        "Note: [OUTDATED] See the rates of 2026.",
        "[DRAFT] [NICHT FREIGEGEBEN] Stand: Mai",
        "[DO NOT USE] Rates",
        "Owner | Kim\nPage status | [OUTDATED]\nReview | [OPEN]",
        "Seitenstatus | [NICHT MEHR GÜLTIG]",
        "Status | Outdated",
        "Note: No longer valid: see the rates of 2026.",
        "Warning: [VERALTET]",
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
        "Project | Owner\nA [ARCHIVED] | Kim",
        "New pages get the status [DRAFT] until the owner has read them.",
        "Status: [CURRENT] [OUTDATED]",
        " | API v1 | API v2\nStatus | [DEPRECATED] | [CURRENT]",
        "Penetration test status | [OUTDATED]",
        "Pumpe 3, Zustand: [ERSETZT]",
        "Service | Status\n[OLD] Billing | x",
        "[x] [OBSOLETE] Remove the export job",
        "[ ] [DRAFT] Write the policy",
        "[DEPRECATED] GET /v1/users goes in June.\n[ADDED] GET /v2/users",
        "[APPROVED] [DRAFT] [ARCHIVED] are the states of a page.",
        "[template-list]",
        "Drawing: [OUTDATED] Text: [CURRENT]",
        "[OUTDATED] → [VALID] since May",
        "[OUTDATED] is what the display shows when the clock is wrong.",
        "[VERALTET] heißt, dass es nicht mehr bestellt wird.",
        "Firmware: [OUTDATED], update due in June",
        "Status | Outdated pages are deleted",
        "Status: [NOT APPLICABLE]",
    ],
)
def test_of_a_thing_on_the_page_it_says_nothing_of_the_page(opening: str) -> None:
    assert not says_outdated(opening)
