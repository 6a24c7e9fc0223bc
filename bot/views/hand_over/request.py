"""A request to help with a question: whom, by whom, what was found, what is missing, what became.

It goes to people who have not read the answer, so it says no word of that: the question, titles of
pages, and why the answer did not do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.views.answer.remark import MOST_UNSUPPORTED, UNSUPPORTED_LIMIT, question_text
from bot.views.answer.sources import nearest_lines, source_lines
from bot.views.answer_blocks import MessageBlocks
from bot.views.block_kit import Block, actions, button, context, packed, plain_text, section
from bot.views.mrkdwn import escape, link, one_line, sanitize
from bot.views.reasons import no_answer
from core.language.sentences import Sentences
from core.models import Answer, Confidence, Note, Since, Source
from core.states import HandOverState
from core.turns.hand_over.requests import HandOver
from core.turns.turn import Turn

RESOLVED_ACTION, SPARE_ME_ACTION = "hand_over_resolved", "hand_over_spare_me"
PAGE_YES_ACTION, PAGE_NO_ACTION = "hand_over_page_yes", "hand_over_page_no"
SEND_CALLBACK = "hand_over_send"


@dataclass(frozen=True)
class RequestWords:
    """What a request is made from."""

    turn: Turn
    asked_by: str
    whom: Sequence[str]
    names_pages: bool  # whether its readers may be told titles

    @property
    def answer(self) -> Answer:
        return self.turn.record.answer if self.turn.record else Answer(text="")

    @property
    def pages(self) -> tuple[Source, ...]:
        """The sources that can be named."""
        if not self.names_pages:
            return ()
        return tuple(each for each in self.answer.sources if each.since is not Since.GONE)

    @property
    def quoted(self) -> tuple[str, ...]:
        """Sentences of the answer that its pages do not say; none of what was asked in private."""
        return self.answer.unsupported if self.names_pages and not self.turn.private else ()


def build_request(say: Sentences, words: RequestWords, hand_over: HandOver) -> MessageBlocks:
    """The message, as it is before and after somebody has closed it."""
    lines = list(_lines(say, words))
    blocks = [section(text) for text in packed(lines)]
    lines += (closed := list(_closed(say, words, hand_over)))
    if closed:
        blocks += [context(line) for line in closed]
    else:
        blocks.append(actions(*_buttons(say, words.turn.id)))
    return MessageBlocks("\n".join(lines), blocks)


def build_preview(say: Sentences, about: Sentences, words: RequestWords, carried: str) -> Block:
    """The exact words of a private request, `about` it, for the author of the question alone.

    The id of its first block names whom it would go to, so that nobody else gets it.
    """
    (whom,) = words.whom
    intro = section(say("hand-over-preview", person=_name(whom))) | {"block_id": whom}
    exact = [section(text) for text in packed(list(_lines(about, words)))]
    return {
        "type": "modal",
        "callback_id": SEND_CALLBACK,
        "private_metadata": carried,
        "title": plain_text(say("hand-over-title")),
        "submit": plain_text(say("button-send")),
        "close": plain_text(say("button-cancel")),
        "blocks": [intro, {"type": "divider"}, *exact],
    }


def build_should_say(say: Sentences, turn_id: str) -> list[Block]:
    """Asks whoever has closed it, whether the page should say it."""
    yes = button(say("button-yes"), PAGE_YES_ACTION, turn_id)
    no = button(say("button-no"), PAGE_NO_ACTION, turn_id)
    return [section(say("hand-over-should-say")), actions(yes, no)]


def build_sent(say: Sentences, text: str, turn_id: str) -> list[Block]:
    """Tells that people were asked, to somebody who can close it."""
    return [section(text), actions(button(say("button-resolved"), RESOLVED_ACTION, turn_id))]


def _lines(say: Sentences, words: RequestWords) -> Iterator[str]:
    people = say.listed([_name(each) for each in words.whom])
    key = "hand-over-asks-private" if words.turn.private else "hand-over-asks"
    yield say(key, people=people, asker=_name(words.asked_by or words.turn.user))
    yield f"> {question_text(words.turn.question)}"
    yield from _found(say, words)
    yield from _missing(say, words)


def _found(say: Sentences, words: RequestWords) -> Iterator[str]:
    if not words.pages:
        return
    is_found = Note.NOT_FOUND not in words.answer.notes
    yield f"*{say('hand-over-found' if is_found else 'hand-over-nearest')}*"
    if is_found:
        yield from source_lines(say, words.answer.model_copy(update={"confidence": None}))
    else:
        yield from nearest_lines(words.pages)


def _missing(say: Sentences, words: RequestWords) -> Iterator[str]:
    """Why the answer did not do; in private without a word of it."""
    yield f"*{say('hand-over-missing')}* {' '.join(_reasons(say, words))}"


def _reasons(say: Sentences, words: RequestWords) -> Iterator[str]:
    turn, answer = words.turn, words.answer
    if turn.record is None:
        yield no_answer(say, turn.reason, turn.refused_until)
    elif Note.NOT_FOUND in answer.notes:
        yield say("hand-over-no-page")
    elif Note.UNSUPPORTED in answer.notes:
        yield from _unsupported(say, words)
    elif answer.confidence in (Confidence.MEDIUM, Confidence.LOW):
        yield say(f"confidence-{answer.confidence}")
    else:
        yield say("hand-over-not-enough")


def _unsupported(say: Sentences, words: RequestWords) -> Iterator[str]:
    if not words.quoted:
        yield say("hand-over-unsupported")
    for sentence in words.quoted[:MOST_UNSUPPORTED]:
        text = sanitize(one_line(sentence, UNSUPPORTED_LIMIT))
        yield say("unsupported-sentence", sentence=escape(text))


def _buttons(say: Sentences, turn_id: str) -> Iterator[Block]:
    yield button(say("button-resolved"), RESOLVED_ACTION, turn_id)
    yield button(say("button-spare-me"), SPARE_ME_ACTION, turn_id)


def _closed(say: Sentences, words: RequestWords, hand_over: HandOver) -> Iterator[str]:
    if hand_over.state is not HandOverState.RESOLVED:
        return
    by = hand_over.resolved_by  # empty when that person was forgotten
    yield say("hand-over-resolved", who=_name(by)) if by else say("hand-over-closed")
    if hand_over.should_say and words.pages:
        first = words.pages[0]
        people = say.listed([_name(each) for each in words.whom])
        yield say("hand-over-page", people=people, page=link(first.title, first.url))


def _name(user: str) -> str:
    return f"<@{user}>"
