"""App Home as Block Kit: what the bot can do, one's own conversations, the state of the index.

Limits: 100 blocks a view (docs.slack.dev/reference/views); a conversation takes two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError

from bot.home.history import Conversation
from bot.views.block_kit import Block, actions, button, context, header, plain_text, section
from bot.views.leaves import build_leaves
from bot.views.mrkdwn import escape, moment, sanitize, truncate
from core.access.disclosure import EVERYBODY, Disclosure, of_pages
from core.access.index_overview import ExamplePage, Overview, SpaceOverview
from core.language.sentences import Sentences
from core.pages import PageKey
from core.policy.model_routing import Leaving

EXAMPLE_ACTION = "home_example"  # and a number: each button of a block has an id of its own
HIDE_ACTION, RESTORE_ACTION, FORGET_ACTION = "home_hide", "home_restore", "home_forget"
HIDDEN_ACTION, SHOWN_ACTION = "home_hidden", "home_shown"
SETTINGS_ACTION = "settings"
MOST_SPACES = 20
MOST_CONVERSATIONS = 20
QUESTION_LIMIT = 200

# A database does not take every character.
Text = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"^[^\x00]*$")]


@dataclass(frozen=True)
class HomeContent:
    """What one person's Home is made of."""

    overview: Overview
    examples: Sequence[ExamplePage]
    conversations: Sequence[tuple[Conversation, str]]  # each with the address of its thread
    hidden: bool  # whether these are the hidden ones
    leaving: Leaving
    cost_by_person: bool = False  # whether operators see what each person has cost
    account: Sequence[Block] = ()  # bot.views.linking, where people can link one


def build_home(say: Sentences, content: HomeContent) -> Block:
    blocks = [
        header(say("home-title")),
        section(say("home-about")),
        *_examples(say, content.examples),
        actions(button(say("button-my-settings"), SETTINGS_ACTION, "mine")),
        *content.account,
        {"type": "divider"},
        header(say("home-hidden") if content.hidden else say("home-conversations")),
        *_conversations(say, content),
        {"type": "divider"},
        header(say("home-index")),
        *_index(say, content.overview),
        {"type": "divider"},
        *build_leaves(say, content.leaving),
        *([context(say("home-cost-by-person"))] if content.cost_by_person else ()),
    ]
    return {"type": "home", "blocks": blocks}


def _examples(say: Sentences, found: Sequence[ExamplePage]) -> Iterator[Block]:
    if not found:
        return
    yield section(say("home-examples"))
    for number, example in enumerate(found):
        asked = say("example", title=example.title, heading=example.heading)
        value = json.dumps({"question": asked, "shows": of_pages(example.pages).as_json()})
        yield actions(button(asked, f"{EXAMPLE_ACTION}_{number}", value))


class _ExampleShows(BaseModel):
    pages: list[tuple[Text, Text]]
    audience: Literal[""]  # examples are for everybody


class _Example(BaseModel):
    """The value of an example's button."""

    question: Text
    shows: _ExampleShows


def read_example(value: str) -> tuple[str, Disclosure] | None:
    """The question of an example's button, and what it gives away; None of no value of ours."""
    try:
        carried = _Example.model_validate_json(value, strict=True)
    except ValidationError:
        return None
    pages = (PageKey(source, page_id) for source, page_id in carried.shows.pages)
    return carried.question, of_pages(pages, EVERYBODY)


def _conversations(say: Sentences, content: HomeContent) -> Iterator[Block]:
    if not content.conversations:
        key = "home-nothing-hidden" if content.hidden else "home-no-conversations"
        yield section(say(key))
    for each, link in content.conversations[:MOST_CONVERSATIONS]:
        yield section(_conversation(say, each, link))
        yield actions(_hide_or_restore(say, each), _forget(say, each))
    if content.hidden:
        yield actions(button(say("button-shown"), SHOWN_ACTION, "list"))
    else:
        yield actions(button(say("button-hidden"), HIDDEN_ACTION, "list"))


def _conversation(say: Sentences, each: Conversation, link: str) -> str:
    question = sanitize(" ".join(each.question.split()))
    question = truncate(question, QUESTION_LIMIT)
    place = say("home-in-private") if each.private else f"<#{each.channel}>"
    facts = [place, _when(say, each.asked_at)]
    if each.turns > 1:
        facts.append(say("home-questions", count=each.turns))
    facts.append(f"<{link}|{say('home-open-thread')}>")
    return f"*{escape(question) or say('home-no-question')}*\n{' · '.join(facts)}"


def _hide_or_restore(say: Sentences, each: Conversation) -> Block:
    if each.hidden:
        return button(say("button-restore"), RESTORE_ACTION, each.thread_id)
    return button(say("button-hide"), HIDE_ACTION, each.thread_id)


def _forget(say: Sentences, each: Conversation) -> Block:
    """Asks for confirmation.

    docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
    """
    dialog = {
        "title": plain_text(say("forget-title")),
        "text": plain_text(say("forget-text")),
        "confirm": plain_text(say("button-forget")),
        "deny": plain_text(say("button-keep")),
        "style": "danger",
    }
    forget = button(say("button-forget"), FORGET_ACTION, each.thread_id)
    return forget | {"style": "danger", "confirm": dialog}


def _index(say: Sentences, known: Overview) -> Iterator[Block]:
    for space in known.spaces[:MOST_SPACES]:
        yield section(_space(say, space))
    if not known.is_complete:
        yield context(say("home-unconfirmed"))
    elif known.spaces:
        yield context(" · ".join(_total(say, known)))
    else:
        yield section(say("home-no-index"))


def _total(say: Sentences, known: Overview) -> Iterator[str]:
    """All that is indexed, with the spaces that are not shown."""
    pages = say("home-pages", count=known.pages)
    yield say("home-total", pages=pages, pieces=say("home-pieces", count=known.pieces))
    if len(known.spaces) > MOST_SPACES:
        yield say("home-more-spaces", count=len(known.spaces) - MOST_SPACES)
    if known.others:
        yield say("home-closed-spaces", count=known.others)


def _space(say: Sentences, space: SpaceOverview) -> str:
    heading = f"*{escape(space.key)}*"
    if space.name and space.name != space.key:
        heading += f" {escape(truncate(space.name, 80))}"
    return f"{heading}\n{' · '.join(_space_facts(say, space))}"


def _space_facts(say: Sentences, space: SpaceOverview) -> Iterator[str]:
    pages = say("home-pages", count=space.pages)
    if space.restricted:
        pages = say("home-restricted", pages=pages, restricted=space.restricted)
    yield pages
    if space.synced_at:
        yield say("home-synced", when=_when(say, space.synced_at))
    else:
        yield say("home-never-synced")
    if space.unread:
        yield say("home-unread", count=space.unread)
    if space.failed:
        yield say("home-failed")


def _when(say: Sentences, seconds: float) -> str:
    return moment(say, seconds, "{date_short_pretty} {time}")
