"""Claims out of SQuAD 1.1, in groups: a right one, and some that are wrong in one point.

Whoever asked used other words than the passage, so question and answer together are a claim in
other words; with another answer of the same kind, out of the same passage, they are a wrong one. A
third are sentences of the passage itself, and the same with an error that is planted by rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from evaluation.reader.squad import Article, Passage, window
from evaluation.support.plants import planted

OF_SENTENCES = 0.3  # of all, those that are a sentence of the passage
MOST_PLANTED = 2  # errors beside a sentence
REPLACED = 0.6  # of the others, those in which the answer stands where the question word stood
_ASKING = re.compile(r"\b(?:how (?:many|much)|what|which|whom?|when|where)\b", re.IGNORECASE)
_NAMED = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*\b")


class Claimed(NamedTuple):
    """A claim, and the text that it is read beside."""

    claim: str
    text: str


class ClaimGroup(NamedTuple):
    """A claim that its text says, and some much like it that theirs do not say."""

    said: Claimed
    unsaid: tuple[Claimed, ...]


def groups(found: Sequence[Article], random: Random) -> Iterator[ClaimGroup]:
    """Without end, as `random` draws."""
    while True:
        article = random.choice(found)
        number = random.randrange(len(article.asked))
        made = _of_sentence if random.random() < OF_SENTENCES else _of_question
        if group := made(article, number, random):
            yield group


def _of_question(article: Article, number: int, random: Random) -> ClaimGroup | None:
    place, question, answer, sentence = article.asked[number]
    other = _other_answer(article, number, random)
    if not other:
        return None
    text = _text(article, article.passages[place], sentence, random)
    state = random.random() < REPLACED
    said, unsaid = (_stated(question, each, is_replaced=state) for each in (answer, other))
    return ClaimGroup(Claimed(said, text), (Claimed(unsaid, text),))


def _of_sentence(article: Article, number: int, random: Random) -> ClaimGroup | None:
    place, _, _, sentence = article.asked[number]
    passage = article.passages[place]
    text = _text(article, passage, sentence, random)
    claim = passage.sentences[sentence]
    wrong = [each for _, each in planted(claim, text, random)]
    if swapped := _swapped(claim, random):
        wrong.append(swapped)
    if not wrong:
        return None
    chosen = random.sample(wrong, min(len(wrong), MOST_PLANTED))
    return ClaimGroup(Claimed(claim, text), tuple(Claimed(each, text) for each in chosen))


def _text(article: Article, passage: Passage, sentence: int, random: Random) -> str:
    chosen = window(passage, sentence, (), random)
    return f"{article.title}. " + " ".join(passage.sentences[at] for at in chosen)


def _stated(question: str, answer: str, *, is_replaced: bool) -> str:
    """Question and answer as one claim.

    >>> _stated("Who founded Rome?", "Romulus", is_replaced=True)
    'Romulus founded Rome.'
    >>> _stated("Who founded Rome?", "Romulus", is_replaced=False)
    'Who founded Rome? Romulus.'
    """
    asked = question.rstrip("? ")
    if is_replaced and _ASKING.search(asked):
        stated = _ASKING.sub(lambda _: answer, asked, count=1)
        return f"{stated[:1].upper()}{stated[1:]}."
    return f"{asked}? {answer}."


def _other_answer(article: Article, number: int, random: Random) -> str:
    """Of another question about the passage, of the same kind if there is one; else none."""
    place, _, answer, _ = article.asked[number]
    others = {each[2] for each in article.asked if each[0] == place and _differ(each[2], answer)}
    alike = sorted(each for each in others if _kind(each) == _kind(answer))
    chosen = alike or sorted(others)
    return random.choice(chosen) if chosen else ""


def _differ(one: str, other: str) -> bool:
    return one.lower() not in other.lower() and other.lower() not in one.lower()


def _kind(answer: str) -> str:
    if any(map(str.isdigit, answer)):
        return "number"
    return "name" if answer[:1].isupper() else "other"


def _swapped(sentence: str, random: Random) -> str:
    """With two of its names in each other's place; nothing where it has no two."""
    names = sorted({each[0] for each in _NAMED.finditer(sentence) if each.start()})
    if len(names) < 2:
        return ""
    one, other = random.sample(names, 2)
    if not _differ(one, other):
        return ""
    pattern = rf"\b(?:{re.escape(one)}|{re.escape(other)})\b"
    return re.sub(pattern, lambda each: other if each[0] == one else one, sentence)
