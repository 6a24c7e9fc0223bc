"""The peers are searches that work: they find the obvious in both languages."""

from __future__ import annotations

import pytest

from indexer.tuning.peers import PEERS, Unit

ENGLISH = [
    Unit("Travel policy", "Hotels", "A hotel may cost 110 EUR per night."),
    Unit("Remote work", "Desks", "Everybody gets 600 EUR for furniture at home."),
    Unit("On-call guide", "Alarms", "An alarm has to be acknowledged within 15 minutes."),
]
GERMAN = [
    Unit("Urlaub", "Anträge", "Der Urlaub wird von der Leitung genehmigt."),
    Unit("Reisekosten", "Belege", "Belege werden im Folgemonat eingereicht."),
    Unit("Schichten", "Zeiten", "Die Spätschicht beginnt um 14 Uhr."),
]


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_what_shares_the_words(name: str) -> None:
    peer = PEERS[name](ENGLISH, "en")
    assert peer.best("What may a hotel cost?", 3)[0] == 0
    assert peer.best("furniture for remote workers", 3)[0] == 1
    assert PEERS[name](GERMAN, "de").best("Wann beginnt die Spätschicht?", 3)[0] == 2


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_stems_english(name: str) -> None:
    assert PEERS[name](ENGLISH, "en").best("acknowledging alarms", 1) == [2]


def test_bm25s_stems_german() -> None:
    assert PEERS["bm25s"](GERMAN, "de").best("Beleg", 1) == [1]


@pytest.mark.parametrize("name", PEERS)
def test_titles_and_headings_are_searched_too(name: str) -> None:
    peer = PEERS[name](ENGLISH, "en")
    assert peer.best("guide", 1) == [2]
    assert peer.best("hotels", 1) == [0]


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("question", ["", "?!", "xylophone", 'the "quoted" AND* (NEAR) -words'])
def test_whatever_is_asked_is_no_error(name: str, question: str) -> None:
    assert PEERS[name](ENGLISH, "en").best(question, 2) == []


@pytest.mark.parametrize("name", PEERS)
def test_no_more_is_found_than_was_wanted(name: str) -> None:
    assert len(PEERS[name](ENGLISH, "en").best("hotel furniture alarm", 2)) == 2
