"""Page status: drafts, copies, superseded pages and lists, and which of two pages to show."""

from __future__ import annotations

import re
from typing import NamedTuple

from core import grammar
from core.evidence.lexical.analyzer import content_words
from core.models import Page
from core.pages import PageStatus

_WORDS = grammar.merged().page_status
_MARK = rf"(?:{_WORDS.states}|{_WORDS.alone})"
_MINE = rf"(?:{_WORDS.mine} )?"
_NUMBER = r"(?:\s+\(?v?\d[\w.]*\)?)?"
_MORE = rf"\s*(?:(?:[,;:–—-]|{_WORDS.because}\s)[^\[({{\])}}]*)?"
# Where a mark stands in a title; `Old town`, `Copying files` and `Backup procedure` are no marks.
_MARKED = (
    # [DRAFT] · (first draft 2) · (2023, archived) · (old, see the new one) · (superseded by …)
    rf"[\[({{]\s*(?:(?:[^\[({{\])}}]*[\s,;])?{_WORDS.states}"
    rf"|[\d\s.,:/-]*(?:{_WORDS.alone}|{_WORDS.in_brackets})){_NUMBER}{_MORE}[\])}}]",
    # Draft: … · OLD – … · Entwurf 2: …
    rf"^\W*{_MARK}{_NUMBER}(?:\s*:|\s+[–—|-])\s",
    # Copy of … · Copy (2) of … · Draft 2 of … · Kopie von …
    rf"^\W*{_MINE}{_WORDS.copies}{_NUMBER} {_WORDS.copies_of}\s",
    # … – old · … - Copy (2) · …, veraltet · …_draft
    rf"\w(?:\s+[–—|-]\s*|,\s*|_){_MARK}{_NUMBER}\W*$",
)
_IN_TITLE = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _MARKED)
# … DRAFT …, unless the whole title is in capitals
_IN_CAPITALS = re.compile(rf"(?<![\w-]){_WORDS.capitals}(?![\w-])")
_SAID = re.compile(rf"\b(?:{_WORDS.states}|{_WORDS.alone}|{_WORDS.copies})\b", re.IGNORECASE)
_LABEL = re.compile(
    rf"(?:status[-:_])?(?:{str(_WORDS.states).replace(' ', '-')}|{_WORDS.labels})",
    re.IGNORECASE,
)
# "Warning: Outdated: see …", or a sentence about the page itself.
_NOTICE = re.compile(
    rf"(?:\w+: ){{1,2}}(?:{_WORDS.states})\s*(?:[:;,.!–—\n-]|$|{_WORDS.because}\s)"
    rf"|(?:{_WORDS.states})(?:\s*(?:[:.!\n]|$)|\s{_WORDS.because}\s)"
    rf"|(?:\w+: ){{0,2}}(?:{_WORDS.notices})(?!\w)",
    re.IGNORECASE,
)
# Confluence's status macro. It opens the piece, beside one other at most, "[HR] [OUTDATED]", or
# stands alone behind its label, as among a page's properties, "Status | [NO LONGER VALID]". Where
# others follow it, or begin the next lines, it is one of several things that are told; and where it
# is what a sentence speaks of, it says nothing of the page. A word that is no macro tells the state
# of the thing that the page is about, unless its label says that it is the page's.
_STATE = rf"(?:{_WORDS.states}|{_WORDS.alone}|{_WORDS.in_status})"
_WHY = rf"(?:\s*[,;:][^\[\]\n]*|\s[–—-]\s[^\[\]\n]*|\s{_WORDS.because}\s[^\[\]\n]*)?"
_MACRO = rf"\[{_STATE}{_NUMBER}{_WHY}\]"
_OTHER = r"\[(?![x ]\])[^\[\]\n]{1,30}\]"
_ALONE = (
    rf"(?!\s*(?:→|->|=>|[,/|–—-]|{_WORDS.between}\b|\w+:)?\s*\[|\s?\|"
    rf"|(?-i:[ ]{_WORDS.says_of}(?!\w)))"
)
_BOX = rf"{_WORDS.boxes}: "
_STATUS = re.compile(
    rf"\A(?:(?:{_BOX})?{_MACRO}(?:\s?{_OTHER})?|{_OTHER}\s?{_MACRO}){_ALONE}"
    rf"|\A{_BOX}{_WORDS.in_status}(?:\s*(?:[:;!.–—]|$)|\s{_WORDS.because}\s)"
    rf"|^(?:{_WORDS.status_labels}|{_WORDS.page_labels})(?:: ?| \| ){_MACRO}{_ALONE}"
    rf"|^(?:{_BOX})?{_WORDS.page_labels}(?:: ?| \| )(?:{_WORDS.states}|{_WORDS.in_status})"
    rf"{_NUMBER}(?:\s*(?:[:;,.!–—]|$)|\s{_WORDS.because}\s)",
    re.IGNORECASE | re.MULTILINE,
)
_ANOTHER_LINE = re.compile(r"\n\[")


