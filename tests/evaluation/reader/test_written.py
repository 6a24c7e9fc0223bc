"""Examples of a wiki: what answers, what stands beside it on its page, and what is elsewhere."""

from __future__ import annotations

from wiki import hit, page, piece

from evaluation.answerability.expected import Expected, of_typed
from evaluation.employees.questions import Wanted
from evaluation.reader.written import labelled, place_of

LOST = Wanted(
    id="w-1",
    corpus="w",
    language="en",
    ask="lost my badge",
    pages=("Badges",),
    patterns=("desk",),
    answers=("the security desk",),
)
SAID = hit(piece("Tell **the security** desk.", "1"), page("1", "Badges"))
BESIDE = hit(piece("Badges are blue.", "1"), page("1", "Badges"))
ELSEWHERE = hit(piece("Keys are made in the cellar.", "2"), page("2", "Keys"))
PERHAPS = hit(piece("The desk knows more.", "2"), page("2", "Keys"))


def test_a_piece_answers_where_its_page_is_right_and_has_the_words() -> None:
    expected = of_typed(LOST, {"Badges": ["1"]})
    found = labelled("lost my badge", LOST, expected, [SAID, BESIDE, ELSEWHERE])
    (answering,) = found.answering
    assert answering.answers
    assert answering.text[slice(*answering.span or ())] == "the security** desk"
    assert [each.text for each in found.beside] == ["Badges. Badges are blue."]
    assert [each.text for each in found.others] == ["Keys. Keys are made in the cellar."]


def test_what_may_answer_in_other_words_teaches_nothing() -> None:
    expected = of_typed(LOST, {"Badges": ["1"]})
    assert not any(labelled("lost my badge", LOST, expected, [PERHAPS]))


def test_of_what_no_page_answers_every_piece_says_nothing() -> None:
    wanted = Wanted(id="w-2", corpus="w", language="en", ask="who paints them", answerable=False)
    found = labelled("who paints them", wanted, Expected(), [SAID, ELSEWHERE])
    assert len(found.others) == 2
    assert not any(each.answers or each.span for each in found.others)


def test_words_are_found_one_behind_the_other() -> None:
    assert place_of("Two weeks", "Back within **two** weeks.") == (14, 25)
    assert place_of("two days", "two weeks or three days") is None
    assert place_of("", "two weeks") is None
