"""Claims out of the answers that people wrote about wikis, a right one with wrong ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from core.embeddings.bundled import Bundled
from core.embeddings.once import EmbeddedOnce
from evaluation.harness.progress import track
from evaluation.support.case import pieces_of
from evaluation.support.learning.squad_claims import Claimed, ClaimGroup
from evaluation.support.wiki_answers import WikiAnswer, another_page, wiki_answers, wiki_pages
from worker.support.claims import Claim, claims
from worker.support.nearness import Nearness
from worker.support.reading.passage import passage
from worker.support.statements import statements_of


def groups(names: Sequence[str]) -> Iterator[ClaimGroup]:
    """Of these wikis: what a wrong answer has of the right one is no wrong claim."""
    embedder = EmbeddedOnce(Bundled())
    for name in track(names, "reading answers"):
        pages = wiki_pages(name)
        for answer in wiki_answers(name):
            own = Nearness(embedder, statements_of(pieces_of(pages, answer.pages)))
            other = Nearness(embedder, statements_of(another_page(pages, answer)))
            yield from _of_answer(answer, own, other)


def _of_answer(answer: WikiAnswer, own: Nearness, other: Nearness) -> Iterator[ClaimGroup]:
    right = claims(answer.right)
    known = {claim.plain for claim in right}
    wrong: dict[Claim, list[Claimed]] = defaultdict(list)
    for claim in right[:1]:
        wrong[claim].append(_beside(claim, other))
    for each in answer.wrong:
        for claim in claims(each.text):
            if claim.plain not in known:
                wrong[_likest(claim, right)].append(_beside(claim, own))
    for claim in right:
        yield ClaimGroup(_beside(claim, own), tuple(wrong[claim]))


def _likest(claim: Claim, others: Sequence[Claim]) -> Claim:
    return max(others, key=lambda other: SequenceMatcher(None, claim.plain, other.plain).ratio())


def _beside(claim: Claim, near: Nearness) -> Claimed:
    return Claimed(claim.read, passage(claim.read, near))
