"""App Home as pure functions: what the bot can do, the state of the index, and one's own conversations.

Limits: 100 blocks a view (docs.slack.dev/reference/views); a conversation takes two.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.home.history import Conversation
from bot.home.index_overview import Overview, SpaceOverview
from bot.views import messages
from bot.views.block_kit import Block, actions, button, context, header, section
from bot.views.mrkdwn import escape, quiet, within

EXAMPLE_ACTION = "home_example"  # and a number: each button of a block has an id of its own
HIDE_ACTION, RESTORE_ACTION, FORGET_ACTION = "home_hide", "home_restore", "home_forget"
HIDDEN_ACTION, SHOWN_ACTION = "home_hidden", "home_shown"
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


def build_home(rooms: HomeContent) -> Block:
    blocks = [
        header(messages.home.TITLE),
        section(messages.home.ABOUT),
        *_examples(rooms.examples),
        actions(button(messages.home.BUTTON_MY_SETTINGS, SETTINGS_ACTION, "mine")),
        {"type": "divider"},
        header(messages.home.CONVERSATIONS_HIDDEN if rooms.hidden else messages.home.CONVERSATIONS),
        *_conversations(rooms),
        {"type": "divider"},
        header(messages.home.INDEX),
        *_index(rooms.overview),
    ]
    return {"type": "home", "blocks": blocks}


def _examples(found: Sequence[tuple[str, str]]) -> Iterator[Block]:
    if not found:
        return
    yield section(messages.home.EXAMPLES)
    for number, (title, heading) in enumerate(found):
        asked = messages.home.example(title, heading)
        yield actions(button(asked, f"{EXAMPLE_ACTION}_{number}", asked))


def _conversations(rooms: HomeContent) -> Iterator[Block]:
    if not rooms.conversations:
        yield section(
            messages.home.NOTHING_HIDDEN if rooms.hidden else messages.home.NO_CONVERSATIONS
        )
    for each, link in rooms.conversations[:MOST_CONVERSATIONS]:
        yield section(_conversation(each, link))
        yield actions(_put_away(each), _forget(each))
    text, action = (
        (messages.home.BUTTON_SHOWN, SHOWN_ACTION)
        if rooms.hidden
        else (messages.home.BUTTON_HIDDEN, HIDDEN_ACTION)
    )
    yield actions(button(text, action, "list"))


def _conversation(each: Conversation, link: str) -> str:
    question = (
        escape(within(quiet(" ".join(each.question.split())), QUESTION_LIMIT))
        or messages.home.NO_QUESTION
    )
    place = messages.home.IN_PRIVATE if each.private else f"<#{each.channel}>"
    facts = [
        place,
        _when(each.asked_at),
        *([messages.home.questions(each.turns)] if each.turns > 1 else []),
        f"<{link}|{messages.home.OPEN_THREAD}>",
    ]
    return f"*{question}*\n{' · '.join(facts)}"


def _put_away(each: Conversation) -> Block:
    text, action = (
        (messages.home.BUTTON_RESTORE, RESTORE_ACTION)
        if each.hidden
        else (messages.home.BUTTON_HIDE, HIDE_ACTION)
    )
    return button(text, action, each.thread_id)


def _forget(each: Conversation) -> Block:
    """Asks before it does: docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object."""
    dialog = {
        "title": _plain(messages.home.FORGET_TITLE),
        "text": _plain(messages.home.FORGET_TEXT),
        "confirm": _plain(messages.home.BUTTON_FORGET),
        "deny": _plain(messages.home.BUTTON_KEEP),
        "style": "danger",
    }
    return button(messages.home.BUTTON_FORGET, FORGET_ACTION, each.thread_id) | {
        "style": "danger",
        "confirm": dialog,
    }


def _index(known: Overview) -> Iterator[Block]:
    if not known.spaces:
        yield section(messages.home.NO_INDEX)
        return
    for space in known.spaces[:MOST_SPACES]:
        yield section(_space(space))
    hidden = len(known.spaces) - MOST_SPACES
    yield context(
        messages.home.index_total(known.pages, known.pieces, max(hidden, 0), known.others)
    )


def _space(space: SpaceOverview) -> str:
    name = f" {escape(within(space.name, 80))}" if space.name and space.name != space.key else ""
    synced = (
        f"{messages.home.SYNCED} {_when(space.synced_at)}"
        if space.synced_at
        else messages.home.NEVER_SYNCED
    )
    problems = messages.home.space_problems(space.unread, failed=space.failed)
    return f"*{escape(space.key)}*{name}\n{' · '.join([messages.home.space_pages(space.pages, space.restricted), synced, *problems])}"


def _when(seconds: float) -> str:
    """In the reader's own time zone: docs.slack.dev/messaging/formatting-message-text#date-formatting."""
    fallback = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
    return f"<!date^{int(seconds)}^{{date_short_pretty}} {{time}}|{fallback}>"


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


SETTINGS_ACTION = "settings"
