"""Examples out of SQuAD 1.1 (Rajpurkar et al. 2016, CC BY-SA 4.0): answered, and nearly answered.

Half of the questions get a passage with their answer. The others get one that is about the same
thing and does not say it: most often the same passage without the sentence of the answer, else the
passage of the same article that shares most words with the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from evaluation.harness.output import fail

ANSWERED = 0.5  # share of the examples with their answer
CUT_OUT = 0.6  # of the others, share of those whose own passage has lost the answer
NEAREST = 0.28  # … of those with the nearest other passage; the rest get any of the article
SHORTEST, LONGEST = 25, 95  # words of a passage, as many as our pieces have
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(])")
_WORD = re.compile(r"\w+")
_LITTLE = re.compile(
    r"an?|the|is|are|was|were|do|does|did|of|in|on|at|to|for|by|with|and|or|that|this|its?|as|be"
    r"|been|from|have|has|had|which|what|wh[oy]|whom|whose|when|where|how|many|much",
    re.IGNORECASE,
)


class Example(NamedTuple):
    """A question, a text, and whether that answers."""

    question: str
    text: str
    answers: bool
    span: tuple[int, int] | None = None  # the answer in the text, by characters, where known


class Passage(NamedTuple):
    """A paragraph by its sentences."""

    sentences: tuple[str, ...]
    words: frozenset[str]


class Article(NamedTuple):
    """Passages about one thing, and what is asked about each: question, answer, its place."""

    title: str
    passages: tuple[Passage, ...]
    asked: tuple[tuple[int, str, str, int], ...]  # passage, question, answer, sentence


def articles(file: Path) -> list[Article]:
    """The file as SQuAD publishes it, train-v1.1.json or dev-v1.1.json."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["data"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{file} is no SQuAD 1.1 ({error}): give its train-v1.1.json")
    return [_article(each) for each in found]


def examples(found: Sequence[Article], random: Random) -> Iterator[Example]:
    """Each question once, in any order, as `random` draws."""
    places = [(each, number) for each in found for number in range(len(each.asked))]
    random.shuffle(places)
    for article, number in places:
        example = _example(article, number, random)
        if example:
            yield example


def as_typed(question: str, random: Random) -> str:
    """Some as people type them: little words left out, small letters, no question mark, a slip."""
    if random.random() < 0.25:
        parts = question.rstrip("?").split()
        kept = [each for each in parts if not _LITTLE.fullmatch(each) or random.random() < 0.25]
        question = " ".join(kept or parts)
    if random.random() < 0.3:
        question = question.rstrip("?")
    if random.random() < 0.4:
        question = question.lower()
    return _mistyped(question, random) if random.random() < 0.08 else question


def words(text: str) -> frozenset[str]:
    """Those that say something, in small letters."""
    found = _WORD.findall(text.lower())
    return frozenset(each for each in found if not _LITTLE.fullmatch(each))


def _mistyped(question: str, random: Random) -> str:
    parts = question.split()
    place = random.randrange(len(parts))
    word = parts[place]
    if len(word) > 4:
        at = random.randrange(1, len(word) - 1)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        parts[place] = swapped if random.random() < 0.5 else word[:at] + word[at + 1 :]
    return " ".join(parts)


def _article(data: dict[str, Any]) -> Article:
    passages, asked = [], []
    for number, paragraph in enumerate(data["paragraphs"]):
        text = paragraph["context"]
        starts = [0, *(match.end() for match in _SENTENCE.finditer(text))]
        ends = [*starts[1:], len(text)]
        sentences = tuple(text[a:b].strip() for a, b in zip(starts, ends, strict=True))
        passages.append(Passage(sentences, words(text)))
        for each in paragraph["qas"]:
            answer = each["answers"][0]
            place = sum(start <= answer["answer_start"] for start in starts) - 1
            asked.append((number, each["question"].strip(), answer["text"], place))
    title = re.sub(r"%[0-9A-F]{2}", "", data["title"]).replace("_", " ")
    return Article(title, tuple(passages), tuple(asked))


def _example(article: Article, number: int, random: Random) -> Example | None:
    place, question, answer, sentence = article.asked[number]
    passage = article.passages[place]
    question = as_typed(question, random)
    if random.random() < ANSWERED:
        chosen = window(passage, sentence, (), random)
        return _answered(article.title, question, passage, chosen, answer, sentence)
    lower = answer.lower()
    drawn = random.random()
    if drawn < CUT_OUT:
        saying = {at for at, one in enumerate(passage.sentences) if lower in one.lower()}
        chosen = window(passage, sentence, saying | {sentence}, random)
        return _unanswered(article.title, question, passage, chosen)
    others = [each for each in article.passages if lower not in " ".join(each.sentences).lower()]
    if not others:
        return None
    if drawn < CUT_OUT + NEAREST:
        asked = words(article.asked[number][1])
        other = max(others, key=lambda each: len(asked & each.words) + random.random() / 2)
        near = [len(asked & words(each)) for each in other.sentences]
        around = near.index(max(near))
    else:
        other = random.choice(others)
        around = random.randrange(len(other.sentences))
    return _unanswered(article.title, question, other, window(other, around, (), random))


def window(passage: Passage, around: int, without: Collection[int], random: Random) -> list[int]:
    """Sentences on both sides of one, up to some length; `without` are left out."""
    room = random.randint(SHORTEST, LONGEST)
    chosen = [] if around in without else [around]
    low = high = around
    while low > 0 or high < len(passage.sentences) - 1:
        is_left = low > 0 and (random.random() < 0.5 or high == len(passage.sentences) - 1)
        low, high = (low - 1, high) if is_left else (low, high + 1)
        nearest = low if is_left else high
        if nearest in without:
            continue
        room_taken = sum(len(passage.sentences[at].split()) for at in (*chosen, nearest))
        if chosen and room_taken > 1.3 * room:
            break
        chosen.append(nearest)
        if room_taken >= room:
            break
    return sorted(chosen)


def _answered(
    title: str,
    question: str,
    passage: Passage,
    chosen: Sequence[int],
    answer: str,
    sentence: int,
) -> Example | None:
    before = f"{title}. " + "".join(f"{passage.sentences[at]} " for at in chosen if at < sentence)
    within = passage.sentences[sentence].find(answer)
    if within < 0:
        return None
    text = f"{title}. " + " ".join(passage.sentences[at] for at in chosen)
    start = len(before) + within
    return Example(question, text, answers=True, span=(start, start + len(answer)))


def _unanswered(
    title: str, question: str, passage: Passage, chosen: Sequence[int]
) -> Example | None:
    if not chosen:
        return None
    text = f"{title}. " + " ".join(passage.sentences[at] for at in chosen)
    return Example(question, text, answers=False)
