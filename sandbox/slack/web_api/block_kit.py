"""The limits of Block Kit: what Slack refuses, in its own words; not every field is checked.

Follows docs.slack.dev/reference/block-kit/blocks and …/block-elements, one page for each type.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandbox.slack.web_api import signatures
from sandbox.slack.workspace.values import Json, Refused

Complaints = Iterator[str]

MESSAGE_BLOCKS, VIEW_BLOCKS, MARKDOWN_CHARACTERS = 50, 100, 12_000
FILE_ID = re.compile(r"^[F][A-Z0-9]{8,}$")
UNCHECKED = {
    "divider",
    "video",
    "table",
    "file",
    "plan",
    "task_card",
}  # known, but their insides are believed
RICH = {"rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"}
MOST_OPTIONS = {
    "static_select": 100,
    "multi_static_select": 100,
    "radio_buttons": 10,
    "checkboxes": 10,
    "overflow": 5,
}
INPUTS = {*MOST_OPTIONS, "users_select", "datepicker", "plain_text_input"}


def accept(blocks: Sequence[Json], most: int = MESSAGE_BLOCKS) -> tuple[Json, ...]:
    """The blocks, with ids where the app gave none; refused when they break a limit."""
    complaints = list(_complaints(blocks, most)) or list(signatures.complaints(blocks))
    if complaints:
        raise Refused("invalid_blocks", *complaints)
    return tuple(_with_ids(block) for block in blocks)


def _complaints(blocks: Sequence[Json], most: int) -> Complaints:
    if len(blocks) > most:
        yield f"no more than {most} items allowed [json-pointer:/blocks]"
    if not all(isinstance(block, dict) for block in blocks):
        yield "must be an object [json-pointer:/blocks]"
        return
    yield from _repeated([b["block_id"] for b in blocks if "block_id" in b], "block_id", "/blocks")
    markdown = sum(len(b.get("text", "")) for b in blocks if b.get("type") == "markdown")
    if markdown > MARKDOWN_CHARACTERS:
        limit = f"less than {MARKDOWN_CHARACTERS + 1} characters in all"
        yield f"markdown blocks must have {limit} [json-pointer:/blocks]"
    for index, block in enumerate(blocks):
        yield from _block(block, f"/blocks/{index}")


def _block(block: Json, at: str) -> Complaints:
    yield from _longer(block.get("block_id"), 255, f"{at}/block_id")
    kind = block.get("type")
    if kind in RULES:
        yield from RULES[kind](block, at)
    elif kind not in UNCHECKED:
        yield f"unsupported type: {kind} [json-pointer:{at}/type]"


def _section(block: Json, at: str) -> Complaints:
    if not block.get("text") and not block.get("fields"):
        yield f"missing required field: text or fields [json-pointer:{at}]"
    if block.get("text"):
        yield from _text(block["text"], 3000, f"{at}/text")
    yield from _count(block.get("fields"), 0, 10, f"{at}/fields")
    for index, field in enumerate(block.get("fields") or []):
        yield from _text(field, 2000, f"{at}/fields/{index}")
    if block.get("accessory"):
        yield from _element(block["accessory"], f"{at}/accessory")


def _context(block: Json, at: str) -> Complaints:
    yield from _count(block.get("elements"), 1, 10, f"{at}/elements")
    for index, element in enumerate(block.get("elements") or []):
        if element.get("type") == "image":
            yield from _image(element, f"{at}/elements/{index}")
        else:
            yield from _text(element, 3000, f"{at}/elements/{index}")


def _actions(block: Json, at: str) -> Complaints:
    yield from _elements(block, 25, at, {"button", *INPUTS})


def _context_actions(block: Json, at: str) -> Complaints:
    yield from _elements(block, 5, at, {"feedback_buttons", "icon_button"})


def _elements(block: Json, most: int, at: str, kinds: set[str]) -> Complaints:
    elements = block.get("elements") or []
    yield from _count(elements, 1, most, f"{at}/elements")
    ids = [e["action_id"] for e in elements if "action_id" in e]
    yield from _repeated(ids, "action_id", f"{at}/elements")
    for index, element in enumerate(elements):
        place, kind = f"{at}/elements/{index}", element.get("type")
        if kind not in kinds:
            yield f"unsupported type: {kind} [json-pointer:{place}/type]"
        yield from _element(element, place)


def _element(element: Json, at: str) -> Complaints:
    yield from _longer(element.get("action_id"), 255, f"{at}/action_id")
    kind = element.get("type")
    if kind in ("button", "icon_button"):
        yield from _button(element, at)
    elif kind == "feedback_buttons":
        for side in ("positive_button", "negative_button"):
            yield from _button(element.get(side) or {}, f"{at}/{side}", needs_value=True)
    elif kind == "overflow":
        yield from _options(element, at)


def _button(button: Json, at: str, needs_value: bool = False) -> Complaints:
    yield from _text(button.get("text"), 75, f"{at}/text", plain=True)
    yield from _longer(button.get("value"), 2000, f"{at}/value")
    yield from _longer(button.get("url"), 3000, f"{at}/url")
    yield from _longer(button.get("accessibility_label"), 75, f"{at}/accessibility_label")
    if needs_value and not button.get("value"):
        yield f"missing required field: value [json-pointer:{at}]"
    if button.get("style") not in (None, "primary", "danger"):
        yield f"must be one of primary, danger [json-pointer:{at}/style]"


def _input(block: Json, at: str) -> Complaints:
    yield from _text(block.get("label"), 2000, f"{at}/label", plain=True)
    if block.get("hint"):
        yield from _text(block["hint"], 2000, f"{at}/hint", plain=True)
    element = block.get("element") or {}
    yield from _element(element, f"{at}/element")
    if element.get("type") in MOST_OPTIONS:
        yield from _options(element, f"{at}/element")


def _options(element: Json, at: str) -> Complaints:
    options = element.get("options") or []
    yield from _count(options, 1, MOST_OPTIONS[element["type"]], f"{at}/options")
    for index, option in enumerate(options):
        yield from _text(option.get("text"), 75, f"{at}/options/{index}/text")
        if not 1 <= len(option.get("value", "")) <= 150:
            yield f"must have 1 to 150 characters [json-pointer:{at}/options/{index}/value]"
    for name in ("initial_option", "initial_options"):
        initial = element.get(name) or []
        for option in [initial] if isinstance(initial, dict) else initial:
            if option not in options:
                yield f"must be one of the options [json-pointer:{at}/{name}]"


def _header(block: Json, at: str) -> Complaints:
    yield from _text(block.get("text"), 150, f"{at}/text", plain=True)


def _image(block: Json, at: str) -> Complaints:
    if not block.get("image_url") and not block.get("slack_file"):
        yield f"missing required field: image_url [json-pointer:{at}]"
    yield from _file(block.get("slack_file"), f"{at}/slack_file")
    if not block.get("alt_text"):
        yield f"missing required field: alt_text [json-pointer:{at}]"
    yield from _longer(block.get("image_url"), 3000, f"{at}/image_url")
    yield from _longer(block.get("alt_text"), 2000, f"{at}/alt_text")


def _file(file: Any, at: str) -> Complaints:
    """…/composition-objects/slack-file-object: with both "the payload will be rejected"."""
    if file is None:
        return
    if not isinstance(file, dict) or bool(file.get("id")) == bool(file.get("url")):
        yield f"must have either an id or a url [json-pointer:{at}]"
    elif file.get("id") and not FILE_ID.fullmatch(str(file["id"])):
        yield f"input must match regex pattern: {FILE_ID.pattern} [json-pointer:{at}/id]"


def _markdown(block: Json, at: str) -> Complaints:
    if not isinstance(block.get("text"), str) or not block["text"]:
        yield f"must be more than 0 characters [json-pointer:{at}/text]"


def _rich_text(block: Json, at: str) -> Complaints:
    """docs.slack.dev/reference/block-kit/blocks/rich-text-block, without a length limit."""
    yield from _count(block.get("elements"), 1, 100, f"{at}/elements")
    for index, part in enumerate(block.get("elements") or []):
        place = f"{at}/elements/{index}"
        if part.get("type") not in RICH:
            yield f"unsupported type: {part.get('type')} [json-pointer:{place}/type]"
        for number, element in enumerate(part.get("elements") or []):
            if element.get("type") == "text" and not element.get("text"):
                pointer = f"{place}/elements/{number}/text"
                yield f"must be more than 0 characters [json-pointer:{pointer}]"


def _text(text: Any, most: int, at: str, plain: bool = False) -> Complaints:
    kinds = ("plain_text",) if plain else ("plain_text", "mrkdwn")
    if not isinstance(text, dict) or text.get("type") not in kinds:
        yield f"must be a text object of type {' or '.join(kinds)} [json-pointer:{at}]"
    elif not text.get("text"):
        yield f"must be more than 0 characters [json-pointer:{at}/text]"
    else:
        yield from _longer(text["text"], most, f"{at}/text")


def _longer(text: str | None, most: int, at: str) -> Complaints:
    if text is not None and len(text) > most:
        yield f"must be less than {most + 1} characters [json-pointer:{at}]"


def _count(items: Sequence[Any] | None, least: int, most: int, at: str) -> Complaints:
    if not least <= len(items or ()) <= most:
        yield f"must have {least} to {most} items [json-pointer:{at}]"


def _repeated(ids: list[str], name: str, at: str) -> Complaints:
    for repeated in sorted({i for i in ids if ids.count(i) > 1}):
        yield f'`{name}` "{repeated}" already exists [json-pointer:{at}]'


RULES: dict[str, Callable[[Json, str], Complaints]] = {
    "section": _section,
    "context": _context,
    "actions": _actions,
    "context_actions": _context_actions,
    "header": _header,
    "input": _input,
    "image": _image,
    "markdown": _markdown,
    "rich_text": _rich_text,
}


def _with_ids(block: Json) -> Json:
    block = {"block_id": _new_id(), **block}
    if block["type"] in ("actions", "context_actions"):
        block["elements"] = [{"action_id": _new_id(), **element} for element in block["elements"]]
    return block


def _new_id() -> str:
    return secrets.token_urlsafe(4)
