"""Cases of the support check: right sentences, and wrong ones with the kind of their error."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from core.models import Hit
from evaluation.support.case import RIGHT, Case, given, written
from evaluation.support.evidence import Pages
from evaluation.support.plants import planted

FOLDER = Path(__file__).parent
Said = Mapping[str, Mapping[str, Mapping[str, Mapping[str, list[str]]]]]


def cases(pages: Mapping[str, Pages], when: str) -> Iterator[Case]:
    """Those written for `before` or `after`; the same every time."""
    said: Said = _read("right.yaml")
    for corpus, title, language, sentence in _sentences(said, when):
        draw = random.Random(f"{corpus}/{sentence}")
        own = pages[corpus][title]
        hits = given(own)
        yield Case(corpus, language, RIGHT, sentence, hits)
        text = written(hits)
        for kind, wrong in planted(sentence, text, draw):
            yield Case(corpus, language, kind, wrong, hits)
        other = _other_page(pages[corpus], title, draw)
        cited = f"{sentence.rstrip('.')} [{len(hits) + 1}]."
        yield Case(corpus, language, "citation", cited, (*hits, other))
    for corpus, title, language, sentence in _sentences(_read("invented.yaml"), when):
        yield Case(corpus, language, "invented", sentence, given(pages[corpus][title]))
    yield from _from_elsewhere(pages, said, when)


def right_sentences(when: str) -> Iterator[tuple[str, str, str]]:
    """Corpus, page and sentence of the right ones."""
    for corpus, title, _, sentence in _sentences(_read("right.yaml"), when):
        yield corpus, title, sentence


def _from_elsewhere(pages: Mapping[str, Pages], said: Said, when: str) -> Iterator[Case]:
    """Sentences that are right about another page."""
    known = list(_sentences(said, when))
    for corpus, title, language, sentence in known:
        draw = random.Random(sentence)
        others = [each for each in known if each[1] != title and each[0] == corpus]
        where = draw.choice(others or known)
        hits = given(pages[where[0]][where[1]])
        yield Case(corpus, language, "of another page", sentence, hits)


def _sentences(said: Said, when: str) -> Iterator[tuple[str, str, str, str]]:
    for corpus, by_title in said.items():
        for title, by_time in by_title.items():
            for language, sentences in by_time.get(when, {}).items():
                for sentence in sentences:
                    yield corpus, title, language, sentence


def _other_page(pages: Pages, title: str, draw: random.Random) -> Hit:
    others = [hits[0] for name, hits in pages.items() if name != title and hits]
    return draw.choice(others)


def _read(file: str) -> Any:
    return yaml.safe_load((FOLDER / file).read_text(encoding="utf-8"))
