"""The thesaurus: what is asked in other words than the pages'."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.evidence.lexical.analyzer import words
from core.evidence.query.thesaurus import (
    LONGEST,
    bundled,
    in_words_of,
    read,
    said_otherwise,
)

FILES = sorted((Path(__file__).parents[3] / "languages" / "thesaurus").glob("*.txt"))


def others(question: str, term: str) -> set[str]:
    """What else says one word of a question."""
    found = said_otherwise(question).get(term, ())
    return {" ".join(sorted(phrase)) for phrase in found}


def test_slang_and_the_formal_word_meet_in_both_languages() -> None:
    assert {"dispos", "entsorgen"} <= others("Can I chuck it?", "chuck")


def test_several_words_are_one_term_whose_words_do_not_count_alone() -> None:
    found = others("Who needs my sick note?", "note")

    assert "attest" in found
    assert found == others("Who needs my sick note?", "sick")
    assert "memo" not in found


def test_a_german_word_is_found_in_another_form() -> None:
    assert "torqu" in others("Mit welchen Anzugsmomenten?", "anzugsmomenten")


def test_a_word_has_the_meanings_of_its_language() -> None:
    assert "abfalleim" in others("Where do I empty the trash can?", "trash")
    assert not others("Wie fährt man dahin?", "man")


def test_this_very_form_comes_before_another_one() -> None:
    """`used` is second-hand, and no form of `use`."""
    used = others("Do we sell used cars?", "use")

    assert "second-hand" in used
    assert "utilis" not in used


def test_a_question_is_put_as_a_text_has_it() -> None:
    text = frozenset(words("A medical certificate is due on day four."))

    assert in_words_of("When do I need a sick note?", text) == (
        "When do I need a medical certificate?"
    )


def test_a_question_that_has_the_words_of_the_text_stays_as_it_is() -> None:
    asked = "When do I need a sick note?"

    assert in_words_of(asked, frozenset(words("Sick notes: a certificate of incapacity"))) == asked


def test_words_that_nobody_calls_otherwise_stand_for_themselves() -> None:
    assert said_otherwise("TERN-2238?") == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_concept_is_called_by_at_least_two_terms_of_few_words(file: Path) -> None:
    for concept in read([file]).concepts:
        terms = [term for column in concept.values() for term in column]
        assert len(set(terms)) > 1, terms
        assert all(len(term.split()) <= LONGEST for term in terms), terms


def test_no_concept_stands_there_twice() -> None:
    concepts = [tuple(concept.items()) for concept in bundled().concepts]

    assert len(concepts) == len(set(concepts))


def test_a_line_with_too_few_columns_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("en = de\n# Meals\nbrekkie, breakfast\n", encoding="utf-8")

    with pytest.raises(SettingsError, match=r"mine\.txt: line 3 has 1 columns"):
        read([file])


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("# nothing yet\n", encoding="utf-8")

    with pytest.raises(SettingsError, match=r"mine\.txt is empty"):
        read([file])


def test_a_language_without_a_stemmer_has_its_words_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("en = uk\nbrekkie, breakfast = сніданок\n", encoding="utf-8")

    found = list(read([file]).called("Коли сніданок? Снідан?"))

    assert [called.said for called in found] == [("сніданок",)]


def test_files_may_be_of_other_languages(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("en = fr\nbreakfast, brekkie = petit-déjeuner\n", encoding="utf-8")

    assert [set(concept) for concept in read([file]).concepts] == [{"en", "fr"}]
