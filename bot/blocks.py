"""What Slack shows, as pure functions from values to Block Kit.

Limits, from docs.slack.dev/reference/block-kit: 50 blocks a message, 12,000 characters of Markdown in all, 3,000 in a section,
10 elements in a context block; and about 13,000 for all blocks together (github.com/slackapi/bolt-js/issues/2509). We build
within them, so nothing is rejected and nothing is cut in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot import messages
from bot.mrkdwn import escape, link, quiet, with_source_links, within
from core.attribution import AnswerVerdict, Effect, Explanation, Verdict
from core.models import Answer, Completed, Confidence, Note, Source

Block = dict[str, Any]

MESSAGE_LIMIT = 12_500  # characters of JSON: what the other blocks leave of it is for the answer
MARKDOWN_LIMIT = 12_000
LINKS_SHARE = 0.1  # of the answer's room, kept for the links of its citations
SECTION_LIMIT = 3_000
SOURCES_LIMIT = 6_000
URL_LIMIT = 1_500  # a longer address is left out; titles in Chinese take nine characters each there
MOST_EFFECTS = 8
BAR = 12  # squares of the longest bar

EXPLAIN_ACTION = "explain"
FEEDBACK_ACTION = "feedback"
ASK_AGAIN_ACTION = "ask_again"
UNFILTERED_ACTION = "unfiltered"
FOLLOW_UP_ACTION = "follow_up"  # and a number: each button of a block has an id of its own
MOST_COPIES = 2  # other pages that say the same, named beside a source
MOST_SUGGESTIONS = 3
BUTTON_LIMIT = 75  # characters on a button
SAID_LIMIT = 600  # of a question that is shown again
VALUE_LIMIT = 100  # of what a filter asks for


def build_answer(turn_id: str, completed: Completed, answer: Answer, above: Sequence[Block] = ()) -> list[Block]:
    """The answer with its sources, what must be said about it, and the buttons."""
    under = _under_the_answer(turn_id, completed, answer)
    room = min(MARKDOWN_LIMIT, MESSAGE_LIMIT - _size(under) - _size(above))
    text = quiet(answer.text) or messages.EMPTY_ANSWER
    while _size(text) > room * (1 - LINKS_SHARE):
        text = within(text, len(text) * 9 // 10)
    return [*above, {"type": "markdown", "text": with_source_links(text, answer.sources, room - _size(text))}, *under]


def _size(content: object) -> int:
    return len(json.dumps(content, ensure_ascii=False))


def _under_the_answer(turn_id: str, completed: Completed, answer: Answer) -> list[Block]:
    blocks: list[Block] = []
    if Note.NOT_FOUND in answer.notes and answer.sources:
        blocks.append(_context(messages.NOTES[Note.NOT_FOUND]))
    blocks += [_section(lines) for lines in _packed(_source_lines(answer.sources))]
    if notes := _notes(completed, answer):
        blocks.append(_context("\n".join(notes)))
    if completed.conditions:
        blocks.append(_context(_only_pages(completed, answer)))
    blocks.append(_feedback(turn_id))
    blocks.append({"type": "actions", "elements": list(_buttons(turn_id, completed, answer))})
    if follow_ups := list(_follow_ups(turn_id, answer.suggestions)):
        blocks.append({"type": "actions", "elements": follow_ups})
    return blocks


def _only_pages(completed: Completed, answer: Answer) -> str:
    asked = [(each.field, escape(within(each.value, VALUE_LIMIT))) for each in completed.conditions]
    return messages.only_pages(asked, dropped=Note.CONDITIONS_DROPPED in answer.notes)


def _buttons(turn_id: str, completed: Completed, answer: Answer) -> Iterator[Block]:
    yield _button(messages.BUTTON_EXPLAIN, EXPLAIN_ACTION, turn_id)
    if completed.conditions and Note.CONDITIONS_DROPPED not in answer.notes:
        yield _button(messages.BUTTON_UNFILTERED, UNFILTERED_ACTION, turn_id)


def _follow_ups(turn_id: str, suggestions: Sequence[str]) -> Iterator[Block]:
    """A button for each; its value names the suggestion, whose whole text stands in the record."""
    for index, suggestion in enumerate(suggestions[:MOST_SUGGESTIONS]):
        if text := " ".join(suggestion.split()):
            yield _button(within(text, BUTTON_LIMIT), f"{FOLLOW_UP_ACTION}_{index}", f"{turn_id}:{index}")


def build_question(question: str, user: str) -> list[Block]:
    """What is asked here, above the answer to a question that no message asks."""
    return [_context(messages.asked_by_button(shown(question), user))]


def shown(question: str) -> str:
    """A question in mrkdwn; it may be made of page text."""
    return escape(within(quiet(" ".join(question.split())), SAID_LIMIT))


def build_reason(turn_id: str, key: str) -> list[Block]:
    """Why there is no answer, with a way to try again where that may help."""
    blocks = [_section(messages.reason(key))]
    if key in ("late", "gave_up"):
        blocks.append({"type": "actions", "elements": [_button(messages.BUTTON_ASK_AGAIN, ASK_AGAIN_ACTION, turn_id)]})
    return blocks


def build_sentence(sentence: str) -> list[Block]:
    return [_section(sentence)]


def build_explanation(explanation: Explanation) -> list[Block]:
    """Which evidence caused the answer: the verdict in words, a bar per cluster, and what it cost."""
    strongest = max((effect.change.mean for effect in explanation.effects), default=0.0)
    telling = [effect for effect in explanation.effects if effect.change.mean or effect.source_numbers]
    shown = telling[:MOST_EFFECTS]
    blocks = [_section(f"*Which evidence caused this answer?*\n{_verdict(explanation)}")]
    blocks += [_section(_effect_line(effect, strongest)) for effect in shown]
    blocks.append(_context(_cost(explanation, hidden=len(telling) - len(shown), silent=len(explanation.effects) - len(telling))))
    return blocks


def answer_as_text(answer: Answer) -> str:
    """The answer for notifications and for a Slack that rejects the blocks."""
    text = escape(quiet(answer.text)) or messages.EMPTY_ANSWER
    return "\n".join([within(text, SECTION_LIMIT), *_source_lines(answer.sources)])


def explanation_as_text(explanation: Explanation) -> str:
    strongest = max((effect.change.mean for effect in explanation.effects), default=0.0)
    return within("\n".join([_verdict(explanation), *(_effect_line(e, strongest) for e in explanation.effects)]), SECTION_LIMIT)


def _verdict(explanation: Explanation) -> str:
    if explanation.verdict is not AnswerVerdict.NEEDED:
        return messages.NOT_NEEDED
    causal = any(effect.verdict is Verdict.CAUSAL for effect in explanation.effects)
    return messages.NEEDED if causal else f"{messages.NEEDED} {messages.NOTHING_ALONE}"


def _effect_line(effect: Effect, strongest: float) -> str:
    filled = round(BAR * effect.change.mean / strongest) if strongest > 0 else 0
    bar = "█" * filled + "░" * (BAR - filled)
    numbers = "".join(f"[{n}]" for n in effect.source_numbers)
    same = f" ({len(effect.evidence_ids)} pieces taken away together)" if len(effect.evidence_ids) > 1 else ""
    return (
        f"`{bar}` *{effect.share:.0%}* {numbers} {escape(within(effect.label, 120))}{same}\n"
        f"Without it: {messages.VERDICTS[effect.verdict or Verdict.NOISE]}{_mark(effect)}. "
        f"Effect {effect.change.mean:.3f}{_interval(effect)}."
    )


def _interval(effect: Effect) -> str:
    """Nothing where there was a single answer: a point has no spread to show."""
    return f" (90 % interval {effect.change.low:.3f} to {effect.change.high:.3f})" if effect.change.low < effect.change.high else ""


def _mark(effect: Effect) -> str:
    """Cited against causal: the two do not always agree, and that is worth knowing."""
    if effect.source_numbers and effect.verdict is not Verdict.CAUSAL:
        return ", _although it is cited_"
    if not effect.source_numbers and effect.verdict is Verdict.CAUSAL:
        return ", _although it is not cited_"
    return ""


def _cost(explanation: Explanation, *, hidden: int, silent: int) -> str:
    how = f"model {escape(explanation.model)}" if explanation.model else "quoted answers, no model"
    usage = explanation.usage
    parts = [
        f"{explanation.repeats} answer{'s' if explanation.repeats > 1 else ''} without each piece; {how}",
        f"By itself the answer changes by {explanation.null.mean:.3f}, without any evidence by {explanation.empty.mean:.3f}",
    ]
    if usage.calls:
        parts.append(f"{usage.calls} calls, {usage.prompt_tokens + usage.completion_tokens:,} tokens, {usage.seconds:.1f} s")
    if hidden:
        parts.append(f"{hidden} weaker ones are not shown")
    if silent:
        parts.insert(0, f"{silent} other pieces were given, and removing any of them changed nothing")
    return ". ".join(parts) + "."


def _notes(completed: Completed, answer: Answer) -> list[str]:
    notes = [messages.NOTES[note] for note in answer.notes if note is not Note.NOT_FOUND]
    if answer.confidence:
        notes.insert(0, messages.CONFIDENCE[answer.confidence])
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
    title = within(source.title + (f" › {source.heading}" if source.heading else ""), 150)
    unsure = messages.UNSURE_SOURCE if source.confidence is Confidence.LOW else ""
    facts = [within(source.space, 60), within(source.owner, 60), _age(source.updated_at), unsure]
    shown = _linked(title, source.url)
    also = [_linked(within(title, 60), url) for title, url in source.also[:MOST_COPIES]]
    same = [messages.ALSO_ON.format(pages=", ".join(also))] if also else []
    return f"[{source.number}] {shown}" + "".join(f" · {fact}" for fact in (*(escape(fact) for fact in facts if fact), *same))


def _linked(title: str, url: str) -> str:
    return link(title, url) if len(url) <= URL_LIMIT else escape(title)


def _packed(lines: Sequence[str]) -> Iterator[str]:
    """The lines in as few texts as fit into a section each."""
    text = ""
    for line in lines:
        if text and len(text) + len(line) + 1 > SECTION_LIMIT:
            yield text
            text = ""
        text += f"\n{line}" if text else line
    if text:
        yield text


def _age(updated_at: str) -> str:
    """The day of the last change: `2026-03-01T08:00:00Z` gives `changed 2026-03-01`."""
    return f"changed {updated_at[:10]}" if updated_at else ""


def _feedback(turn_id: str) -> Block:
    def button(text: str, value: str, label: str) -> Block:
        return {"text": {"type": "plain_text", "text": text}, "accessibility_label": label, "value": f"{value}:{turn_id}"}

    element = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK_ACTION,
        "positive_button": button("Good answer", "up", "This answer is good"),
        "negative_button": button("Bad answer", "down", "This answer is bad"),
    }
    return {"type": "context_actions", "elements": [element]}


def _button(text: str, action: str, value: str) -> Block:
    return {"type": "button", "action_id": action, "text": {"type": "plain_text", "text": text}, "value": value}


def _section(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": within(text, SECTION_LIMIT)}}


def _context(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": within(text, SECTION_LIMIT)}]}
