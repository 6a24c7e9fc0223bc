"""An answer as Block Kit: its text in one or more messages, sources, notes and buttons.

A message takes 12,000 characters of Markdown in all, beside the limits of bot.views.block_kit. We
build within them, so nothing is rejected and nothing is cut in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.views.answer_menu import build_answer_menu
from bot.views.block_kit import (
    BUTTON_LIMIT,
    MESSAGE_LIMIT,
    SECTION_LIMIT,
    Block,
    actions,
    button,
    context,
    packed,
    plain_text,
    section,
    size,
)
from bot.views.mrkdwn import escape, link, one_line, sanitize, truncate, with_source_links
from bot.views.split_markdown import split
from core.language.sentences import Sentences
from core.models import Answer, Confidence, Note, Since, Source
from core.question import Completed, Condition, Field

MARKDOWN_LIMIT = 12_000
LINKS_SHARE = 0.1  # of the answer's characters, kept for the links of its citations
SOURCES_LIMIT = 6_000
# A longer address is left out; a Chinese character of a title takes nine characters there.
URL_LIMIT = 1_500

EXPLAIN_ACTION = "explain"
FEEDBACK_ACTION = "feedback"
ASK_AGAIN_ACTION = "ask_again"
UNFILTERED_ACTION = "unfiltered"
FOLLOW_UP_ACTION = "follow_up"  # and a number: each button of a block has an id of its own
MOST_COPIES = 2  # other pages that say the same, named beside a source
MOST_SUGGESTIONS = 3
MOST_UNSUPPORTED = 3  # sentences that are named under an answer
UNSUPPORTED_LIMIT = 160  # characters of each
QUESTION_LIMIT = 600  # of a question that is shown again
FILTER_LIMIT = 120  # of what a filter says


class Message(NamedTuple):
    """A message: its blocks, and its text for notifications and when Slack rejects the blocks."""

    text: str
    blocks: list[Block]


def build_messages(
    say: Sentences,
    turn_id: str,
    completed: Completed,
    answer: Answer,
    *,
    above: Sequence[Block] = (),
) -> list[Message]:
    """The answer in as many messages as it needs; sources and buttons are under the last one."""
    under = _under_the_answer(say, turn_id, completed, answer)
    room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(above))
    last_room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(under) - size(above))
    text = sanitize(answer.text) or say("answer-empty")
    *texts, last_text = split(text, _without_links(room), _without_links(last_room))
    built = []
    for text in texts:
        block = _markdown(text, answer, room)
        built.append(Message(_as_text(text), [block]))
    lines = [_as_text(last_text), *_source_lines(say, answer.sources)]
    blocks = [_markdown(last_text, answer, last_room), *under]
    built.append(Message("\n".join(lines), blocks))
    first = built[0]
    built[0] = Message(first.text, [*above, *first.blocks])
    return built


def _without_links(room: int) -> int:
    return int(room * (1 - LINKS_SHARE))


def _markdown(text: str, answer: Answer, room: int) -> Block:
    linked = with_source_links(text, answer.sources, room - size(text))
    return {"type": "markdown", "text": linked}


def _under_the_answer(
    say: Sentences, turn_id: str, completed: Completed, answer: Answer
) -> list[Block]:
    blocks: list[Block] = []
    if Note.NOT_FOUND in answer.notes and answer.sources:
        blocks.append(context(say(f"note-{Note.NOT_FOUND}")))
    sources = packed(_source_lines(say, answer.sources))
    blocks += [section(lines) for lines in sources]
    if notes := _notes(say, completed, answer):
        blocks.append(context("\n".join(notes)))
    if completed.conditions:
        blocks.append(context(_filters(say, completed, answer)))
    blocks.append(_feedback(say, turn_id))
    blocks.append(actions(*_buttons(say, turn_id, completed, answer)))
    follow_ups = list(_follow_ups(turn_id, answer.suggestions))
    if follow_ups:
        blocks.append(actions(*follow_ups))
    return blocks


def _filters(say: Sentences, completed: Completed, answer: Answer) -> str:
    filters = []
    for condition in completed.conditions:
        text = filter_text(say, condition)
        filters.append(escape(truncate(text, FILTER_LIMIT)))
    listed = " · ".join(filters)
    if Note.CONDITIONS_DROPPED in answer.notes:
        return say("filters-dropped", filters=listed)
    return say("filters", filters=listed)


def filter_text(say: Sentences, condition: Condition) -> str:
    """What a question asks for of its pages: `changed since Mar 1, 2026`."""
    is_day = condition.field in (Field.AFTER, Field.BEFORE)
    value = say.day(condition.value) if is_day else condition.value
    return say(f"filter-{condition.field}", value=value)


def _buttons(say: Sentences, turn_id: str, completed: Completed, answer: Answer) -> Iterator[Block]:
    yield button(say("button-explain"), EXPLAIN_ACTION, turn_id)
    if completed.conditions and Note.CONDITIONS_DROPPED not in answer.notes:
        yield button(say("button-unfiltered"), UNFILTERED_ACTION, turn_id)
    yield build_answer_menu(say, turn_id, has_sources=bool(answer.sources))


def _follow_ups(turn_id: str, suggestions: Sequence[str]) -> Iterator[Block]:
    """A button for each; its value is the suggestion's index, whose whole text is in the record."""
    for index, suggestion in enumerate(suggestions[:MOST_SUGGESTIONS]):
        if text := one_line(suggestion, BUTTON_LIMIT):
            yield button(text, f"{FOLLOW_UP_ACTION}_{index}", f"{turn_id}:{index}")


