"""Conversations about the corpus: follow-ups that need their history, and topic shifts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from evaluation.corpus.chance import Chance
from evaluation.corpus.families import PageGenerator
from evaluation.corpus.nouns import Asked, CorpusPage, Subject
from evaluation.corpus.typos import mistyped

LONGEST = 5
SHORTEST = 3
TYPOS = 0.25  # of the questions that stand alone
LANGUAGES = ("en", "de")

Json = dict[str, Any]


class Conversations:
    """Makes the conversations of one seed about its pages."""

    def __init__(self, generator: PageGenerator, corpus_pages: Sequence[CorpusPage]) -> None:
        self._generator = generator
        self._published: dict[str, CorpusPage] = {}
        self._rivals: dict[str, dict[str, str]] = {}
        for page in corpus_pages:
            if page.edition == "published":
                self._published[page.key] = page
            elif page.edition != "archived":
                self._rivals.setdefault(page.key, {})[page.id] = page.edition

    def open(self) -> list[Json]:
        """Questions that everybody may have answered."""
        long, short = [], []
        for subject in self._generator.subjects:
            if not subject.given["is_asked"] or _is_restricted(subject):
                continue
            questions = list(self._generator.questions(subject))
            if len(questions) >= SHORTEST:
                long.append(questions)
            elif questions:
                short.append(questions)
        self._generator.chance("short").random.shuffle(short)
        return list(map(self._conversation, count(1), _with_shifts(long, short)))

    def restricted(self) -> list[Json]:
        """Questions about pages of one group; each turn names the group of its page."""
        made = []
        subjects = filter(_is_restricted, self._generator.subjects)
        for number, subject in enumerate(subjects, start=1):
            conversation = self._conversation(number, [list(self._generator.questions(subject))])
            for turn in conversation["turns"]:
                turn["group"] = subject.given["groups"][0]
            made.append(conversation)
        return made

    def _conversation(self, number: int, topics: Sequence[Sequence[Asked]]) -> Json:
        chance = self._generator.chance("conversation", topics[0][0].key)
        language = "de" if number % 3 == 0 else "en"
        turns: list[Json] = []
        for topic in topics:
            for position, asked in enumerate(topic):
                turn = self._turn(asked, chance, follows=position > 0)
                turns.append({"turn_id": str(len(turns) + 1), "asked_in": language, **turn})
        return {"conv_id": str(number), "turns": turns}

    def _turn(self, asked: Asked, chance: Chance, *, follows: bool) -> Json:
        has_typo = not follows and chance.is_so(TYPOS)
        worded: Json = {}
        for code, wording in asked.wordings.items():
            full = mistyped(wording.full, chance) if has_typo else wording.full
            worded |= {
                f"q_{code}": wording.then if follows and wording.then else full,
                f"completed_q_{code}": full,
            }
        golden = [self._published[key] for key in (asked.key, *asked.also)]
        marks = [mark for mark, is_so in (("typo", has_typo), ("alone", not follows)) if is_so]
        return worded | {
            "a": asked.answer,
            "a_url": [page.url for page in golden],
            "a_source": asked.source,
            "q_type": "complex" if asked.is_complex else "simple",
            "page": asked.key,
            "page_language": golden[0].language,
            "tags": [*asked.tags, *marks],
            "rivals": self._rivals_of(asked),
        }

    def _rivals_of(self, asked: Asked) -> Mapping[str, str]:
        """Drafts, older versions and copies, which ought to rank below the page: edition by id."""
        return self._rivals.get(asked.key, {})


def _with_shifts(
    long: Sequence[list[Asked]], short: list[list[Asked]]
) -> Iterator[list[list[Asked]]]:
    """Each long topic, followed by a short one where there is room; then the remaining ones."""
    left = list(short)
    for number, topic in enumerate(long):
        topics = [topic[:LONGEST]]
        if number % 2 == 0 and left and len(topic) + len(left[-1]) <= LONGEST:
            topics.append(left.pop())
        yield topics
    while left:
        topics = [left.pop()]
        size = len(topics[0])
        while left and size <= SHORTEST and size + len(left[-1]) <= LONGEST:
            topics.append(left.pop())
            size += len(topics[-1])
        yield topics


def _is_restricted(subject: Subject) -> bool:
    return bool(subject.given.get("groups"))
