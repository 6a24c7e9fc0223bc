"""Leads from what is known of pages: whose one is, when it was changed, which there are.

Only pages of the hits are named: those that the reader may see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise

from core import grammar
from core.evidence.lexical.page_status import is_unsettled
from core.grammar import Words
from core.language.sentences import Sentences
from core.models import Hit, Page
from worker.typed.asked import TypedQuestion, content, without_articles
from worker.typed.written import cited, plain

MOST_PAGES = 8
HALF = 0.5  # of a title's words that name the one page that has them
SEVERAL = 2
LEAST_LETTERS = 5  # of each half of a compound
FIRST = 3  # hits among which a page is looked for that is nearly called so

_WORDS = grammar.merged().composing.pages
_FILLERS = re.compile(rf"\b{_WORDS.fillers} ", re.IGNORECASE)
_AND_ALSO = re.compile(rf",? {_WORDS.and_also}$", re.IGNORECASE)
_BEGUN = re.compile(rf"\b{_WORDS.begun}\b", re.IGNORECASE)
_FOR_PAGES = re.compile(rf"\b{grammar.merged().filters.pages}\b", re.IGNORECASE)


def about_pages(say: Sentences, asked: TypedQuestion, hits: Sequence[Hit]) -> str:
    """Empty where no page is asked for, or none of the hits' is certainly meant."""
    pages = _pages(hits)
    for words, write in (
        (_WORDS.owner, _owner),
        (_WORDS.changed_by, _changed_by),
        (_WORDS.changed, _changed),
        (_WORDS.exists, _exists),
        (_WORDS.found, _found),
        (_WORDS.listed, _listed),
        (_WORDS.all_of, _all_of),
    ):
        name = _asked(words, asked.text)
        if name:
            is_looked_for = write in (_exists, _found, _listed)
            near = _nearest(name, hits) if is_looked_for else []
            return write(say, name, pages) or _named(say, near)
    return ""


def without_told(question: str) -> str:
    """A question without what is told of a page anyway.

    >>> without_told("Who changed the on-call guide, and when was that?")
    'Who changed the on-call guide'
    """
    if _BEGUN.search(question):
        return question
    return _AND_ALSO.sub("", question.rstrip("?!. "))


Pages = Sequence[tuple[int, Page]]  # with the number of their first hit


def _pages(hits: Sequence[Hit]) -> Pages:
    first: dict[object, tuple[int, Page]] = {}
    for number, hit in enumerate(hits, start=1):
        first.setdefault(hit.page.key, (number, hit.page))
    return list(first.values())


def _asked(words: Words, text: str) -> str:
    said = _FILLERS.sub("", text)
    for each in words:
        found = re.search(each, said, re.IGNORECASE)
        if found:
            return found["of"].strip()
    return ""


def _owner(say: Sentences, name: str, pages: Pages) -> str:
    number, page = _meant(name, pages) or (0, None)
    if page is None or not page.owner:
        return ""
    about = {"title": plain(page.title), "owner": plain(page.owner)}
    if not page.updated_at:
        return cited(say("lead-owner", **about), [number])
    return cited(say("lead-owner-changed", day=say.day(page.updated_at), **about), [number])


def _changed_by(say: Sentences, name: str, pages: Pages) -> str:
    """Only of what is called a page: who changed a door's code, its page does not know."""
    return _owner(say, name, pages) if _says_page(name) else ""


def _changed(say: Sentences, name: str, pages: Pages) -> str:
    """Only of what is called a page: when a password was changed, its page does not know."""
    if not _says_page(name):
        return ""
    number, page = _meant(name, pages) or (0, None)
    if page is None or not page.updated_at:
        return ""
    about = {"title": plain(page.title), "day": say.day(page.updated_at)}
    if not page.owner:
        return cited(say("lead-changed", **about), [number])
    return cited(say("lead-changed-owner", owner=plain(page.owner), **about), [number])


def _exists(say: Sentences, name: str, pages: Pages) -> str:
    found = _titled(name, pages)
    return say("lead-exists", pages=_quoted(found)) if found else ""


def _found(say: Sentences, name: str, pages: Pages) -> str:
    meant = _meant(name, pages)
    return _named(say, [meant] if meant else _titled(name, pages))


