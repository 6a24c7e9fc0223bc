"""An explanation as plain text: for notifications, its progress, what its picture shows."""

from __future__ import annotations

from bot.views.block_kit import SECTION_LIMIT
from bot.views.explained.marks import marks
from bot.views.explained.otherwise import as_text as plainly
from bot.views.explained.otherwise import otherwise
from bot.views.explained.pages import USED, ShownPage, ShownPages
from bot.views.explained.untested import shares
from bot.views.explained.verdict import headline, how_sure, rest
from bot.views.mrkdwn import escape, one_line, truncate
from core.attribution import Effect, Explanation, Role
from core.language.sentences import Sentences

MOST_DESCRIBED = 8  # effects in the words beside a picture
LABEL_LIMIT = 80
MOST_SECONDS = 90  # what takes longer is told in minutes


def progress(say: Sentences, done: int, total: int, seconds_left: float | None) -> str:
    """How far an explanation is; `total` may still change."""
    if not total:
        return say("explaining")
    if seconds_left is None:
        return say("explaining-progress", done=done, total=total)
    left = _duration(say, seconds_left)
    return say("explaining-left", done=done, total=total, left=left)


def as_text(say: Sentences, explanation: Explanation) -> str:
    """The explanation for notifications and for a Slack that rejects the blocks."""
    lines = [
        escape(" ".join(filter(None, [headline(say, explanation), rest(say, explanation)]))),
        escape(plainly(otherwise(say, explanation))),
        escape(marks(say, explanation)),
        how_sure(say, explanation),
    ]
    if not explanation.tested:
        lines += shares(say, explanation)
    return truncate("\n".join(filter(None, lines)), SECTION_LIMIT)


def alt_text(say: Sentences, explanation: Explanation) -> str:
    """What the picture shows, for whoever does not see it."""
    if not explanation.tested:
        found = [each for each in explanation.effects if each.share]
        shown = [_share(say, effect) for effect in found[:MOST_DESCRIBED]]
        return " ".join([say("picture-described-shares"), *shown])
    pages = [page for page in ShownPages(explanation).all if page.role in USED]
    shown = list(filter(None, (_row(say, explanation, page) for page in pages[:MOST_DESCRIBED])))
    return " ".join([say("picture-described"), *shown])


def _row(say: Sentences, explanation: Explanation, page: ShownPage) -> str:
    with_it, without = explanation.tries_of(page.place)
    if not (with_it.of and without.of):
        return ""
    is_enough = page.role is Role.ENOUGH
    return say(
        "picture-row-enough" if is_enough else "picture-row",
        page=one_line(page.name(say), LABEL_LIMIT),
        there=with_it.of - with_it.lost,
        there_of=with_it.of,
        away=without.of - without.lost,
        away_of=without.of,
    )


def _share(say: Sentences, effect: Effect) -> str:
    numbers = "".join(f"[{number}]" for number in effect.source_numbers)
    page = f"{numbers} {one_line(effect.label, LABEL_LIMIT)}".lstrip()
    return say("picture-share", page=page, share=say.percent(effect.share))


def _duration(say: Sentences, seconds: float) -> str:
    if seconds < MOST_SECONDS:
        return say("seconds", seconds=max(1, round(seconds)))
    return say("minutes", minutes=round(seconds / 60))
