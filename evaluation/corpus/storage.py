"""Converts Markdown with a few marks to Confluence's storage format, for readable templates.

Marks: `%%name|argument|…%%` for a macro, `[[SPACE:Title]]` for a link to a page, `@{Name}` for a
mention, and list items that begin with `[ ]` or `[x]` for tasks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from sandbox.confluence.site.content import account_id

_MACRO = re.compile(r"%%(\w+)((?:\|[^|%]*)*)%%")
_BLOCK = re.compile(r"<p>(%%(?:panel|children|toc|expand)\b[^%]*%%)</p>")
_LINK = re.compile(r"\[\[([A-Z]+):(.+?)\]\](?!\])")
_MENTION = re.compile(r"@\{([^}]+)\}")
_TASKS = re.compile(r"<ul>\n((?:<li>\[[ x]\] .*</li>\n)+)</ul>")
_TASK = re.compile(r"<li>\[([ x])\] (.*)</li>")


def to_storage(markdown: str) -> str:
    """A page's body in storage format."""
    body = _markdown().render(markdown)
    body = _TASKS.sub(_task_list, body)
    body = _MENTION.sub(_mention, body)
    body = _LINK.sub(_link, body)
    return _MACRO.sub(_macro, _BLOCK.sub(r"\1", body))


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"xhtmlOut": True, "html": True}).enable("table")
    markdown.add_render_rule("fence", _code)
    return markdown


def _code(
    _self: RendererProtocol,
    tokens: Sequence[Token],
    position: int,
    _options: OptionsDict,
    _env: Any,
) -> str:
    fence = tokens[position]
    language = _parameter("language", fence.info) if fence.info else ""
    text = f"<ac:plain-text-body><![CDATA[{fence.content}]]></ac:plain-text-body>"
    return _structured("code", language + text) + "\n"


def _task_list(found: re.Match[str]) -> str:
    return f"<ac:task-list>{_TASK.sub(_task, found[1])}</ac:task-list>"


def _task(found: re.Match[str]) -> str:
    status = "complete" if found[1] == "x" else "incomplete"
    body = f"<ac:task-body>{found[2]}</ac:task-body>"
    return f"<ac:task><ac:task-status>{status}</ac:task-status>{body}</ac:task>"


def _mention(found: re.Match[str]) -> str:
    return f'<ac:link><ri:user ri:account-id="{account_id(found[1])}" /></ac:link>'


def _link(found: re.Match[str]) -> str:
    return f'<ac:link><ri:page ri:space-key="{found[1]}" ri:content-title="{found[2]}" /></ac:link>'


def _macro(found: re.Match[str]) -> str:
    return _MACROS[found[1]](*found[2].split("|")[1:])


def _panel(kind: str, text: str) -> str:
    return _structured(kind, _rich_text(text))


def _expand(title: str, text: str) -> str:
    return _structured("expand", _parameter("title", title) + _rich_text(text))


def _status(title: str, colour: str) -> str:
    return _structured("status", _parameter("title", title) + _parameter("colour", colour))


def _jira(key: str) -> str:
    return _structured("jira", _parameter("key", key))


def _structured(name: str, content: str) -> str:
    return f'<ac:structured-macro ac:name="{name}">{content}</ac:structured-macro>'


def _parameter(name: str, value: str) -> str:
    return f'<ac:parameter ac:name="{name}">{value}</ac:parameter>'


def _rich_text(text: str) -> str:
    return f"<ac:rich-text-body><p>{text}</p></ac:rich-text-body>"


_MACROS: dict[str, Callable[..., str]] = {
    "panel": _panel,
    "expand": _expand,
    "status": _status,
    "jira": _jira,
    "children": lambda: '<ac:structured-macro ac:name="children" />',
    "toc": lambda: '<ac:structured-macro ac:name="toc" />',
}
