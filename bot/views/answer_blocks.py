"""What Slack shows of an answer, as pure functions from values to Block Kit; of an explanation: bot.views.explanation_blocks, bot.views.details.

A message takes 12,000 characters of Markdown in all, beside the limits of bot.views.block_kit. We build within them, so nothing is rejected and
nothing is cut in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.views import messages
from bot.views.answer_menu import more
from bot.views.block_kit import (
    BUTTON_LIMIT,
    MESSAGE_LIMIT,
    SECTION_LIMIT,
    Block,
    actions,
    button,
    context,
    packed,
    section,
    size,
)
from bot.views.mrkdwn import escape, link, quiet, with_source_links, within
from bot.views.split_markdown import split
from core.models import Answer, Confidence, Note, Since, Source
from core.question import Completed

MARKDOWN_LIMIT = 12_000
LINKS_SHARE = 0.1  # of the answer's room, kept for the links of its citations
SOURCES_LIMIT = 6_000
URL_LIMIT = 1_500  # a longer address is left out; titles in Chinese take nine characters each there

EXPLAIN_ACTION = "explain"
FEEDBACK_ACTION = "feedback"
ASK_AGAIN_ACTION = "ask_again"
UNFILTERED_ACTION = "unfiltered"
FOLLOW_UP_ACTION = "follow_up"  # and a number: each button of a block has an id of its own
MOST_COPIES = 2  # other pages that say the same, named beside a source
MOST_SUGGESTIONS = 3
SAID_LIMIT = 600  # of a question that is shown again
VALUE_LIMIT = 100  # of what a filter asks for


class Message(NamedTuple):
    """A message: its text for notifications and for a Slack that rejects the blocks, and the blocks."""

    text: str
    blocks: list[Block]


def build_answer(
    turn_id: str, completed: Completed, answer: Answer, above: Sequence[Block] = ()
) -> list[Block]:
    """The answer with its sources, what must be said about it, and the buttons; of a long one the last message."""
    return build_messages(turn_id, completed, answer, above)[-1].blocks


def build_messages(
    turn_id: str, completed: Completed, answer: Answer, above: Sequence[Block] = ()
) -> list[Message]:
    """The answer in as many messages as it needs; what belongs to all of it stands under the last one."""
    under = _under_the_answer(turn_id, completed, answer)
    room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(above))
    last = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - size(under) - size(above))
    texts = split(
        quiet(answer.text) or messages.EMPTY_ANSWER,
        int(room * (1 - LINKS_SHARE)),
        int(last * (1 - LINKS_SHARE)),
    )
    rooms = [*[room] * (len(texts) - 1), last]
    shown = [
        Message(_as_text(text), [_markdown(text, answer, room)])
        for text, room in zip(texts, rooms, strict=True)
    ]
    shown[0] = Message(shown[0].text, [*above, *shown[0].blocks])
    shown[-1] = Message(
        "\n".join([shown[-1].text, *_source_lines(answer.sources)]), [*shown[-1].blocks, *under]
    )
    return shown


def _markdown(text: str, answer: Answer, room: int) -> Block:
    return {"type": "markdown", "text": with_source_links(text, answer.sources, room - size(text))}


def _under_the_answer(turn_id: str, completed: Completed, answer: Answer) -> list[Block]:
    blocks: list[Block] = []
    if Note.NOT_FOUND in answer.notes and answer.sources:
        blocks.append(context(messages.NOTES[Note.NOT_FOUND]))
    blocks += [section(lines) for lines in packed(_source_lines(answer.sources))]
    if notes := _notes(completed, answer):
        blocks.append(context("\n".join(notes)))
    if completed.conditions:
        blocks.append(context(_only_pages(completed, answer)))
    blocks.append(_feedback(turn_id))
    blocks.append(actions(*_buttons(turn_id, completed, answer)))
    if follow_ups := list(_follow_ups(turn_id, answer.suggestions)):
        blocks.append(actions(*follow_ups))
    return blocks


def _only_pages(completed: Completed, answer: Answer) -> str:
    asked = [(each.field, escape(within(each.value, VALUE_LIMIT))) for each in completed.conditions]
    return messages.only_pages(asked, dropped=Note.CONDITIONS_DROPPED in answer.notes)


def _buttons(turn_id: str, completed: Completed, answer: Answer) -> Iterator[Block]:
    yield button(messages.BUTTON_EXPLAIN, EXPLAIN_ACTION, turn_id)
    if completed.conditions and Note.CONDITIONS_DROPPED not in answer.notes:
        yield button(messages.BUTTON_UNFILTERED, UNFILTERED_ACTION, turn_id)
    yield more(turn_id, has_sources=bool(answer.sources))


def _follow_ups(turn_id: str, suggestions: Sequence[str]) -> Iterator[Block]:
    """A button for each; its value names the suggestion, whose whole text stands in the record."""
    for index, suggestion in enumerate(suggestions[:MOST_SUGGESTIONS]):
        if text := " ".join(suggestion.split()):
            yield button(
                within(text, BUTTON_LIMIT), f"{FOLLOW_UP_ACTION}_{index}", f"{turn_id}:{index}"
            )


def build_question(question: str, user: str) -> list[Block]:
    """What is asked here, above the answer to a question that no message asks."""
    return [context(messages.asked_by_button(shown(question), user))]


def shown(question: str) -> str:
    """A question in mrkdwn; it may be made of page text."""
    return escape(within(quiet(" ".join(question.split())), SAID_LIMIT))


def build_reason(turn_id: str, key: str) -> list[Block]:
    """Why there is no answer, with a way to try again where that may help."""
    blocks = [section(messages.reason(key))]
    if key in ("late", "gave_up", "stopped"):
        blocks.append(actions(button(messages.BUTTON_ASK_AGAIN, ASK_AGAIN_ACTION, turn_id)))
    return blocks


def build_sentence(sentence: str) -> list[Block]:
    return [section(sentence)]


def _as_text(markdown: str) -> str:
    """For notifications and for a Slack that rejects the blocks."""
    return within(escape(markdown), SECTION_LIMIT)


def _notes(completed: Completed, answer: Answer) -> list[str]:
    notes = [messages.NOTES[note] for note in answer.notes if note is not Note.NOT_FOUND]
    if answer.confidence:
        notes.insert(0, messages.CONFIDENCE[answer.confidence])
    if answer.searched:
        notes.append(messages.settings.only_searched([escape(key) for key in answer.searched]))
    if completed.text != completed.question:
        notes.insert(0, f"Understood as: {escape(within(completed.text, 600))}")
    return notes


def _source_lines(sources: Sequence[Source]) -> list[str]:
    """A line for each source, and for those that find no room how many they are."""
    lines: list[str] = []
    room = SOURCES_LIMIT
    for source in sources:
        line = _source_line(source)
        room -= len(line)
        if room < 0:
            return [*lines, messages.more_sources(len(sources) - len(lines))]
        lines.append(line)
    return lines


def _source_line(source: Source) -> str:
    if source.since is Since.GONE:  # its title may be nothing for those who read this now
        return f"[{source.number}] {messages.answer_menu.SINCE_GONE}"
    title = within(source.title + (f" › {source.heading}" if source.heading else ""), 150)
    unsure = messages.UNSURE_SOURCE if source.confidence is Confidence.LOW else ""
    facts = [within(source.space, 60), within(source.owner, 60), _age(source.updated_at), unsure]
    shown = _linked(title, source.url)
    also = [_linked(within(title, 60), url) for title, url in source.also[:MOST_COPIES]]
    same = [messages.ALSO_ON.format(pages=", ".join(also))] if also else []
    changed = [messages.answer_menu.SINCE_CHANGED] if source.since is Since.CHANGED else []
    return f"[{source.number}] {shown}" + "".join(
        f" · {fact}" for fact in (*(escape(fact) for fact in facts if fact), *changed, *same)
    )


def _linked(title: str, url: str) -> str:
    return link(title, url) if len(url) <= URL_LIMIT else escape(title)


def _age(updated_at: str) -> str:
    """The day of the last change: `2026-03-01T08:00:00Z` gives `changed 2026-03-01`."""
    return f"changed {updated_at[:10]}" if updated_at else ""


def _feedback(turn_id: str) -> Block:
    def side(text: str, value: str, label: str) -> Block:
        return {
            "text": {"type": "plain_text", "text": text},
            "accessibility_label": label,
            "value": f"{value}:{turn_id}",
        }

    element = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK_ACTION,
        "positive_button": side("Good answer", "up", "This answer is good"),
        "negative_button": side("Bad answer", "down", "This answer is bad"),
    }
    return {"type": "context_actions", "elements": [element]}
