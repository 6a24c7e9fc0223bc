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
        "Page status | Outdated",
        "Panel: Page status: obsolete: The buddy programme ended in 2023.",
        "Hinweis: Dokumentstatus: ungültig",
        "Seitenstatus | Veraltet, siehe Reisen 2026",
        "Note: No longer valid: see the rates of 2026.",
        "Note: No longer valid",
        "[VERALTET] Was bei Krankheit zu tun ist",
        "[OUTDATED] War room: who joins",
        "[OUTDATED] Shows how to request a VPN.",
        "[VERALTET]\nWas muss ich mitbringen?",
        "[OUTDATED] Use Travel 2026, which is [APPROVED].",
        "[OUTDATED] See the page [Travel 2026].",
        "Hinweis: [VERALTET] Siehe Tarife 2026.",
        "Attention: [OUTDATED] See the rates of 2026.",
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
        "Page status | Outdated pages are deleted",
        "Page status: outdated pages are deleted",
        "Warning: Do not use the lift in case of fire.",
        "Note: Expired passwords can be reset in the portal.",
        "Warning: Nicht benutzen, wenn die Leiter nass ist.",
        "Note: Not valid for contractors.",
        "Info: Ersetzt werden nur Geräte, die älter sind.",
        "Status: [OUTDATED] is shown when the clock is wrong.",
        "Status: [OUTDATED] → [VALID] since May",
        "Status: [OUTDATED] or [CURRENT]",
        "[OUTDATED] [HR] is what the display shows.",
        "[VERALTET] erscheint, wenn die Uhr falsch geht.",
        "Product | VX-180\nStatus | Discontinued",
        "Host | db1\nState | Old",
        "Status: [NOT APPLICABLE]",
    ],
)
def test_of_a_thing_on_the_page_it_says_nothing_of_the_page(opening: str) -> None:
    assert not says_outdated(opening)
