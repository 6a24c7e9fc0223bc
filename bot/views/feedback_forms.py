"""Modals to report, rate or delete an answer, and how their values are read.

A modal carries the pass of its turn (core.turns.turn_access) in `private_metadata`, which Slack
shows to nobody and returns on submission. Titles of pages are plain text, which has no markup:
docs.slack.dev/reference/block-kit/composition-objects/text-object
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.views.answer.sources import source_title
from bot.views.block_kit import Block, section
from bot.views.mrkdwn import truncate
from core.language.sentences import Sentences
from core.models import Since, Source

WHY_CALLBACK, REPORT_CALLBACK, DELETE_CALLBACK = "why_bad", "wrong_source", "delete_answer"
WHAT, TEXT = "what", "text"  # the fields
OPTION_LIMIT = 75  # characters
MOST_BOXES, MOST_OPTIONS = 10, 100
TEXT_LIMIT = 1_000
# Why an answer is bad, as it is saved with the vote.
WHYS = ("wrong", "outdated", "incomplete", "wrong source", "not understood")

Values = Mapping[str, Mapping[str, Mapping[str, Any]]]


def build_why(say: Sentences, carried: str) -> Block:
    """Why an answer is bad; everything in it may be left out."""
    options = [_option(say(f"why-{why}"), why) for why in WHYS]
    what = _input(WHAT, say("why-what"), _boxes(options), optional=True)
    return _modal(
        say,
        "why-title",
        [what, _text_field(say("why-text"))],
        submit="button-send",
        callback=WHY_CALLBACK,
        carried=carried,
    )


def build_report(say: Sentences, carried: str, sources: Sequence[Source]) -> Block:
    """Which sources are wrong; those that are not open to everybody show only their numbers."""
    options = [_source_option(source) for source in sources[:MOST_OPTIONS]]
    which = _input(WHAT, say("report-which"), _boxes(options))
    return _modal(
        say,
        "report-title",
        [which, _text_field(say("report-text"))],
        submit="button-send",
        callback=REPORT_CALLBACK,
        carried=carried,
    )


def build_delete(say: Sentences, carried: str) -> Block:
    """Asks for confirmation."""
    return _modal(
        say,
        "delete-title",
        [section(say("delete-text"))],
        submit="button-delete",
        callback=DELETE_CALLBACK,
        carried=carried,
    )


def build_notice(say: Sentences, title: str, sentence: str) -> Block:
    """One sentence under a title, which is a key."""
    return _modal(say, title, [section(sentence)])


def chosen(values: Values) -> tuple[str, ...]:
    """The values of what was ticked."""
    options = _element(values, WHAT).get("selected_options") or ()
    return tuple(str(option["value"]) for option in options)


def written(values: Values) -> str:
    """Without the characters that a database does not take."""
    text = str(_element(values, TEXT).get("value") or "").replace("\x00", "")
    text = text.encode(errors="ignore").decode()
    return " ".join(text.split())[:TEXT_LIMIT]


def reason(values: Values) -> str:
    """Why a vote is what it is, as it is saved: `outdated, incomplete: it is another hall now`."""
    keys = ", ".join(key for key in chosen(values) if key in WHYS)
    text = written(values)
    return f"{keys}: {text}" if keys and text else keys or text


def _element(values: Values, name: str) -> Mapping[str, Any]:
    return values.get(name, {}).get(name, {})


def _source_option(source: Source) -> Block:
    label = f"[{source.number}]"
    if source.since is not Since.GONE:
        title = " ".join(source_title(source).split())
        label = f"{label} {title}".rstrip()
    return _option(label, str(source.number))


def _modal(
    say: Sentences,
    title: str,
    blocks: Sequence[Block],
    *,
    submit: str = "",
    callback: str = "",
    carried: str = "",
) -> Block:
    modal = {
        "type": "modal",
        "title": _plain(say(title)),
        "blocks": list(blocks),
    }
    if not submit:
        modal["close"] = _plain(say("button-close"))
        return modal
    modal["close"] = _plain(say("button-cancel"))
    modal["submit"] = _plain(say(submit))
    return modal | {"callback_id": callback, "private_metadata": carried}


def _boxes(options: Sequence[Block]) -> Block:
    """Checkboxes, or a menu where there are more options than Slack takes as checkboxes."""
    kind = "checkboxes" if len(options) <= MOST_BOXES else "multi_static_select"
    return {"type": kind, "action_id": WHAT, "options": list(options)}


def _text_field(label: str) -> Block:
    element = {
        "type": "plain_text_input",
        "action_id": TEXT,
        "multiline": True,
        "max_length": TEXT_LIMIT,
    }
    return _input(TEXT, label, element, optional=True)


def _input(name: str, label: str, element: Block, *, optional: bool = False) -> Block:
    return {
        "type": "input",
        "block_id": name,
        "label": _plain(label),
        "element": element,
        "optional": optional,
    }


def _option(text: str, value: str) -> Block:
    return {"text": _plain(truncate(text, OPTION_LIMIT)), "value": value}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
