"""Short names of emoji, the few that a bot about documents uses; others stay as they are."""

from __future__ import annotations

import re

EMOJI = {
    "+1": "👍",
    "thumbsup": "👍",
    "-1": "👎",
    "thumbsdown": "👎",
    "question": "❓",
    "grey_question": "❔",
    "mag": "🔍",
    "mag_right": "🔎",
    "white_check_mark": "✅",
    "heavy_check_mark": "✔️",
    "x": "❌",
    "warning": "⚠️",
    "hourglass_flowing_sand": "⏳",
    "eyes": "👀",
    "thinking_face": "🤔",
    "bulb": "💡",
    "link": "🔗",
    "page_facing_up": "📄",
    "books": "📚",
    "bar_chart": "📊",
    "large_green_circle": "🟢",
    "large_yellow_circle": "🟡",
    "red_circle": "🔴",
    "white_circle": "⚪",
    "lock": "🔒",
    "tada": "🎉",
    "heart": "❤️",
    "wave": "👋",
    "pray": "🙏",
    "rocket": "🚀",
    "point_right": "👉",
    "information_source": "ℹ️",
    "speech_balloon": "💬",
    "pencil2": "✏️",
    "calendar": "📅",
    "robot_face": "🤖",
}
SHORT_NAME = re.compile(r":([a-z0-9_+'-]+):")


def with_emoji(text: str) -> str:
    """`:mag: found` becomes `🔍 found`."""
    return SHORT_NAME.sub(lambda match: EMOJI.get(match[1], match[0]), text)
