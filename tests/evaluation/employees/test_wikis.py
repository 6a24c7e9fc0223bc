"""The wikis that others wrote say what is noted of them."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path

import pytest

from evaluation.employees.questions import Wanted
from evaluation.employees.wikis import FOLDER, OF_WIKIS, UNSEEN, WIKIS, AskedSet, questions, wiki
from evaluation.retrieval.left_out.corpora import Corpus
from sandbox.confluence.site.load import load

_ENDS = re.compile(r"</(?:p|li|h\d|td|th|tr)>|<br\s*/?>")
_CODE = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def test_every_wiki_has_one_use() -> None:
    assert len(set(WIKIS)) == len(WIKIS)
    assert set(WIKIS) == {each.name for each in FOLDER.iterdir() if each.is_dir()}


@pytest.mark.parametrize("name", WIKIS)
def test_answers_stand_on_their_pages_and_nothing_is_asked_twice(name: str) -> None:
    corpus = wiki(name)
    texts = _texts(corpus)
    asked = questions(name)
    assert len({each.id for each in asked}) == len(asked)
    assert {each.corpus for each in asked} == {name}
    for each in asked:
        said = " ".join(texts[title] for title in each.pages)
        assert all(re.search(pattern, said, re.IGNORECASE) for pattern in each.patterns), each.id
        assert all(_plain(answer) in _plain(said) for answer in each.answers), each.id
        assert each.answerable is bool(each.answers)


@pytest.mark.parametrize("name", OF_WIKIS[AskedSet.AGAINST])
def test_what_is_asked_against_habits_is_of_a_wiki_that_nothing_has_learned_from(name: str) -> None:
    assert name in UNSEEN
    _stand_beside_the_usual_ones(name, AskedSet.AGAINST)


@pytest.mark.parametrize(
    ("of", "name"),
    [(of, name) for of in (AskedSet.TWINS, AskedSet.TWINS_OTHERWISE) for name in OF_WIKIS[of]],
)
def test_of_two_twins_a_page_answers_one(of: AskedSet, name: str) -> None:
    _stand_beside_the_usual_ones(name, of)
    texts = _texts(wiki(name))
    answered, others = _twins(name, of)
    assert {each.id.removesuffix("-yes") for each in answered} == {
        each.id.removesuffix("-no") for each in others
    }
    for each in answered:
        said = _plain(" ".join(texts[title] for title in each.pages))
        assert each.answers
        assert all(_plain(answer) in said for answer in each.answers), each.id


@pytest.mark.parametrize("name", OF_WIKIS[AskedSet.TRANSLATED])
def test_what_is_translated_is_a_usual_question_in_the_other_language(name: str) -> None:
    usual = {f"{each.id}-translated": each for each in questions(name)}
    asked = questions(name, AskedSet.TRANSLATED)
    assert len({each.id for each in asked}) == len(asked)
    for each in asked:
        other = usual[each.id]
        assert (each.pages, each.patterns) == (other.pages, other.patterns)
        assert each.language != other.language
        assert each.ask != other.ask


@pytest.mark.parametrize("name", OF_WIKIS[AskedSet.OTHERWISE])
def test_what_is_asked_otherwise_is_every_usual_question(name: str) -> None:
    usual, asked = questions(name), questions(name, AskedSet.OTHERWISE)
    assert [each.id for each in asked] == [f"{each.id}-otherwise" for each in usual]
    assert not [each.id for each, other in zip(asked, usual, strict=True) if each.ask == other.ask]


def _twins(name: str, of: AskedSet) -> tuple[list[Wanted], list[Wanted]]:
    asked = questions(name, of)
    return [each for each in asked if each.answerable], [x for x in asked if not x.answerable]


def _stand_beside_the_usual_ones(name: str, of: AskedSet) -> None:
    texts = _texts(wiki(name))
    asked = questions(name, of)
    assert len({each.id for each in [*asked, *questions(name)]}) == len(asked + questions(name))
    assert {each.corpus for each in asked} == {name}
    assert sum(each.answerable for each in asked) == len(asked) / 2
    for each in asked:
        said = " ".join(texts[title] for title in each.pages)
        assert all(re.search(pattern, said, re.IGNORECASE) for pattern in each.patterns), each.id


def _texts(corpus: Corpus) -> dict[str, str]:
    """The words of each page, by its title."""
    entries = load(Path(corpus.pages)).entries.values()
    return {entry.title: _said(entry.body) for entry in entries}


def _said(body: str) -> str:
    marked = _CODE.sub(lambda code: escape(code[1]), body)
    return " ".join(unescape(_TAG.sub("", _ENDS.sub(" ", marked))).split())


def _plain(text: str) -> str:
    return "".join(re.findall(r"\w", text.casefold()))
