"""Expected answers: the pages that are right, and whether a text says what was asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evaluation.answerability.without import facts_of, has_facts, plainly
from evaluation.employees.questions import Wanted
from evaluation.sets.confquestions import Question
from sandbox.confluence.site.load import load


class Expected(NamedTuple):
    """What an answer to a question is compared with."""

    gold: frozenset[str] = frozenset()  # ids of the right pages; empty: none answers it
    says: Callable[[str], bool] | None = None  # whether a text has all facts; None: nobody knows


def of_question(question: Question, texts: Mapping[str, str]) -> Expected:
    """Facts that no right page says in these words nobody can look for.

    `texts` are those of all pages by id, as evaluation.answerability.without has them.
    """
    facts = facts_of(question)
    gold = question.gold_ids
    if facts and any(has_facts(facts, texts.get(page, "")) for page in gold):
        return Expected(gold, partial(_says, facts))
    return Expected(gold)


def of_typed(wanted: Wanted, ids: Mapping[str, Sequence[str]]) -> Expected:
    """`ids` are those of the pages with a title."""
    gold = frozenset(page for title in wanted.pages for page in ids.get(title, ()))
    return Expected(gold, partial(_matches, wanted.patterns))


def ids_by_title(pages: Path) -> Mapping[str, Sequence[str]]:
    """Of the pages of a folder: several may have the same title."""
    ids = defaultdict[str, list[str]](list)
    for entry in load(pages).entries.values():
        ids[entry.title].append(entry.id)
    return ids


def _says(facts: Sequence[str], text: str) -> bool:
    said = plainly(text)
    return all(_stands_in(plainly(fact), said) for fact in facts)


def _stands_in(fact: str, text: str) -> bool:
    """As words of their own: `4` does not stand in `14`."""
    return re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", text) is not None


def _matches(patterns: Sequence[str], text: str) -> bool:
    return all(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)
