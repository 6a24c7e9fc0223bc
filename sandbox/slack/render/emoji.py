"""Short names of emoji as their characters; names that nobody knows stay as they are."""

from __future__ import annotations

import re

from rich.emoji import Emoji

# What rich does not know, or shows without colour; otherwise its names are those of Slack.
OURS = {
    "heavy_check_mark": "✔️",
    "warning": "⚠️",
    "large_green_circle": "🟢",
    "large_yellow_circle": "🟡",
    "heart": "❤️",
    "information_source": "ℹ️",
    "pencil2": "✏️",
    "calendar": "📅",
    **{f"skin-tone-{tone}": chr(0x1F3F9 + tone) for tone in range(2, 7)},
}
SHORT_NAME = re.compile(r":([a-z0-9_+'-]+):")


def with_emoji(text: str) -> str:
    """`:mag: found` becomes `🔍 found`."""
    return SHORT_NAME.sub(lambda match: named(match[1]), text)


def named(name: str) -> str:
    """The character of a short name, else the name between its colons."""
    return OURS.get(name) or Emoji.replace(f":{name}:")
