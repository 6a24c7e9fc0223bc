"""The passage that a claim is read beside: what lies nearest to it, under its titles."""

from __future__ import annotations

from wiki import hit, page, piece

from core.embeddings.bundled import Bundled
from worker.support.nearness import Nearness
from worker.support.reading.passage import MOST, passage
from worker.support.statements import PageStatement, statements_of

RULES = "A hotel in Porto costs up to 110 EUR a night. Business class is never paid."
MORE = " ".join(f"Lane {number} of the sorter is cleaned on day {number}." for number in range(60))


def test_the_nearest_statement_is_in_it_in_the_order_of_the_page(embedder: Bundled) -> None:
    hits = [hit(piece(text, str(at)), page("1", "Travel")) for at, text in enumerate([MORE, RULES])]
    near = Nearness(embedder, statements_of(hits))
    found = passage("You may spend 110 euros on a hotel in Porto.", near)
    assert "110 EUR a night. Business class" in found
    assert len(found) <= MOST
    assert found.startswith("Travel.")


def test_a_number_finds_the_row_that_has_it(embedder: Bundled) -> None:
    near = Nearness(embedder, statements_of([hit(piece(MORE, "1"), page("1", "Lanes"))]))
    assert "day 47." in passage("It is cleaned on day 47.", near)


def test_what_stands_above_is_written_once(embedder: Bundled) -> None:
    statements = [
        PageStatement(1, "Red is for fire.", "Colours. Doors"),
        PageStatement(1, "Blue is for water.", "Colours. Doors"),
        PageStatement(1, "Green is for gas.", "Colours. Pipes"),
    ]
    found = passage("Which colour is for fire, water and gas?", Nearness(embedder, statements))
    expected = "Colours. Doors. Red is for fire. Blue is for water. Pipes. Green is for gas."
    assert found == expected


def test_what_two_pieces_have_is_written_once(embedder: Bundled) -> None:
    statements = [PageStatement(1, "Red is for fire."), PageStatement(2, "…Red is for fire.")]
    assert passage("Red is for fire.", Nearness(embedder, statements)).count("fire") == 1


def test_of_no_pages_there_is_none(embedder: Bundled) -> None:
    assert passage("Red is for fire.", Nearness(embedder, [])) == ""
