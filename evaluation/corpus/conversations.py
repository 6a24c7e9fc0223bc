"""Conversations about the corpus: follow-ups that lean on what was asked before, and turns to something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.corpus.chance import Chance
from evaluation.corpus.families import Press
from evaluation.corpus.nouns import Asked, Sheet, Subject
from evaluation.corpus.typos import mistyped

LONGEST = 5
SHORTEST = 3
TYPOS = 0.25  # of the questions that stand alone
LANGUAGES = ("en", "de")

Json = dict[str, Any]


class Conversations:
    """Makes the conversations of one seed over the pages that were printed."""

    def __init__(self, press: Press, sheets: Sequence[Sheet]) -> None:
        self._press = press
        self._published = {sheet.key: sheet for sheet in sheets if sheet.edition == "published"}
        self._rivals: dict[str, dict[str, str]] = {}
        for sheet in sheets:
            if sheet.edition not in ("published", "archived"):
                self._rivals.setdefault(sheet.key, {})[sheet.id] = sheet.edition

    def open(self) -> list[Json]:
        """Questions that everybody may have answered."""
        asked = [
            self._questions(subject)
            for subject in self._press.subjects
            if subject.given["is_asked"] and not _is_restricted(subject)
        ]
        long = [questions for questions in asked if len(questions) >= SHORTEST]
        short = [questions for questions in asked if 0 < len(questions) < SHORTEST]
        self._press.chance("short").random.shuffle(short)
        return [
            self._conversation(number, topics)
            for number, topics in enumerate(_with_shifts(long, short), start=1)
        ]

    def restricted(self) -> list[Json]:
        """Questions about pages of one group; each turn says which."""
        groups = {
            subject.key: subject.given["groups"][0]
            for subject in self._press.subjects
            if _is_restricted(subject)
        }
        found = [
            self._questions(subject) for subject in self._press.subjects if _is_restricted(subject)
        ]
        made = [
            self._conversation(number, [questions])
            for number, questions in enumerate(found, start=1)
        ]
        return [
            {**each, "turns": [{**turn, "group": groups[turn["page"]]} for turn in each["turns"]]}
            for each in made
        ]

    def _questions(self, subject: Subject) -> list[Asked]:
        return list(self._press.questions(subject))

    def _conversation(self, number: int, topics: Sequence[Sequence[Asked]]) -> Json:
        chance = self._press.chance("conversation", topics[0][0].key)
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
        return worded | {
            "a": asked.answer,
            "a_url": [sheet.url for sheet in golden],
            "a_source": asked.source,
            "q_type": "complex" if asked.is_complex else "simple",
            "page": asked.key,
            "page_language": golden[0].language,
            "tags": [*asked.tags, *(["typo"] if has_typo else []), *([] if follows else ["alone"])],
            "rivals": self._rivals_of(asked),
        }

    def _rivals_of(self, asked: Asked) -> Mapping[str, str]:
        """Editions of the page that ought to stand behind it, by page id."""
        return self._rivals.get(asked.key, {})


def _with_shifts(
    long: Sequence[list[Asked]], short: list[list[Asked]]
) -> Iterator[list[list[Asked]]]:
    """Each long topic, with a short one behind it where there is room; what is left over makes conversations of its own."""
    left = list(short)
    for number, topic in enumerate(long):
        has_room = left and len(topic) + len(left[-1]) <= LONGEST and number % 2 == 0
        yield [topic[:LONGEST], *([left.pop()] if has_room else [])]
    while left:
        several = [left.pop()]
        while (
            left
            and (size := sum(map(len, several))) < SHORTEST + 1
            and size + len(left[-1]) <= LONGEST
        ):
            several.append(left.pop())
        yield several


def _is_restricted(subject: Subject) -> bool:
    return bool(subject.given.get("groups"))
