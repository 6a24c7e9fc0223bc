"""Questions about our own corpora as employees type them, with what a useful answer has.

Written ones stand in `evaluation/sets/employees/*.yaml`, by somebody who has not seen how questions
are answered. Older ones are those that the search is measured on, whose answers have a number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import yaml
from pydantic import TypeAdapter, field_validator, model_validator

from core.value import Value
from evaluation.retrieval.left_out.corpora import Conversations, Corpus
from evaluation.sets.confquestions import Question
from sandbox.confluence.site.load import load

MOST_OLDER = 60  # of a corpus in one language
_FACT = re.compile(r"[^\W_]*\d(?:[\w.,:/-]*\w)?")  # 110, 2.4.1, 14:00, TERN-2238


class Wanted(Value):
    """A question, and what a useful answer to it has."""

    id: str
    corpus: str
    language: str
    ask: str
    before: tuple[str, ...] = ()  # earlier questions of its thread
    pages: tuple[str, ...] = ()  # titles, each of a right page
    patterns: tuple[str, ...] = ()  # regular expressions, case ignored, all of which hit
    answers: tuple[str, ...] = ()  # words of those pages that answer, where somebody noted them
    answerable: bool = True
    older: bool = False

    @field_validator("patterns")
    @classmethod
    def _are_patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern} is no pattern: {error}") from None
        return patterns

    @model_validator(mode="after")
    def _is_whole(self) -> Wanted:
        if self.answerable is not bool(self.pages and self.patterns):
            raise ValueError(f"{self.id}: pages and patterns belong to what can be answered")
        return self


def written(folder: Path | None = None) -> dict[str, list[Wanted]]:
    """Those of `evaluation/sets/employees`, or of another folder, by corpus."""
    found: dict[str, list[Wanted]] = defaultdict(list)
    where = folder or Path(str(files("evaluation").joinpath("sets/employees")))
    for file in sorted(where.glob("*.yaml")):
        items = yaml.safe_load(file.read_text(encoding="utf-8"))
        for wanted in TypeAdapter(list[Wanted]).validate_python(items):
            found[wanted.corpus].append(wanted)
    return found


def older(corpus: Corpus) -> Iterator[Wanted]:
    """Some questions of each language of a corpus, always the same ones."""
    titles = {entry.id: entry.title for entry in load(corpus.pages).entries.values()}
    for language, asked in corpus.asked.items():
        some = sorted(_older(corpus.name, language, asked, titles), key=_drawn)
        yield from some[:MOST_OLDER]


def _older(
    corpus: str, language: str, asked: Conversations, titles: Mapping[str, str]
) -> Iterator[Wanted]:
    for conversation in asked:
        for place, question in enumerate(conversation):
            patterns = _facts(question)
            pages = [titles[each] for each in sorted(question.gold_ids) if each in titles]
            if patterns and pages:
                yield Wanted(
                    id=f"{corpus}-{language}-{question.conversation}-{question.turn}",
                    corpus=corpus,
                    language=language,
                    ask=question.asked,
                    before=tuple(each.asked for each in conversation[:place]),
                    pages=tuple(pages),
                    patterns=patterns,
                    older=True,
                )


def _facts(question: Question) -> tuple[str, ...]:
    """The numbers, versions and identifiers of the expected answer."""
    found: Iterable[str] = dict.fromkeys(_FACT.findall(question.answer))
    return tuple(rf"(?<!\d){re.escape(each)}(?!\d)" for each in found)


def _drawn(wanted: Wanted) -> bytes:
    return blake2b(wanted.id.encode()).digest()