def build_question(say: Sentences, question: str, user: str) -> list[Block]:
    """The question, above the answer where no message of a person asks it."""
    return [context(f"*{say('question-of', user=user)}* {question_text(question)}")]


def question_text(question: str) -> str:
    """A question in mrkdwn; it may be made of page text."""
    text = sanitize(" ".join(question.split()))
    return escape(truncate(text, QUESTION_LIMIT))


def _as_text(markdown: str) -> str:
    """For notifications and for a Slack that rejects the blocks."""
    return truncate(escape(markdown), SECTION_LIMIT)


def _notes(say: Sentences, completed: Completed, answer: Answer) -> list[str]:
    notes = []
    if completed.text != completed.question:
        notes.append(say("understood-as", question=question_text(completed.text)))
    if answer.confidence:
        notes.append(say(f"confidence-{answer.confidence}"))
    shown = [note for note in answer.notes if note not in (Note.NOT_FOUND, Note.UNSUPPORTED)]
    notes += [say(f"note-{note}") for note in shown]
    notes += _unsupported(say, answer)
    if answer.as_of is not None:
        notes.append(say("note-as-of", when=say.moment(answer.as_of)))
    if answer.searched:
        spaces = [escape(key) for key in answer.searched]
        notes.append(say("searched-only", spaces=say.listed(spaces)))
    return notes


def _unsupported(say: Sentences, answer: Answer) -> Iterator[str]:
    """Which sentences of a model the pages do not say, or that the pages are quoted instead."""
    if Note.UNSUPPORTED not in answer.notes:
        return
    if not answer.model:
        yield say(f"note-{Note.UNSUPPORTED}")
        return
    for sentence in answer.unsupported[:MOST_UNSUPPORTED]:
        text = sanitize(one_line(sentence, UNSUPPORTED_LIMIT))
        yield say("unsupported-sentence", sentence=escape(text))


def _source_lines(say: Sentences, sources: Sequence[Source]) -> list[str]:
    """A line for each source; those beyond the limit are counted."""
    lines: list[str] = []
    room = SOURCES_LIMIT
    for source in sources:
        line = _source_line(say, source)
        room -= len(line)
        if room < 0:
            return [*lines, say("and-more", count=len(sources) - len(lines))]
        lines.append(line)
    return lines


def _source_line(say: Sentences, source: Source) -> str:
    if source.since is Since.GONE:  # whoever reads this now may not be allowed to see the title
        return f"[{source.number}] {say('source-since-gone')}"
    title = truncate(source_title(source), 150)
    facts = [f"[{source.number}] {_linked(title, source.url)}", *_source_facts(say, source)]
    if source.since is Since.CHANGED:
        facts.append(say("source-since-changed"))
    copies = [_linked(truncate(title, 60), url) for title, url in source.also[:MOST_COPIES]]
    if copies:
        facts.append(say("source-also-on", pages=", ".join(copies)))
    return " · ".join(facts)


def source_title(source: Source) -> str:
    return f"{source.title} › {source.heading}" if source.heading else source.title


def _source_facts(say: Sentences, source: Source) -> Iterator[str]:
    """Its space and owner, the day of its last change, and whether it fits the question."""
    for fact in (source.space, source.owner):
        if fact:
            yield escape(truncate(fact, 60))
    if source.updated_at:  # such as 2026-03-01T08:00:00Z
        yield escape(say("source-changed-on", day=say.day(source.updated_at)))
    if source.confidence is Confidence.LOW:
        yield say("source-unsure")


def _linked(title: str, url: str) -> str:
    return link(title, url) if len(url) <= URL_LIMIT else escape(title)


def _feedback(say: Sentences, turn_id: str) -> Block:
    element = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK_ACTION,
        "positive_button": {
            "text": plain_text(say("vote-up")),
            "accessibility_label": say("vote-up-label"),
            "value": f"up:{turn_id}",
        },
        "negative_button": {
            "text": plain_text(say("vote-down")),
            "accessibility_label": say("vote-down-label"),
            "value": f"down:{turn_id}",
        },
    }
    return {"type": "context_actions", "elements": [element]}
