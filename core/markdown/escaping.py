"""Escapes text within Markdown: it calls nobody, and begins no link, tag, list or heading.

Slack's tags: docs.slack.dev/messaging/formatting-message-text.
"""

from __future__ import annotations

import re

_TAG = re.compile(
    r"<(?=!(?:channel|here|everyone|subteam|date)|[@#][A-Z0-9]|[A-Za-z][\w+.-]*:(?!:))"
)
_CALL = re.compile(r"(?<!\w)@(?=(?:here|channel|everyone)\b)")

# What CommonMark would read as markup where it stands.
_MARKUP = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])"  # a backslash before punctuation
    r"|`"
    r"|(?<!\s)\*|\*(?!\s)"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word it is none
    r"|(?<=~)~|~(?=~)"
    r"|<(?=[A-Za-z/?!])"
    r"|&(?=#?\w+;)"
    r"|\](?=\()"
)
_ANYTHING = re.compile(r"[!-/:-@\[-`{-~]")  # all that may be escaped: CommonMark, 2.4
_LINE_START = re.compile(
    r"(?P<mark>#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~~~|\|?[ :|-]*-[ :|-]*$|=+\s*$"
    r"|\[(?!\d+\](?!:)))"  # a definition's label may go on over lines; a citation is none
    r"|(?P<number>\d{1,9})(?=[.)](?:\s|$))"
)


def harmless(text: str) -> str:
    """The text without what would call people or, in Slack, become a link under other words.

    >>> harmless("<!channel> and @here, see <https://evil.example|us>, but List<String>")
    '‹!channel> and ＠here, see ‹https://evil.example|us>, but List<String>'
    """
    return _CALL.sub("＠", _TAG.sub("‹", text))


def escaped(text: str, *, everything: bool = False) -> str:
    """The same as Markdown that is read as this text; with `everything` whatever stands beside it.

    >>> escaped("a_b *c* [x](y)")
    'a_b \\\\*c\\\\* [x\\\\](y)'
    """
    return (_ANYTHING if everything else _MARKUP).sub(lambda found: f"\\{found[0]}", text)


def begun(line: str) -> str:
    """A line of a paragraph, which is to be read as nothing else.

    >>> begun("1. one"), begun("- one"), begun("*one*")
    ('1\\\\. one', '\\\\- one', '*one*')
    """
    found = _LINE_START.match(line)
    if not found:
        return line
    number = found["number"] or ""
    return f"{number}\\{line[len(number) :]}"
