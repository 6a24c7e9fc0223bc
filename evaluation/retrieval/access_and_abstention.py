"""Access control (a restricted page reaches its readers alone) and abstention, both measured."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import mean

from core.models import Hit, Note
from core.policy import acl
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from evaluation.corpus.families import company
from evaluation.corpus.labels import read_labels
from evaluation.corpus.write import email_of
from evaluation.harness.progress import track
from evaluation.sets.confquestions import Question, conversations
from worker.bootstrap import WorkerParts

LANGUAGES = ("en", "de")
PATIENCE_S = 60.0

Rows = dict[str, dict[str, float]]


def restricted(parts: WorkerParts, questions: Path) -> Rows:
    """Members of its group find a page; everybody else is shown neither its text nor its title."""
    labels = read_labels(questions)
    rows: Rows = {}
    for code in LANGUAGES:
        asked = list(chain.from_iterable(conversations(questions, code)))
        for_members: list[tuple[Hit, ...]] = []
        ranks: list[float] = []
        for question in track(asked, f"restricted {code}, for members"):
            label = labels[question.conversation, question.turn]
            hits = _hits(parts, question, _member(parts, label.group))
            for_members.append(hits)
            ranks.append(_gold_rank(question, hits))
        secret = frozenset(chain.from_iterable(question.gold_ids for question in asked))
        shown = chain.from_iterable(for_members)
        titles = {hit.page.title for hit in shown if hit.page.id in secret}
        leaks = dict.fromkeys(("everybody", "outsiders"), 0)
        outsider = _outsider(parts)
        for question in track(asked, f"restricted {code}, for others"):
            leaks["everybody"] += _leaks(_hits(parts, question, EVERYBODY), secret, titles)
            leaks["outsiders"] += _leaks(_hits(parts, question, outsider), secret, titles)
        rows[f"restricted {code}"] = {
            "n": len(asked),
            "members P@1": mean(rank == 1 for rank in ranks),
            "members R@10": mean(rank < math.inf for rank in ranks),
            "leaks to everybody": leaks["everybody"],
            "leaks to outsiders": leaks["outsiders"],
        }
    return rows


def _gold_rank(question: Question, hits: Sequence[Hit]) -> float:
    """The rank of the first hit on a gold page, from 1; infinite where there is none."""
    gold = (rank for rank, hit in enumerate(hits, 1) if hit.page.id in question.gold_ids)
    return next(gold, math.inf)


def unanswerable(parts: WorkerParts, questions: Path) -> Rows:
    """How often the product abstains from questions that no page answers."""
    rows: Rows = {}
    for code in LANGUAGES:
        asked = list(chain.from_iterable(conversations(questions, code)))
        abstained = []
        for question in track(asked, f"unanswerable {code}"):
            deadline = time.time() + PATIENCE_S
            answer = parts.pipeline.answer(question.asked, [], deadline=deadline).answer
            abstained.append(Note.NOT_FOUND in answer.notes)
        rows[f"unanswerable {code}"] = {"n": len(asked), "not found": mean(abstained)}
    return rows


def _hits(parts: WorkerParts, question: Question, reader: Reader) -> tuple[Hit, ...]:
    completed = Completed(question=question.completed, text=question.completed)
    return parts.pipeline.retriever.retrieve(completed, reader).hits


def _member(parts: WorkerParts, group: str) -> Reader:
    return _reader(parts, company()["groups"][group][0])


def _outsider(parts: WorkerParts) -> Reader:
    """A person with an account, in none of the groups."""
    return _reader(parts, company()["collectors"][0])


def _reader(parts: WorkerParts, name: str) -> Reader:
    return acl.reader(parts.database, acl.account_of(parts.database, email_of(name)))


def _leaks(hits: Sequence[Hit], secret: frozenset[str], titles: set[str]) -> bool:
    for hit in hits:
        text = "\n".join(_shown(hit))
        if hit.page.id in secret or any(title in text for title in titles):
            return True
    return False


def _shown(hit: Hit) -> Iterator[str]:
    yield from (
        hit.page.title,
        hit.evidence.text,
        hit.evidence.before.text,
        hit.evidence.after.text,
    )
