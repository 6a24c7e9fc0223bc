"""One mark for each page of an explanation: what it is to the answer, cited ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.views.explained.causes import causes
from bot.views.explained.pages import SIGNS, ShownPage, ShownPages
from bot.views.explained.verdict import either
from core.attribution import AnswerVerdict, Explanation, Path, Role
from core.language.sentences import Sentences

BETWEEN = " · "
MOST = 8
SHOWN = (AnswerVerdict.CAUSED, AnswerVerdict.STAYS)  # else nothing is known of a single page


def marks(say: Sentences, explanation: Explanation) -> str:
    """`✅ [1] needed · ⚪ [2] cited, made no difference · 7 others made no difference`."""
    if explanation.verdict not in SHOWN or explanation.path is Path.QUOTED:
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


def mark(say: Sentences, page: ShownPage, role: Role) -> str:
    """`✅ [1] needed`."""
    text = f"{SIGNS[role]} {page.short} {say(f'role-{role}')}"
    return text if page.numbers else f"{text}, {say('mark-not-cited')}"


def _marks(say: Sentences, explanation: Explanation, pages: ShownPages) -> Iterator[str]:
    found = causes(explanation, pages)
    for page in pages.all:
        if page in found.needed:
            yield mark(say, page, Role.TOGETHER if found.together else Role.NEEDED)
        elif page in found.part:
            yield mark(say, page, Role.PART)
    for alternatives in found.enough:
        key = "mark-either" if len(alternatives) == 2 else "mark-any-of"
        listed = either(say, alternatives, short=True)
        yield f"{SIGNS[Role.ENOUGH]} {say(key, pages=listed)}"


def _unused(say: Sentences, cited: Sequence[ShownPage]) -> str:
    return say("mark-unused", pages=", ".join(page.short for page in cited))
