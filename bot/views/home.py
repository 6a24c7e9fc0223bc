"""App Home as Block Kit: what the bot can do, one's own conversations, the state of the index.

Limits: 100 blocks a view (docs.slack.dev/reference/views); a conversation takes two.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.home.history import Conversation
from bot.home.index_overview import Overview, SpaceOverview
from bot.views.block_kit import Block, actions, button, context, header, plain_text, section
from bot.views.messages import home as texts
from bot.views.mrkdwn import escape, sanitize, truncate

EXAMPLE_ACTION = "home_example"  # and a number: each button of a block has an id of its own
HIDE_ACTION, RESTORE_ACTION, FORGET_ACTION = "home_hide", "home_restore", "home_forget"
HIDDEN_ACTION, SHOWN_ACTION = "home_hidden", "home_shown"
SETTINGS_ACTION = "settings"
MOST_SPACES = 20
MOST_CONVERSATIONS = 20
QUESTION_LIMIT = 200


@dataclass(frozen=True)
class HomeContent:
    """What one person's Home is made of."""

    overview: Overview
    examples: Sequence[tuple[str, str]]  # a page's title and one of its headings
    conversations: Sequence[tuple[Conversation, str]]  # each with the address of its thread
    hidden: bool  # whether these are the hidden ones


def build_home(content: HomeContent) -> Block:
    blocks = [
        header(texts.TITLE),
        section(texts.ABOUT),
        *_examples(content.examples),
        actions(button(texts.BUTTON_MY_SETTINGS, SETTINGS_ACTION, "mine")),
        {"type": "divider"},
        header(texts.CONVERSATIONS_HIDDEN if content.hidden else texts.CONVERSATIONS),
        *_conversations(content),
        {"type": "divider"},
        header(texts.INDEX),
        *_index(content.overview),
    ]
    return {"type": "home", "blocks": blocks}


def _examples(found: Sequence[tuple[str, str]]) -> Iterator[Block]:
    if not found:
        return
    yield section(texts.EXAMPLES)
    for number, (title, heading) in enumerate(found):
        asked = texts.example(title, heading)
        yield actions(button(asked, f"{EXAMPLE_ACTION}_{number}", asked))


def _conversations(content: HomeContent) -> Iterator[Block]:
    if not content.conversations:
        yield section(texts.NOTHING_HIDDEN if content.hidden else texts.NO_CONVERSATIONS)
    for each, link in content.conversations[:MOST_CONVERSATIONS]:
        yield section(_conversation(each, link))
        yield actions(_hide_or_restore(each), _forget(each))
    if content.hidden:
        yield actions(button(texts.BUTTON_SHOWN, SHOWN_ACTION, "list"))
    else:
        yield actions(button(texts.BUTTON_HIDDEN, HIDDEN_ACTION, "list"))


def _conversation(each: Conversation, link: str) -> str:
    question = sanitize(" ".join(each.question.split()))
    question = truncate(question, QUESTION_LIMIT)
    place = texts.IN_PRIVATE if each.private else f"<#{each.channel}>"
    facts = [place, _when(each.asked_at)]
    if each.turns > 1:
        facts.append(texts.questions(each.turns))
    facts.append(f"<{link}|{texts.OPEN_THREAD}>")
    return f"*{escape(question) or texts.NO_QUESTION}*\n{' · '.join(facts)}"


def _hide_or_restore(each: Conversation) -> Block:
    if each.hidden:
        return button(texts.BUTTON_RESTORE, RESTORE_ACTION, each.thread_id)
    return button(texts.BUTTON_HIDE, HIDE_ACTION, each.thread_id)


def _forget(each: Conversation) -> Block:
    """Asks for confirmation.

    docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
    """
    dialog = {
        "title": plain_text(texts.FORGET_TITLE),
        "text": plain_text(texts.FORGET_TEXT),
        "confirm": plain_text(texts.BUTTON_FORGET),
        "deny": plain_text(texts.BUTTON_KEEP),
        "style": "danger",
    }
    forget = button(texts.BUTTON_FORGET, FORGET_ACTION, each.thread_id)
    return forget | {"style": "danger", "confirm": dialog}


def _index(known: Overview) -> Iterator[Block]:
    if not known.spaces:
        yield section(texts.NO_INDEX)
        return
    for space in known.spaces[:MOST_SPACES]:
        yield section(_space(space))
    not_shown = max(0, len(known.spaces) - MOST_SPACES)
    yield context(texts.index_total(known.pages, known.pieces, not_shown, known.others))


def _space(space: SpaceOverview) -> str:
    heading = f"*{escape(space.key)}*"
    if space.name and space.name != space.key:
        heading += f" {escape(truncate(space.name, 80))}"
    synced = f"{texts.SYNCED} {_when(space.synced_at)}" if space.synced_at else texts.NEVER_SYNCED
    facts = [texts.space_pages(space.pages, space.restricted), synced]
    facts += texts.space_problems(space.unread, failed=space.failed)
    return f"{heading}\n{' · '.join(facts)}"


def _when(seconds: float) -> str:
    """In the reader's own time zone.

    docs.slack.dev/messaging/formatting-message-text#date-formatting
    """
    fallback = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
    return f"<!date^{int(seconds)}^{{date_short_pretty}} {{time}}|{fallback}>"
