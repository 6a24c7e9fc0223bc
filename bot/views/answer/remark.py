"""The one line below an answer: what must be known of it before anybody relies on it, if anything.

What is more likely wrong than right says so above.

Everything else that is known stands in the details: see `facts`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.views.mrkdwn import escape, one_line, sanitize, truncate
from core.language.sentences import Sentences
from core.models import Answer, Confidence, Note
from core.question import Completed, Condition, Field

QUESTION_LIMIT = 600  # of a question that is shown again
FILTER_LIMIT = 120  # of what a filter says
MOST_UNSUPPORTED = 3  # sentences that are named under an answer
UNSUPPORTED_LIMIT = 160  # characters of each
# How the bot is set up, which is the same for every answer; and what the answer says itself.
NOT_REMARKED = {Note.NO_MODEL, Note.KEPT_INSIDE, Note.NOT_FOUND}
# Of an answer that was not found: why a page that answers may be missing all the same.
WHY_MISSING = {Note.UNCHECKED, Note.WORDS_ONLY}


def remark(say: Sentences, completed: Completed, answer: Answer) -> str:
    """In mrkdwn; empty where nothing has to be said."""
    return " ".join(_remarks(say, completed, answer))


def doubt_above(say: Sentences, answer: Answer) -> str:
    """In mrkdwn, where a quote more likely misses than answers: who sees it first is not misled.

    Empty for a model's answer, which people have read by then.
    """
    is_quote = not answer.model and Note.NOT_FOUND not in answer.notes
    return say("nearest-quoted") if is_quote and answer.confidence is Confidence.LOW else ""


def facts(say: Sentences, answer: Answer) -> Iterator[str]:
    """All that is known of how an answer came to be, in whole sentences, in mrkdwn."""
    if answer.confidence:
        yield say(f"confidence-{answer.confidence}")
    for note in answer.notes:
        if note is not Note.NOT_FOUND:
            yield from _note(say, note, answer)
    if answer.as_of is not None:
        yield say("note-as-of", when=say.moment(answer.as_of))
    if answer.searched:
        yield _searched(say, answer)


def filter_text(say: Sentences, condition: Condition) -> str:
    """What a question asks for of its pages: `changed since Mar 1, 2026`."""
    is_day = condition.field in (Field.AFTER, Field.BEFORE)
    value = say.day(condition.value) if is_day else condition.value
    return say(f"filter-{condition.field}", value=value)


def question_text(question: str) -> str:
    """A question in mrkdwn; it may be made of page text."""
    text = sanitize(" ".join(question.split()))
    return escape(truncate(text, QUESTION_LIMIT))


def _remarks(say: Sentences, completed: Completed, answer: Answer) -> Iterator[str]:
    is_found = Note.NOT_FOUND not in answer.notes
    is_unsure = answer.confidence in (Confidence.MEDIUM, Confidence.LOW)
    if is_found and is_unsure and not doubt_above(say, answer):
        yield say(f"confidence-{answer.confidence}")
    if is_found and may_surprise(completed, answer):
        yield say("understood-as", question=question_text(completed.text))
    for note in answer.notes:
        if note in WHY_MISSING or (is_found and note not in NOT_REMARKED):
            yield from _note(say, note, answer)
    if answer.as_of is not None and is_found:
        yield say("note-as-of", when=say.moment(answer.as_of))
    if answer.searched and not (is_found and answer.confidence is Confidence.HIGH):
        yield _searched(say, answer)
    if completed.conditions:
        yield _filters(say, completed, answer)


def _note(say: Sentences, note: Note, answer: Answer) -> Iterator[str]:
    """Of a model's answer that stands, which sentences its pages do not say."""
    if note is not Note.UNSUPPORTED or not answer.model:
        yield say(f"note-{note}")
        return
    for sentence in answer.unsupported[:MOST_UNSUPPORTED]:
        text = sanitize(one_line(sentence, UNSUPPORTED_LIMIT))
        yield say("unsupported-sentence", sentence=escape(text))


def may_surprise(completed: Completed, answer: Answer) -> bool:
    """Whether a completed question may be another one than was meant.

    By rules it is one about the page of the answer before. Where this answer comes from that page
    too, nothing is surprising about it.
    """
    if not completed.is_changed:
        return False
    titles = {source.title for source in answer.sources}
    return bool(completed.by) or titles.isdisjoint(completed.context)


def _searched(say: Sentences, answer: Answer) -> str:
    spaces = [escape(key) for key in answer.searched]
    return say("searched-only", spaces=say.listed(spaces))


def _filters(say: Sentences, completed: Completed, answer: Answer) -> str:
    filters = []
    for condition in completed.conditions:
        text = filter_text(say, condition)
        filters.append(escape(truncate(text, FILTER_LIMIT)))
    dropped = Note.CONDITIONS_DROPPED in answer.notes
    return say("filters-dropped" if dropped else "filters", filters=" · ".join(filters))
