"""What Slack shows, as pure functions from values to Block Kit.

Limits, from docs.slack.dev/reference/block-kit: 50 blocks a message, 12,000 characters of Markdown in all, 3,000 in a section,
10 elements in a context block. We build within them, so nothing is rejected and nothing is cut in silence.
"""

from __future__ import annotations

from typing import Any

from bot import messages
from bot.mrkdwn import escape, link, quiet, with_source_links, within
from core.models import Answer, Completed, Effect, Explanation, Note, Source, Verdict

Block = dict[str, Any]

ANSWER_LIMIT = 11_000  # of the 12,000: the links of the citations come on top
SECTION_LIMIT = 3_000
MOST_SOURCES = 10
MOST_EFFECTS = 8
BAR = 12  # squares of the longest bar

EXPLAIN_ACTION = "explain"
FEEDBACK_ACTION = "feedback"
ASK_AGAIN_ACTION = "ask_again"


def build_answer(turn_id: str, completed: Completed, answer: Answer) -> list[Block]:
    """The answer with its sources, what must be said about it, and the buttons."""
    text = with_source_links(within(quiet(answer.text), ANSWER_LIMIT), answer.sources)
    blocks: list[Block] = [{"type": "markdown", "text": text}]
    if Note.NOT_FOUND in answer.notes and answer.sources:
        blocks.append(_context(messages.NOTES[Note.NOT_FOUND]))
    if answer.sources:
        blocks.append(_section("\n".join(_source_line(source) for source in answer.sources[:MOST_SOURCES])))
    if notes := _notes(completed, answer):
        blocks.append(_context("\n".join(notes)))
    blocks.append(_feedback(turn_id))
    blocks.append({"type": "actions", "elements": [_button(messages.BUTTON_EXPLAIN, EXPLAIN_ACTION, turn_id)]})
    return blocks


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
    strongest = max((effect.effect for effect in explanation.effects), default=0.0)
    telling = [effect for effect in explanation.effects if effect.verdict is not Verdict.NO_EFFECT or effect.source_numbers]
    shown = telling[:MOST_EFFECTS]
    blocks = [_section(f"*Which evidence caused this answer?*\n{_verdict(explanation)}")]
    blocks += [_section(_effect_line(effect, strongest)) for effect in shown]
    blocks.append(_context(_cost(explanation, hidden=len(telling) - len(shown), silent=len(explanation.effects) - len(telling))))
    return blocks


def answer_as_text(answer: Answer) -> str:
    """The answer for notifications and for a Slack that rejects the blocks."""
    lines = [quiet(answer.text), *(_source_line(source) for source in answer.sources[:MOST_SOURCES])]
    return within("\n".join(lines), SECTION_LIMIT)


def explanation_as_text(explanation: Explanation) -> str:
    strongest = max((effect.effect for effect in explanation.effects), default=0.0)
    return within("\n".join([_verdict(explanation), *(_effect_line(e, strongest) for e in explanation.effects)]), SECTION_LIMIT)


def _verdict(explanation: Explanation) -> str:
    if not explanation.needs_evidence:
        return messages.NOT_NEEDED
    causal = any(effect.verdict is Verdict.CAUSAL for effect in explanation.effects)
    return messages.NEEDED if causal else f"{messages.NEEDED} {messages.NOTHING_ALONE}"


def _effect_line(effect: Effect, strongest: float) -> str:
    filled = round(BAR * effect.effect / strongest) if strongest > 0 else 0
    bar = "█" * filled + "░" * (BAR - filled)
    numbers = "".join(f"[{n}]" for n in effect.source_numbers)
    same = f" ({len(effect.evidence_ids)} pieces that say the same)" if len(effect.evidence_ids) > 1 else ""
    return (
        f"`{bar}` *{effect.share:.0%}* {numbers} {escape(within(effect.label, 120))}{same}\n"
        f"Without it: {messages.VERDICTS[effect.verdict]}{_mark(effect)}. "
        f"Effect {effect.effect:.3f} (90 % interval {effect.low:.3f} to {effect.high:.3f})."
    )


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
        f"By itself the answer changes by {explanation.null_effect:.3f}, without any evidence by {explanation.empty_effect:.3f}",
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
    if completed.text != completed.question:
        notes.insert(0, f"Understood as: {escape(within(completed.text, 600))}")
    return notes


def _source_line(source: Source) -> str:
    title = source.title + (f" › {source.heading}" if source.heading else "")
    facts = [source.space, source.owner, _age(source.updated_at)]
    return within(f"[{source.number}] {link(within(title, 150), source.url)}", 700) + "".join(f" · {escape(f)}" for f in facts if f)


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