def _listed(say: Sentences, name: str, pages: Pages) -> str:
    return _named(say, _with_words(name, pages))


def _named(say: Sentences, found: Pages) -> str:
    return say("lead-pages", pages=_quoted(found)) if found else ""


def _all_of(say: Sentences, name: str, pages: Pages) -> str:
    """`List all release notes` asks for pages; `list all teams` only if pages are called so."""
    is_for_pages = bool(_FOR_PAGES.search(name))
    enough = len(_with_words(name, pages)) >= (1 if is_for_pages else SEVERAL)
    return _listed(say, name, pages) if enough else ""


def _meant(name: str, pages: Pages) -> tuple[int, Page] | None:
    """The one page of this title; else the only one whose title has these words, and few others.

    What is called a page may be described: the one whose title has most of it, and half at least.
    """
    wanted = _terms(name)
    same = [each for each in pages if wanted and _terms(each[1].title) == wanted]
    if len(same) == 1:
        return same[0]
    found = _titled(name, pages)
    if not found and _says_page(name):
        return _described(wanted, pages)
    if same or len(found) != 1:
        return None
    share = len(wanted) / len(_terms(found[0][1].title))
    return found[0] if share >= HALF else None


def _says_page(name: str) -> bool:
    """As in `the page on cranes` and `the leave policy`."""
    words = name.lower().split()
    return not set(_WORDS.page).isdisjoint(words) or words[-1] in _WORDS.kinds


def _described(wanted: set[str], pages: Pages) -> tuple[int, Page] | None:
    return _most_of(wanted, pages) or _most_of(wanted - _KINDS, pages)


def _most_of(wanted: set[str], pages: Pages) -> tuple[int, Page] | None:
    shared = [(len(wanted & _terms(page.title)), (number, page)) for number, page in pages]
    most = max((count for count, _ in shared), default=0)
    best = [each for count, each in shared if count == most and not is_unsettled(each[1])]
    return best[0] if len(best) == 1 and most > HALF * len(wanted) else None


def _nearest(name: str, hits: Sequence[Hit]) -> Pages:
    """The page of one of the first hits whose title and heading have all these words.

    Else the one whose title has most of them; what has a number is never left out.
    """
    wanted = _terms(name)
    first = [each for each in enumerate(hits[:FIRST], start=1) if not is_unsettled(each[1].page)]
    for number, hit in first:
        above = " ".join((hit.page.title, *hit.evidence.heading_path))
        if wanted and wanted <= _terms(above):
            return [(number, hit.page)]
    numbers = {term for term in wanted if any(map(str.isdigit, term))}
    shared = [(len(wanted & _terms(hit.page.title)), number, hit.page) for number, hit in first]
    near = [each for each in shared if numbers <= _terms(each[2].title)]
    count, number, page = max(near, key=lambda each: each[0], default=(0, 0, None))
    return [(number, page)] if page and count > HALF * len(wanted) else []


def _titled(name: str, pages: Pages) -> Pages:
    """Those whose title has all these words; a draft only where no other page has."""
    found = _with_words(name, pages)
    return [each for each in found if not is_unsettled(each[1])] or found


def _with_words(name: str, pages: Pages) -> Pages:
    wanted = _terms(name)
    return [each for each in pages if wanted and _has_all(each[1].title, wanted)][:MOST_PAGES]


def _has_all(title: str, wanted: Set[str]) -> bool:
    """Also written together, as `oncall`.

    Beside a word that is there, one may be the end of a compound: `plan for the routes` of
    Bus-Routes, and `light` never of Flight, nor `valid` of Invalid.
    """
    words = re.findall(r"\w+", title)
    terms = _terms(title) | _terms(" ".join(map("".join, pairwise(words))))
    lacking = wanted - terms
    if len(lacking) == len(wanted):
        return False
    return all(any(_ends(term, word) for term in terms) for word in lacking)


def _ends(term: str, word: str) -> bool:
    return term.endswith(word) and len(word) >= LEAST_LETTERS <= len(term) - len(word)


def _terms(title: str) -> set[str]:
    return set(content(without_articles(title, _WORDS.page)))


_KINDS = _terms(" ".join(_WORDS.kinds))


def _quoted(pages: Iterable[tuple[int, Page]]) -> str:
    return ", ".join(cited(f"“{plain(page.title)}”", [number]) for number, page in pages)
