"""What became of a message, as it is printed: the answer as it is read, and its sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from core.dialogue.decision import Outcome
from core.models import Answer, Hit, Note, Record
from evaluation.harness.json_lines import Id
from evaluation.sets.confquestions import page_id

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_STRONG = re.compile(r"(?<!\\)\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")  # what CommonMark lets one escape


@dataclass(frozen=True)
class PageShown:
    """A page under an answer."""

    page_id: str
    title: str
    url: str


@dataclass(frozen=True)
class Reply:
    """One line of what is printed; empty where there is nothing."""

    id: Id
    act: Outcome
    text: str = ""
    sources: tuple[PageShown, ...] = ()
    not_found: bool = False
    badge: str | None = None
    unsupported: int = 0
    understood_as: str = ""
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def answered(which: Id, record: Record) -> Reply:
    """Of a record; below an abstention the nearest pages are the sources, and there is no badge."""
    answer = record.answer
    missing = Note.NOT_FOUND in answer.notes
    return Reply(
        id=which,
        act=Outcome.ANSWER,
        text=as_read(answer.text),
        sources=tuple(pages_shown(answer, record.hits)),
        not_found=missing,
        badge=str(answer.confidence) if answer.confidence and not missing else None,
        unsupported=len(answer.unsupported),
        understood_as=record.completed.text,
    )


def as_read(markdown: str) -> str:
    r"""An answer without the signs of bold text and escapes, which nobody sees in Slack.

    >>> as_read(r"**110 EUR** \*a\* night [1], `a**b`")
    '110 EUR *a* night [1], `a**b`'
    """
    parts = _CODE.split(markdown)  # every second part is code
    for place in range(0, len(parts), 2):
        shown = _STRONG.sub(r"\1", parts[place])
        parts[place] = _ESCAPED.sub(r"\1", shown)
    return "".join(parts)


def pages_shown(answer: Answer, hits: tuple[Hit, ...]) -> Iterator[PageShown]:
    """Source n for citation [n], then other pages that say the same, as shown beside them."""
    ids: dict[str, str] = {}
    by_address: dict[str, str] = {}
    for hit in hits:
        for copy in hit.everywhere:
            ids[copy.evidence.id] = by_address[copy.page.url] = copy.page.id
        for piece in hit.block:
            ids[piece.id] = hit.page.id
    for source in answer.sources:
        known = [ids[each] for each in source.evidence_ids if each in ids]
        address = source.url.partition("#")[0]
        yield PageShown(
            known[0] if known else by_address.get(address, page_id(address)),
            source.title,
            source.url,
        )
    for source in answer.sources:
        for title, url in source.also:
            yield PageShown(by_address.get(url, page_id(url)), title, url)
