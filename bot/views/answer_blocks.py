"""An answer as Block Kit: its text in one or more messages, its sources, votes, Why and a menu.

That is all, unless more matters: one line of remarks, the next best pages, what to ask next. What
else is known stands in the details. Where no page answers, the nearest are named and that is all.

A message takes 12,000 characters of Markdown in all, beside the limits of bot.views.block_kit. We
build within them, so nothing is rejected and nothing is cut in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.views.answer.remark import doubt_above, question_text, remark
from bot.views.answer.sources import more_line, nearest_lines, source_lines
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
from bot.views.mrkdwn import escape, one_line, truncate, with_source_links
from bot.views.split_markdown import split
from core.language.sentences import Sentences
from core.markdown.writing import neutral
from core.models import Answer, Confidence, Note
from core.question import Completed

MARKDOWN_LIMIT = 12_000
LINKS_SHARE = 0.1  # of the answer's characters, kept for the links of its citations

EXPLAIN_ACTION = "explain"
FEEDBACK_ACTION = "feedback"
ASK_AGAIN_ACTION = "ask_again"
UNFILTERED_ACTION = "unfiltered"
HAND_OVER_ACTION = "hand_over"  # asks a person
FOLLOW_UP_ACTION = "follow_up"  # and a number: each button of a block has an id of its own
MOST_SUGGESTIONS = 2  # each takes two lines on a phone


class MessageBlocks(NamedTuple):
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
    asked_at: float | None = None,
) -> list[MessageBlocks]:
    """The answer in as many messages as it needs; sources and buttons are under the last one.

    `asked_at`, in seconds since 1970, tells which pages were old then.
    """
    doubt = doubt_above(say, answer)
    above = [*above, context(doubt)] if doubt else above
    lines = _source_lines(say, answer, asked_at)
    under = _under_the_answer(say, turn_id, completed, answer, lines)
    room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(above))
    last_room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(under) - size(above))
    text = _text(say, answer)
    *texts, last_text = split(text, _without_links(room), _without_links(last_room))
    built = []
    for text in texts:
        block = _markdown(text, answer, room)
        built.append(MessageBlocks(_as_text(text), [block]))
    last_lines = [_as_text(last_text), *lines]
    blocks = [_markdown(last_text, answer, last_room), *under]
    built.append(MessageBlocks("\n".join(last_lines), blocks))
    first = built[0]
    text = f"{doubt}\n{first.text}" if doubt else first.text
    built[0] = MessageBlocks(text, [*above, *first.blocks])
    return built


def build_question(say: Sentences, question: str, user: str) -> list[Block]:
    """The question, above the answer where no message of a person asks it."""
    return [context(f"*{say('question-of', user=user)}* {question_text(question)}")]


def _source_lines(say: Sentences, answer: Answer, asked_at: float | None) -> list[str]:
    if Note.NOT_FOUND in answer.notes:
        return nearest_lines(answer.sources)
    return source_lines(say, answer, asked_at)


def _text(say: Sentences, answer: Answer) -> str:
    text = neutral(answer.text) or say("answer-empty")
    if Note.NOT_FOUND in answer.notes and nearest_lines(answer.sources):
        return f"{text} {say(f'note-{Note.NOT_FOUND}')}"
    return text


def _without_links(room: int) -> int:
    return int(room * (1 - LINKS_SHARE))


def _markdown(text: str, answer: Answer, room: int) -> Block:
    linked = with_source_links(text, answer.sources, room - size(text))
    return {"type": "markdown", "text": linked}


def _under_the_answer(
    say: Sentences,
    turn_id: str,
    completed: Completed,
    answer: Answer,
    lines: Sequence[str],
) -> list[Block]:
    blocks = [section(text) for text in packed(lines)]
    if said := remark(say, completed, answer):
        blocks.append(context(said))
    if Note.NOT_FOUND not in answer.notes:
        if more := more_line(say, answer.more):
            blocks.append(context(more))
        blocks.append(_feedback(say, turn_id))
    blocks.append(actions(*_buttons(say, turn_id, completed, answer)))
    follow_ups = list(_follow_ups(turn_id, answer))
    if follow_ups:
        blocks.append(actions(*follow_ups))
    return blocks


def _buttons(say: Sentences, turn_id: str, completed: Completed, answer: Answer) -> Iterator[Block]:
    is_found = Note.NOT_FOUND not in answer.notes
    if is_found:
        yield button(say("button-explain"), EXPLAIN_ACTION, turn_id)
    if completed.conditions and Note.CONDITIONS_DROPPED not in answer.notes:
        yield button(say("button-unfiltered"), UNFILTERED_ACTION, turn_id)
    if not is_found:
        yield button(say("menu-person"), HAND_OVER_ACTION, turn_id)
    yield build_answer_menu(say, turn_id, has_sources=is_found and bool(answer.sources))


def _follow_ups(turn_id: str, answer: Answer) -> Iterator[Block]:
    """A button for each; its value is the suggestion's index, whose whole text is in the record.

    Whoever cannot rely on an answer has no use for the next question.
    """
    if Note.NOT_FOUND in answer.notes or answer.confidence is Confidence.LOW:
        return
    for index, suggestion in enumerate(answer.suggestions[:MOST_SUGGESTIONS]):
        if text := one_line(suggestion, BUTTON_LIMIT):
            yield button(text, f"{FOLLOW_UP_ACTION}_{index}", f"{turn_id}:{index}")


def _as_text(markdown: str) -> str:
    """For notifications and for a Slack that rejects the blocks."""
    return truncate(escape(markdown), SECTION_LIMIT)


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
