"""Lists of sources that a model writes below its answer: people see the sources there anyway.

Its numbers may be the model's own: where an entry names its page or its piece of evidence, the
citations of the answer are led there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from core import grammar
from core.models import Hit
from worker.text.citations import NUMBERS, numbers_in

LONGEST = 200  # characters of an entry
_SAID = grammar.merged().replies
_LIST = re.compile(rf"^\W*{_SAID.source_lists}[\s*_]*(?::[\s*_]*(?P<entry>.*))?$", re.IGNORECASE)
_DEFINED = re.compile(r"^\s*\[\^?\d+\]:\s")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_MARK = re.compile(r"^\[\^?(?P<mark>\d+)\]:?\s*")
_BESIDE = rf"(?:[\s,;&]|\b{_SAID.and_citation}\b)*"
_ONLY_NUMBERS = re.compile(rf"(?:[\[(]?{NUMBERS}[\])]?{_BESIDE})+", re.IGNORECASE)
_PIECE = re.compile(rf"\b{_SAID.evidence}\s+\[?#?(?P<number>\d+)", re.IGNORECASE)
_CITED = re.compile(r"\[\^?(\d+)\]")

Places = Sequence[int]  # of hits in the prompt, from 1


def without_list(reply: str, hits: Sequence[Hit]) -> tuple[str, str]:
    """The reply without a list of sources at its end, and what that list cites.

    >>> without_list("Three days.\\n\\nSources: 2, 3", [])
    ('Three days.', '[2][3]')
    """
    titles = places_by_title(hits)
    above, listed = _split(reply.rstrip().split("\n"), titles)
    entries = [entry for line in listed if (entry := _entry(line, titles))]
    body = "\n".join(above).rstrip()
    if not body or not entries:
        return reply, ""
    marks = {mark: places for mark, places in entries if mark}
    cited = dict.fromkeys(place for _, places in entries for place in places)
    return _led(body, marks), "".join(f"[{place}]" for place in cited)


def _split(
    lines: Sequence[str], titles: Mapping[str, Places]
) -> tuple[Sequence[str], Sequence[str]]:
    """What stands above the list, and its lines; a heading, or `[1]: …`, says that it is one."""
    start = defined = len(lines)
    while start:
        line = lines[start - 1]
        if heading := _LIST.match(line):
            beside = heading["entry"] or ""
            if not beside or _entry(beside, titles):
                return lines[: start - 1], [beside, *lines[start:]]
        if line.strip() and not _entry(line, titles):
            break
        start -= 1
    while defined > start and (
        not lines[defined - 1].strip() or _DEFINED.match(lines[defined - 1])
    ):
        defined -= 1
    return lines[:defined], lines[defined:]


def places_by_title(hits: Sequence[Hit]) -> Mapping[str, Places]:
    """By folded title, and title with heading, what was given of it."""
    places = defaultdict[str, list[int]](list)
    for place, hit in enumerate(hits, start=1):
        for copy in hit.everywhere:
            for title in dict.fromkeys((copy.page.title, *_with_headings(copy.page.title, hit))):
                places[title.casefold()].append(place)
    return places


def _with_headings(title: str, hit: Hit) -> Iterator[str]:
    path = hit.evidence.heading_path
    for end in range(1, len(path) + 1):
        yield " > ".join((title, *path[:end]))
    if path:
        yield f"{title} > {path[-1]}"


def titled(text: str, places: Mapping[str, Places]) -> Places:
    """What a title means, with its heading where one is known: `Leave › Portugal`."""
    parts = re.split(r"\s+[>›/]\s+|›|>", text.casefold().strip(" \t\"'“”„[]*_()"))
    path = [part.strip() for part in parts]
    return places.get(" > ".join(path)) or places.get(path[0]) or []


def _entry(line: str, titles: Mapping[str, Places]) -> tuple[int, Places] | None:
    """None where a line is no entry of such a list."""
    text = _ITEM.sub("", line).strip(" \t*_()")
    if len(text) > LONGEST:
        return None
    if _ONLY_NUMBERS.fullmatch(text):
        return 0, numbers_in(text)
    mark = _MARK.match(text)
    named = _named(text[mark.end() :] if mark else text, titles)
    if mark:
        return int(mark["mark"]), named or [int(mark["mark"])]
    return (0, named) if named else None


def _named(text: str, titles: Mapping[str, Places]) -> Places:
    """The hits of the piece or the pages that an entry names."""
    if piece := _PIECE.search(text):
        return [int(piece["number"])]
    whole = text.split("(")[0]
    parts = [whole] if titled(whole, titles) else re.split(r"[;,]", whole)
    named = [titled(part, titles) for part in parts]
    return list(dict.fromkeys(place for each in named for place in each)) if all(named) else []


def _led(body: str, marks: Mapping[int, Places]) -> str:
    """The body with its citations led to what the list says of them."""

    def led(match: re.Match[str]) -> str:
        own = int(match[1])
        places = marks.get(own, [own])
        return match[0] if own in places else "".join(f"[{place}]" for place in places)

    return _CITED.sub(led, body)
