"""The `markdown` block as sanitized HTML: raw HTML stays text, images become links.

Follows docs.slack.dev/reference/block-kit/blocks/markdown-block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from sandbox.slack.render.emoji import with_emoji
from sandbox.slack.render.mrkdwn import is_web, link


def render(text: str) -> Markup:
    """The HTML of a Markdown text."""
    return Markup(_parser().render(text))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    # The documented way to choose what may be linked to.
    parser.validateLink = is_web  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("image", _image)
    parser.add_render_rule("text", _text)
    return parser


def _link_open(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noopener noreferrer")
    return self.renderToken(tokens, index, options, env)


def _image(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    token = tokens[index]
    return str(link(str(token.attrGet("src") or ""), token.content or "image"))


def _text(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    return str(escape(with_emoji(tokens[index].content)))