def says_outdated(opening: str) -> bool:
    """Whether the first piece of a page or section says that it is not to go by any more.

    >>> says_outdated("Warning: Outdated: use the policy of 2026.")
    True
    >>> says_outdated("Note: This page has been superseded by Travel 2026.")
    True
    >>> says_outdated("Outdated! The other page applies."), says_outdated("Veraltet seit Mai")
    (True, True)
    >>> says_outdated("[HR] [NO LONGER VALID] Rates"), says_outdated("Status | [VERALTET]")
    (True, True)
    >>> says_outdated("[DONE] Rates"), says_outdated("Pump | [VERALTET]")
    (False, False)
    >>> says_outdated("Outdated laptops are replaced."), says_outdated("Note: WIP limits are 3.")
    (False, False)
    """
    if _NOTICE.match(opening):
        return True
    return _STATUS.search(opening) is not None and _ANOTHER_LINE.search(opening) is None


def is_unsettled(page: Page) -> bool:
    """A draft, a copy, something archived or in somebody's personal space."""
    if page.status is not PageStatus.CURRENT or is_personal(page):
        return True
    if any(pattern.search(page.title) for pattern in _IN_TITLE):
        return True
    if _IN_CAPITALS.search(page.title) and not page.title.isupper():
        return True
    return any(_LABEL.fullmatch(label) for label in page.labels)


def asks_for_unsettled(question: str, page: Page) -> bool:
    """Whether a draft, a copy or somebody's own page is meant: it says so, or names the person.

    >>> of_ann = Page(id="7", space="~ann", title="Travel", url="", owner="Ann Moll")
    >>> asks_for_unsettled("What is in the draft?", of_ann)
    True
    >>> asks_for_unsettled("What has Ann written?", of_ann), asks_for_unsettled("Hotels?", of_ann)
    (True, False)
    """
    if _SAID.search(question):
        return True
    return not set(content_words(question)).isdisjoint(content_words(page.owner))


def is_personal(page: Page) -> bool:
    return page.space.startswith("~")


def authority(page: Page) -> tuple[bool, bool, str]:
    """Greater is better: settled, then of a team, then changed last."""
    return (not is_unsettled(page), not is_personal(page), page.updated_at)


# A version (v2, 4.1) or a year; no part of a date, of an identifier or of a longer number.
_EDITION = re.compile(
    r"(?<![\w./-])(?:v(?P<version>\d{1,9}(?:\.\d{1,9})*)|(?P<dotted>\d{1,3}(?:\.\d{1,3})+)"
    r"|(?P<year>(?:19|20)\d\d))(?![\w/-]|\.\d)",
    re.IGNORECASE,
)


class Edition(NamedTuple):
    """A page whose title names a version or a year."""

    place: int
    number: tuple[int, ...]


def edition_of(title: str, space: str) -> tuple[str, str]:
    """Which pages this is an edition of, and its number; both empty where it is none.

    Editions are of one space, and their titles differ in nothing but one version or year.

    >>> [edition_of(title, "HR")[1] for title in ("Travel v2", "Travel v2.1", "Leave (2026)")]
    ['2', '2.1', '2026']
    >>> edition_of("Travel v1", "HR")[0] == edition_of("Travel v2", "HR")[0]
    True
    >>> edition_of("Round 2026-02-10", "HR"), edition_of("INC-0231", "HR")
    (('', ''), ('', ''))
    """
    editions = _EDITION.findall(title)
    if len(editions) != 1:
        return "", ""
    version, dotted, year = editions[0]
    name = _EDITION.sub("#", title).casefold()
    counted = "year" if year else "version"
    return "\n".join([space, name, counted]), version or dotted or year
