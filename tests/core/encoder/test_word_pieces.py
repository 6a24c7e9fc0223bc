"""How texts are split: the likeliest pieces of each word, and the places that they stand for."""

from __future__ import annotations

import unicodedata

import pytest

from core.encoder.bundled import BEGIN, END, word_pieces
from core.encoder.weights import EncoderFile, encoder_path
from core.encoder.word_pieces import UNKNOWN, WordPieces


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
        ("geht´s", ["▁geht", "'", "s"]),
        ("Dienst\u00adreisen a\u200bll", ["▁Dienst", "reisen", "▁all"]),  # invisible hyphen, blank
    ],
)
def test_words_are_split_as_the_vocabulary_was_made(
    encoder: EncoderFile, pieces: WordPieces, text: str, expected: list[str]
) -> None:
    names = {number: piece for piece, number in encoder.numbers.items()}
    assert [names[number] for number in pieces.encode(text).ids] == expected


def test_places_are_those_of_the_text(pieces: WordPieces) -> None:
    text = "A night  in Kyötön costs 110 EUR."
    encoded = pieces.encode(text)
    said = [text[start:end] for start, end in encoded.offsets]
    assert "".join(said) == "".join(text.split())
    assert pieces.encode("the ﬁnal word").offsets[1] == (4, 8)


def test_places_are_those_of_the_text_though_unicode_writes_its_letters_otherwise(
    pieces: WordPieces,
) -> None:
    """NFKC keeps the length of this word, and moves its letters."""
    written = "\ufb01\u0065\u0301x"
    assert len(unicodedata.normalize("NFKC", written)) == len(written)
    assert {*pieces.encode(f"a {written}").offsets[1:]} == {(2, 6)}


def test_a_sentence_without_blanks_is_read_to_its_end(pieces: WordPieces) -> None:
    sentence = "東京の事務所で働く人は、有給休暇を年に二十日まで取ることができます。" * 9
    offsets = pieces.encode(sentence).offsets
    assert offsets[-1][1] == len(sentence)
    assert "".join(sentence[start:end] for start, end in offsets) == sentence


def test_what_only_marks_texts_is_a_word_like_others_where_a_page_writes_it(
    pieces: WordPieces,
) -> None:
    written = pieces.encode("</s> <s> <pad> <mask>").ids
    assert not {BEGIN, END}.intersection(written)
    assert len(written) > 8


def test_no_more_is_split_than_is_wanted(pieces: WordPieces) -> None:
    assert pieces.encode("one two three four", 2) == pieces.encode("one two")
    assert pieces.encode("one", 0) == ([], [])


def test_what_no_piece_stands_for_is_unknown(pieces: WordPieces) -> None:
    assert UNKNOWN in pieces.encode("\U0001faf6\U000f0000").ids
    assert pieces.encode(" \n\t \u200b").ids == []
    assert len(pieces.encode("x" * 100_000, 200).ids) == 200
