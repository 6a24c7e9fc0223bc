"""One mark for each page of an explanation: what it is to the answer, cited ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.views.explained.causes import causes
from bot.views.explained.pages import SIGNS, ShownPage, ShownPages
from bot.views.explained.verdict import either
from core.attribution import AnswerPath, AnswerVerdict, Explanation, Role
from core.language.sentences import Sentences

BETWEEN = " · "
MOST = 8
SHOWN = (AnswerVerdict.CAUSED, AnswerVerdict.STAYS)  # else nothing is known of a single page


def marks(say: Sentences, explanation: Explanation) -> str:
    """`✅ [1] needed · ⚪ [2] cited, made no difference · 7 others made no difference`."""
    if explanation.verdict not in SHOWN or explanation.path is AnswerPath.QUOTED:
        return ""
    pages = ShownPages(explanation)
    found = list(_marks(say, explanation, pages))
    if more := found[MOST:]:
        found[MOST:] = [say("and-more", count=len(more))]
    unused = [page for page in pages.all if page.role is Role.UNUSED]
    if cited := [page for page in unused if page.numbers]:
        found.append(f"{SIGNS[Role.UNUSED]} {_unused(say, cited)}")
    if others := len(unused) - len(cited):
        found.append(say("mark-others", count=others))
    return BETWEEN.join(found)


def _marks(say: Sentences, explanation: Explanation, pages: ShownPages) -> Iterator[str]:
    found = causes(explanation, pages)
    yield from _needed(say, found.needed, together=found.together)
    for page in found.part:
        yield _mark(say, (page,), "role-part")
    for alternatives in found.enough:
        key = "mark-either" if len(alternatives) == 2 else "mark-any-of"
        listed = either(say, alternatives, short=True)
        yield f"{SIGNS[Role.ENOUGH]} {say(key, pages=listed)}"


def _needed(say: Sentences, needed: Sequence[ShownPage], *, together: bool) -> Iterator[str]:
    """Cited pages share a mark."""
    if together:
        listed = say.listed([page.short for page in needed])
        yield f"{SIGNS[Role.TOGETHER]} {say('mark-together', pages=listed)}"
        return
    if cited := [page for page in needed if page.numbers]:
        yield _mark(say, cited, "role-needed")
    for page in needed:
        if not page.numbers:
            yield f"{_mark(say, (page,), 'role-needed')}, {say('mark-not-cited')}"


def _mark(say: Sentences, pages: Sequence[ShownPage], key: str) -> str:
    sign = SIGNS[Role.PART if key == "role-part" else Role.NEEDED]
    return f"{sign} {', '.join(page.short for page in pages)} {say(key)}"


def _unused(say: Sentences, cited: Sequence[ShownPage]) -> str:
    return say("mark-unused", pages=", ".join(page.short for page in cited))
