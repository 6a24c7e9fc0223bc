"""Where the link of a page leads that was read as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from wiki import hit, page, piece

from core.models import Evidence, Source
from worker.text.citations import cite
from worker.text.growing_citations import CitedStream
from worker.text.pointing import pointed

TRAVEL = page("1", "Travel policy")


def section(heading: str, text: str) -> Evidence:
    return piece(text, "1", heading_path=(heading,), anchor=heading.lower())


HOTELS = section("Hotels", "A hotel in Porto costs up to 110 EUR a night.")
FLIGHTS = section("Flights", "Business class is never paid for.")
INTRO = piece("It holds for everybody.", "1")


def source(*pieces: Evidence, number: int = 1) -> Source:
    ids = tuple(each.id for each in pieces)
    return Source(number=number, title="Travel policy", url=TRAVEL.url, evidence_ids=ids)


def led(text: str, **more: Any) -> tuple[str, str]:
    """The heading and the address of the page in an answer that cites it."""
    given = {"whole_page": True, "block": (HOTELS, FLIGHTS)} | more
    (found,) = pointed(text, [source(INTRO)], [hit(INTRO, TRAVEL, **given)])
    return found.heading, found.url.removeprefix(TRAVEL.url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Up to 110 EUR a night in Porto [1].", ("Hotels", "#hotels")),
        ("Ein Hotel in Porto darf 110 EUR kosten [1].", ("Hotels", "#hotels")),
        ("Nobody pays for business class [1].", ("Flights", "#flights")),
        ("It holds for everybody [1].", ("", "")),
        ("Quite another thing [1].", ("", "")),
        ("Run `hosts[1]` for business class. Porto: 110 EUR a night [1].", ("Hotels", "#hotels")),
        ("- Business class is never paid\n- Porto: 110 EUR a night [1]", ("Hotels", "#hotels")),
        (
            "Nobody pays for business class [1]. Up to 110 EUR in Porto [1].",
            ("Flights", "#flights"),
        ),
    ],
)
def test_it_leads_to_the_heading_whose_words_cite_it(text: str, expected: tuple[str, str]) -> None:
    assert led(text) == expected


def test_a_piece_leads_where_it_stands() -> None:
    assert led("Up to 110 EUR a night in Porto [1].", whole_page=False) == ("", "")


def test_each_source_leads_to_what_cites_it() -> None:
    other = piece("The office opens at 9:00.", "2", heading_path=("Hours",), anchor="hours")
    hits = [
        hit(INTRO, TRAVEL, whole_page=True, block=(HOTELS, FLIGHTS)),
        hit(piece("About us.", "2"), page("2", "Office"), whole_page=True, block=(other,)),
    ]
    sources = [source(INTRO), source(hits[1].evidence, number=2)]
    text = "Up to 110 EUR a night in Porto [1]. The office opens at nine, 9:00 [2]."
    assert [each.heading for each in pointed(text, sources, hits)] == ["Hotels", "Hours"]


def test_a_link_that_is_shown_while_the_answer_grows_stays() -> None:
    hits = [hit(INTRO, TRAVEL, whole_page=True, block=(HOTELS, FLIGHTS))]
    text = "Nobody pays for business class [1]. A hotel in Porto costs up to 110 EUR a night [1]."
    shown = list[Source]()
    stream = CitedStream(hits, lambda _piece: None, shown.append)
    for letter in text:
        stream(letter)
    _, sources = cite(text, hits)
    assert [each.url for each in shown] == [each.url for each in sources]
    assert sources[0].heading == "Flights"
