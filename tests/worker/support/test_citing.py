"""What a model leaves uncited is cited where a page says it, and else not shown."""

from __future__ import annotations

import pytest
from wiki import hit, page, piece

from core.embeddings.bundled import Bundled
from core.models import Answer
from worker.support.check import SupportCheck
from worker.support.decision import Decided, Support

TRAVEL = hit(
    piece("A hotel in Porto costs up to 110 EUR a night. Business class is never paid.", "1"),
    page("1", "Travel policy"),
)
BACKUPS = hit(piece("Every gateway is backed up at 02:15 each night.", "2"), page("2", "Backups"))


@pytest.fixture(scope="module")
def support(embedder: Bundled) -> Support:
    return Support(SupportCheck(embedder))


def decided(support: Support, text: str) -> Decided:
    return support.decided(Answer(text=text, model="m"), [TRAVEL, BACKUPS])


@pytest.mark.parametrize(
    ("said", "cited"),
    [
        ("Gateways are backed up at 02:15.", "Gateways are backed up at 02:15 [1]."),
        (
            "A hotel in Porto costs 110 EUR. Business class is never paid.",
            "A hotel in Porto costs 110 EUR. Business class is never paid [1].",
        ),
        (
            "- A hotel in Porto costs 110 EUR\n- Gateways are backed up at 02:15",
            "- A hotel in Porto costs 110 EUR [1]\n- Gateways are backed up at 02:15 [2]",
        ),
        (
            "A hotel in Porto costs 110 EUR. Pets fly for free.",
            "A hotel in Porto costs 110 EUR [1]. Pets fly for free.",
        ),
    ],
)
def test_each_claim_gets_the_source_that_says_it(support: Support, said: str, cited: str) -> None:
    found = decided(support, said)
    assert found.answer.text == cited
    assert found.is_shown
    assert len(found.answer.sources) == cited.count("[")


def test_the_source_is_the_page_with_the_words(support: Support) -> None:
    (source,) = decided(support, "Gateways are backed up at 02:15.").answer.sources
    assert (source.title, source.evidence_ids) == ("Backups", (BACKUPS.evidence.id,))


@pytest.mark.parametrize("said", ["No.", "Yes", "```\nreboot\n```", "Pets fly for free."])
def test_what_no_page_is_known_for_is_not_shown(support: Support, said: str) -> None:
    found = decided(support, said)
    assert not found.is_shown
    assert found.answer.sources == ()


def test_what_we_cite_is_not_verified(support: Support) -> None:
    assert not decided(support, "Gateways are backed up at 02:15.").is_verified
