"""The modal with the details of an answer: what each piece of evidence did, word by word, and what stands behind the scenes.

Everything that is page text or a model's is rich text, which has no markup: it means nothing but itself. Slack takes 100 blocks and
250 kB a modal (docs.slack.dev/surfaces/modals), and what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.views import messages
from bot.views.block_kit import Block, context, header, plain, rich, section
from bot.views.explanation_blocks import effect_text, how, together_text, verdict
from bot.views.mrkdwn import within
from bot.views.trace import build_behind
from core.attribution import Change, Edit, Effect, Explanation
from core.turns.explanations import Request
from core.turns.turn import Turn

MOST_EFFECTS = 12  # each takes four blocks
MOST_TOGETHER = 4
MOST_SENTENCES = 12
SENTENCE_LIMIT = 160
ANSWER_LIMIT = 2_400  # characters of a counterfactual answer
SAME_LIMIT = (
    240  # of words that did not change; what is between the ends of a longer run is left out
)
STYLES: dict[Edit, dict[str, bool]] = {
    Edit.SAME: {},
    Edit.REMOVED: {"strike": True},
    Edit.ADDED: {"bold": True},
}


def build_sentence(sentence: str) -> Block:
    """A modal that says one thing: that it is loading, or why there is nothing to see."""
    return _modal([section(sentence)])


def build_details(turn: Turn, request: Request | None) -> Block:
    """All there is to know of an answered turn, for somebody who may see all of its evidence."""
    assert turn.record is not None
    explained = (
        _explained(request.result)
        if request and request.result
        else [context(messages.details.NOT_EXPLAINED)]
    )
    return _modal([*explained, *build_behind(turn.record)])


def difference(changes: Sequence[Change], limit: int = ANSWER_LIMIT) -> list[Block]:
    """The whole counterfactual answer as runs of rich text; long runs of the same words are shortened, and then the end."""
    runs: list[Block] = []
    for change in changes:
        text = _shortened(change.text) if change.edit is Edit.SAME else change.text
        if len(text) > limit:
            return [*runs, plain(within(text, max(limit, 1)), **STYLES[change.edit])]
        limit -= len(text)
        runs += [plain(text, **STYLES[change.edit])] if text else []
    return runs


def _modal(blocks: Sequence[Block]) -> Block:
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": messages.details.TITLE},
        "close": {"type": "plain_text", "text": messages.BUTTON_CLOSE},
        "blocks": list(blocks),
    }


def _explained(explanation: Explanation) -> list[Block]:
    blocks = [header(messages.details.EFFECTS), section(verdict(explanation))]
    for effect in explanation.effects[:MOST_EFFECTS]:
        blocks += _effect(effect, explanation)
    if more := len(explanation.effects) - MOST_EFFECTS:
        blocks += (
            [context(line) for line in messages.explanations.hidden(more, 0)] if more > 0 else []
        )
    for pair in explanation.together[:MOST_TOGETHER]:
        blocks += [{"type": "divider"}, section(together_text(pair)), *_typical(pair)]
    if pairs := explanation.together[MOST_TOGETHER:]:
        blocks.append(context(messages.explanations.more_pairs(len(pairs))))
    if explanation.without_evidence:
        blocks += [
            {"type": "divider"},
            section(messages.details.WITHOUT_ANY),
            rich(plain(within(explanation.without_evidence, ANSWER_LIMIT))),
        ]
    return [*blocks, *_by_sentence(explanation), context(how(explanation)), {"type": "divider"}]


def _effect(effect: Effect, explanation: Explanation) -> Iterator[Block]:
    certain = "" if effect.p_value is None else f" {messages.explanations.certain(effect.p_value)}."
    yield {"type": "divider"}
    yield section(effect_text(effect, explanation) + certain)
    yield from _typical(effect)


def _typical(effect: Effect) -> Iterator[Block]:
    """A typical answer without this evidence."""
    if all(change.edit is Edit.SAME for change in effect.difference):
        if effect.difference or not effect.counterfactual:
            said = [plain(messages.details.SAME_ANSWER, italic=True)] if effect.difference else []
        else:
            said = [plain(within(effect.counterfactual, ANSWER_LIMIT))]
    else:
        yield context(messages.details.TYPICAL_ANSWER)
        said = difference(effect.difference)
    if said:
        yield rich(*said)


def _by_sentence(explanation: Explanation) -> Iterator[Block]:
    """On which evidence each sentence of the answer hangs."""
    if not any(effect.sentences for effect in (*explanation.effects, *explanation.together)):
        return
    runs: list[Block] = []
    for place, sentence in enumerate(explanation.sentences[:MOST_SENTENCES]):
        hangs_on = [_name(effect) for effect in explanation.effects if _is_cause_of(effect, place)]
        hangs_on += [
            _name(pair)
            for pair in explanation.together
            if not hangs_on and _is_cause_of(pair, place)
        ]
        runs += [plain(f"{place + 1}. {within(' '.join(sentence.split()), SENTENCE_LIMIT)}  → ")]
        runs += [
            plain(
                within("; ".join(hangs_on), 300) or messages.details.ON_NOTHING_ALONE,
                bold=bool(hangs_on),
            ),
            plain("\n"),
        ]
    yield header(messages.details.SENTENCES)
    yield rich(*runs)
    if more := explanation.sentences[MOST_SENTENCES:]:
        yield context(messages.more_sources(len(more)))


def _is_cause_of(effect: Effect, place: int) -> bool:
    return any(each.sentence == place and each.causal for each in effect.sentences)


def _name(effect: Effect) -> str:
    numbers = "".join(f"[{number}]" for number in effect.source_numbers)
    return f"{numbers} {within(' '.join(effect.label.split()), 60)}".lstrip()


def _shortened(text: str) -> str:
    """The beginning and the end of a long run."""
    if len(text) <= SAME_LIMIT:
        return text
    half = SAME_LIMIT // 2
    return f"{text[:half].rstrip()} … {text[-half:].lstrip()}"
