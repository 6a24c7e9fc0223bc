"""Lists of sources that a model writes below its answer: people see the sources there anyway.

Its numbers may be the model's own: where its entries name their pages or their pieces of evidence,
the citations of the answer are led there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core import grammar
from core.markdown.reading import outside
from core.models import Hit
from worker.text.citations import numbers_in, separately

LONGEST = 200  # characters of an entry
_SAID = grammar.merged().replies
# At the beginning of a line: an item such as "- References: 2" is one of another list.
_LIST = re.compile(
    rf"^[*_#(]*\s?{_SAID.source_lists}[*_]*\s*(?::[\s*_]*(?P<entry>.*))?$", re.IGNORECASE
)
_DEFINED = re.compile(r"^\[\^?\d+\]:\s")
_ITEM = re.compile(r"^(?:[-*•]\s+|\d{1,2}[.)]\s+)")
_MARK = re.compile(r"^\[\^?(?P<mark>\d{1,2})\](?:\s*[:–—-])?\s*")
_NUMBERS = re.compile(
    rf"(?:[\[(]?\^?#?\d{{1,2}}(?!\d)[\])]?(?:[\s,;&]|\b{_SAID.and_citation}\b)*)+", re.IGNORECASE
)
_PIECE = re.compile(rf"\b(?:{_SAID.evidence})\s+\[?#?(\d{{1,2}})\b", re.IGNORECASE)
_CITED = re.compile(r"\[\^?(\d{1,2})\]")
# The day of the last change, as the prompt has it before a title and models behind it.
_CHANGED = re.compile(
    r"^\s*\d{4}-\d\d-\d\d\s*·|\((?:last |zuletzt )?(?:changed|updated|geändert)[^()]*\)\s*$"
)
_RULE = re.compile(r"(?:\n\s*(?:-{3,}|\*{3,}|_{3,})\s*)+\Z")

Places = Sequence[int]  # of hits in the prompt, from 1


class Entry(NamedTuple):
    """A line of the list, or a part of one."""

    places: Places
    mark: int = 0  # `[1] Leave policy`: a number that may be the model's own
    is_bare: bool = False  # numbers without brackets: "Belege: 3" may count receipts
    is_titled: bool = False


def without_list(reply: str, hits: Sequence[Hit]) -> tuple[str, Places]:
    """The reply without a list of sources at its end, and what that list alone cites.

    Where the answer itself cites, nothing but numbers in brackets is added to that.

    >>> without_list("Three days.\\n\\nSources: 2, 3", [])
    ('Three days.', [2, 3])
    """
    titles = places_by_title(hits)
    most = len(hits) or 99
    above, listed = _split(reply.rstrip().split("\n"), titles, most)
    body = _RULE.sub("", "\n".join(above).rstrip())
    entries = [entry for line in listed for entry in _entries(line, titles, most)]
    cited = _cited_in(body, most)
    if not body or not entries or (cited and any(entry.is_bare for entry in entries)):
        return reply, []
    alone = [each for each in entries if not (cited and each.is_titled)]
    places = dict.fromkeys(place for entry in alone for place in entry.places)
    return _led(body, entries, most), [place for place in places if place not in cited]


def _cited_in(body: str, most: int) -> set[int]:
    parts = (separately(part, most) for part, is_code in outside(body) if not is_code)
    return {int(number) for part in parts for number in _CITED.findall(part)}


def places_by_title(hits: Sequence[Hit]) -> Mapping[str, Places]:
    """By folded title, and title with heading, what was given of it.

    A title that several pages have names none.
    """
    places = defaultdict[str, list[int]](list)
    pages = defaultdict[str, set[str]](set)
    for place, hit in enumerate(hits, start=1):
        for title in dict.fromkeys(_titles(hit)):
            places[title.casefold()].append(place)
            pages[title.casefold()].add(hit.page.url)
    return {title: found for title, found in places.items() if len(pages[title]) == 1}


def _titles(hit: Hit) -> Iterator[str]:
    path = hit.evidence.heading_path
    yield hit.page.title
    for end in range(1, len(path) + 1):
        yield " > ".join((hit.page.title, *path[:end]))
    if path:
        yield f"{hit.page.title} > {path[-1]}"


def titled(text: str, places: Mapping[str, Places]) -> Places:
    """What a title means, with its heading where that is one of the piece: `Leave › Portugal`."""
    bare = _CHANGED.sub("", text.casefold()).strip(" \t\"'“”„*_.")
    path = " > ".join(part.strip() for part in re.split(r"[>›]", bare))
    return places.get(bare) or places.get(path) or []


def _split(
    lines: Sequence[str], titles: Mapping[str, Places], most: int
) -> tuple[Sequence[str], Sequence[str]]:
    """What stands above the list, and its lines; a heading, or `[1]: …`, says that it is one."""
    start = len(lines)
    while start:
        line = lines[start - 1]
        above = lines[start - 2] if start > 1 else ""
        is_begun = not above.strip(" -*_")  # behind an empty line, or one that is ruled
        if is_begun and (heading := _LIST.match(line)):
            beside = heading["entry"] or ""
            if not beside or _entries(beside, titles, most):
                return lines[: start - 1], [beside, *lines[start:]]
        if line.strip() and not _entries(line, titles, most):
            break
        start -= 1
    defined = len(lines)
    while defined > start and (
        not lines[defined - 1].strip() or _DEFINED.match(lines[defined - 1])
    ):
        defined -= 1
    return lines[:defined], lines[defined:]


def _entries(line: str, titles: Mapping[str, Places], most: int) -> Sequence[Entry]:
    """Of a line of such a list, which names numbers, pages or pieces alone; else none."""
    if whole := _entry(line, titles, most):
        return [whole]
    parts = re.split(r"[;,]\s+", line)
    found = [entry for part in parts if (entry := _entry(part, titles, most))]
    return found if len(found) == len(parts) > 1 else []


def _entry(line: str, titles: Mapping[str, Places], most: int) -> Entry | None:
    if len(line) > LONGEST or line.startswith("    "):
        return None
    text = _ITEM.sub("", line).strip(" \t*_.")
    if (text.startswith("(") and text.endswith(")")) or text.count(")") > text.count("("):
        text = text.strip("()")
    if _NUMBERS.fullmatch(text) and (numbers := numbers_in(text, most)):
        return Entry(numbers, is_bare="[" not in text)
    mark = _MARK.match(text)
    named = _named(text[mark.end() :] if mark else text, titles, most)
    return Entry(named, int(mark["mark"]) if mark else 0, is_titled=True) if named else None


def _named(text: str, titles: Mapping[str, Places], most: int) -> Places:
    """The hits of the pieces or the page that an entry names, and says nothing else of."""
    pieces = [int(number) for number in _PIECE.findall(text)]
    rest = _PIECE.sub("", text).strip(" \t:,;()–—-")
    if pieces and (not rest or titled(rest, titles)):
        return [number for number in pieces if number <= most]
    return [] if pieces else titled(text, titles)


def _led(body: str, entries: Sequence[Entry], most: int) -> str:
    """The body with its citations led to what the list says of them, if it says so of all."""
    marks = {entry.mark: entry.places for entry in entries if entry.mark}
    if not marks or not _cited_in(body, most) <= marks.keys():
        return body

    def led(match: re.Match[str]) -> str:
        own = int(match[1])
        return match[0] if own in marks[own] else "".join(f"[{place}]" for place in marks[own])

    return "".join(
        part if is_code else _CITED.sub(led, separately(part, most))
        for part, is_code in outside(body)
    )
