"""The sources below an answer, a short line each; what else is known of them is for the details."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from bot.views.mrkdwn import escape, link, truncate
from core.language.sentences import Sentences
from core.models import Answer, Confidence, Since, Source

SOURCES_LIMIT = 6_000
# A longer address is left out; a Chinese character of a title takes nine characters there.
URL_LIMIT = 1_500
TITLE_LIMIT = 150
COPY_LIMIT = 60  # characters of the title of a page that says the same, or is another good one
MOST_COPIES = 2  # other pages that say the same, named beside a source
MOST_NEAREST = 3  # pages below an answer that was not found
MOST_MORE = 3
OLD = timedelta(days=730)  # since the last change of a page; of most pages it is less
SURE = ":white_check_mark: "  # before the sources of an answer that stands on them


def source_lines(say: Sentences, answer: Answer, asked_at: float | None = None) -> list[str]:
    """A line for each source, in mrkdwn; those beyond the limit are counted.

    `asked_at` is in seconds since 1970: how old a page was then stays true.
    """
    lines: list[str] = []
    room = SOURCES_LIMIT
    for source in answer.sources:
        line = _line(say, source, asked_at)
        room -= len(line)
        if room < 0:
            lines.append(say("and-more", count=len(answer.sources) - len(lines)))
            break
        lines.append(line)
    if lines and answer.confidence is Confidence.HIGH:
        lines[0] = SURE + lines[0]
    return lines


def nearest_lines(sources: Sequence[Source]) -> list[str]:
    """The pages below an answer that was not found: nothing cites them, so they have no number."""
    shown = [each for each in sources if each.since is not Since.GONE]
    return [f"• {_linked(source_title(each), each.url)}" for each in shown[:MOST_NEAREST]]


def more_line(say: Sentences, more: Sequence[Source]) -> str:
    """The next best pages, in one line; empty without any."""
    shown = [each for each in more if each.since is not Since.GONE]
    titles = [_linked(truncate(each.title, COPY_LIMIT), each.url) for each in shown[:MOST_MORE]]
    return say("sources-more", pages=" · ".join(titles)) if titles else ""


def source_title(source: Source) -> str:
    return f"{source.title} › {source.heading}" if source.heading else source.title


def source_facts(say: Sentences, source: Source) -> Iterator[str]:
    """Its space and owner, the day of its last change, whether it fits; plain text."""
    yield from filter(None, (source.space, source.owner))
    if source.updated_at:  # such as 2026-03-01T08:00:00Z
        yield say("source-changed-on", day=say.day(source.updated_at))
    if source.confidence is Confidence.LOW:
        yield say("source-unsure")


def _line(say: Sentences, source: Source, asked_at: float | None) -> str:
    if source.since is Since.GONE:  # whoever reads this now may not be allowed to see the title
        return f"[{source.number}] {say('source-since-gone')}"
    facts = [f"[{source.number}] {_linked(source_title(source), source.url)}"]
    if source.since is Since.CHANGED:
        facts.append(say("source-since-changed"))
    elif _was_old(source, asked_at):
        facts.append(escape(say("source-old", day=say.day(source.updated_at))))
    copies = [_linked(truncate(title, COPY_LIMIT), url) for title, url in source.also[:MOST_COPIES]]
    if copies:
        facts.append(say("source-also-on", pages=", ".join(copies)))
    return " · ".join(facts)


def _was_old(source: Source, asked_at: float | None) -> bool:
    if asked_at is None:
        return False
    try:
        changed = datetime.fromisoformat(source.updated_at)
    except ValueError:  # not known
        return False
    if changed.tzinfo is None:
        changed = changed.replace(tzinfo=UTC)
    return datetime.fromtimestamp(asked_at, UTC) - changed > OLD


def _linked(title: str, url: str) -> str:
    title = truncate(title, TITLE_LIMIT)
    return link(title, url) if len(url) <= URL_LIMIT else escape(title)
