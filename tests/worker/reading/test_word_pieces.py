"""How texts are split: the likeliest pieces of each word, and the places that they stand for."""

from __future__ import annotations

import pytest

from worker.reading.reader import word_pieces
from worker.reading.weights import EncoderFile, encoder_path
from worker.reading.word_pieces import UNKNOWN, WordPieces


@pytest.fixture(scope="module")
def encoder() -> EncoderFile:
    return EncoderFile(encoder_path())


@pytest.fixture(scope="module")
def pieces(encoder: EncoderFile) -> WordPieces:
    return word_pieces(encoder)


# As the library that made the vocabulary splits them.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How  much\nmay", ["▁How", "▁much", "▁may"]),
        ("Übernachtungskosten für", ["▁Übernachtung", "s", "kosten", "▁für"]),
        ("Dienstreisen", ["▁Dienst", "reisen"]),
        ("ﬁne ²", ["▁fine", "▁2"]),
    ],
)
def test_words_are_split_as_the_vocabulary_was_made(
    encoder: EncoderFile, pieces: WordPieces, text: str, expected: list[str]
) -> None:
    names = list(encoder.numbers)
    assert [names[number] for number in pieces.encode(text).ids] == expected


def test_places_are_those_of_the_text(pieces: WordPieces) -> None:
    text = "A night  in Kyötön costs 110 EUR."
    encoded = pieces.encode(text)
    said = [text[start:end] for start, end in encoded.offsets]
    assert "".join(said) == "".join(text.split())
    assert pieces.encode("the ﬁnal word").offsets[1] == (4, 8)


def test_what_no_piece_stands_for_is_unknown(pieces: WordPieces) -> None:
    assert UNKNOWN in pieces.encode("\U0001faf6\U000f0000").ids
    assert pieces.encode(" \n\t").ids == []
    assert len(pieces.encode("x" * 100_000).ids) < 300
