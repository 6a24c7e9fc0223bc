"""Who is told what: pages for some are found by those who may read them and shown to nobody else, and what no page says is not answered."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from core.models import Hit, Note
from core.policy import acl
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from evaluation.corpus.families import company
from evaluation.corpus.labels import read_labels
from evaluation.corpus.write import email_of
from evaluation.sets.confquestions import Question, conversations
from worker.bootstrap import WorkerParts

LANGUAGES = ("en", "de")
PATIENCE_S = 60.0

Rows = dict[str, dict[str, float]]


def restricted(parts: WorkerParts, questions: Path) -> Rows:
    """Members of the group find the page; of the others nobody is shown a word of it, nor its title."""
    labels = read_labels(questions)
    rows: Rows = {}
    for code in LANGUAGES:
        asked = [
            (question, labels[question.conversation, question.turn])
            for each in conversations(questions, code)
            for question in each
        ]
        members = [_hits(parts, question, _member(parts, label.group)) for question, label in asked]
        secret = frozenset(gold for question, _ in asked for gold in question.gold_ids)
        titles = {hit.page.title for hits in members for hit in hits if hit.page.id in secret}
        rows[f"restricted {code}"] = {
            "n": len(asked),
            "members P@1": mean(
                bool(hits) and hits[0].page.id in q.gold_ids
                for hits, (q, _) in zip(members, asked, strict=True)
            ),
            "members R@10": mean(
                any(hit.page.id in q.gold_ids for hit in hits)
                for hits, (q, _) in zip(members, asked, strict=True)
            ),
            "leaks to everybody": sum(
                _leaks(_hits(parts, q, EVERYBODY), secret, titles) for q, _ in asked
            ),
            "leaks to outsiders": sum(
                _leaks(_hits(parts, q, _outsider(parts)), secret, titles) for q, _ in asked
            ),
        }
    return rows


def unanswerable(parts: WorkerParts, questions: Path) -> Rows:
    """How often the product admits that no page answers."""
    rows: Rows = {}
    for code in LANGUAGES:
        asked = [question for each in conversations(questions, code) for question in each]
        answers = [
            parts.pipeline.answer(question.asked, [], deadline=time.time() + PATIENCE_S).answer
            for question in asked
        ]
        rows[f"unanswerable {code}"] = {
            "n": len(asked),
            "not found": mean(Note.NOT_FOUND in answer.notes for answer in answers),
        }
    return rows


def _hits(parts: WorkerParts, question: Question, reader: Reader) -> tuple[Hit, ...]:
    completed = Completed(question=question.completed, text=question.completed)
    return parts.pipeline.retriever.retrieve(completed, reader).hits


def _member(parts: WorkerParts, group: str) -> Reader:
    return _reader(parts, company()["groups"][group][0])


def _outsider(parts: WorkerParts) -> Reader:
    """Somebody with an account, in none of the groups."""
    return _reader(parts, company()["collectors"][0])


def _reader(parts: WorkerParts, name: str) -> Reader:
    return acl.reader(parts.database, acl.account_of(parts.database, email_of(name)))


def _leaks(hits: Sequence[Hit], secret: frozenset[str], titles: set[str]) -> bool:
    return any(
        hit.page.id in secret or any(title in text for title in titles for text in _shown(hit))
        for hit in hits
    )


def _shown(hit: Hit) -> Iterator[str]:
    yield from (
        hit.page.title,
        hit.evidence.text,
        hit.evidence.raw,
        hit.evidence.before,
        hit.evidence.after,
    )
