"""The colour of a cell as a word: an empty coloured cell says only that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import rgb_to_hsv

_HUES = (
    (15, "red"),
    (45, "orange"),
    (70, "yellow"),
    (165, "green"),
    (195, "teal"),
    (245, "blue"),
    (290, "purple"),
    (345, "pink"),
    (361, "red"),
)
_NOTHING = {"", "white", "transparent", "default", "none", "inherit", "initial"}
_HIGHLIGHT = re.compile(r"\bhighlight-(#?\w+)")
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)")


def colour(cell: Mapping[str, str]) -> str:
    """The word for a cell's background, from the cell's attributes; empty when it has none."""
    if not cell:
        return ""
    written = cell.get("data-highlight-colour") or cell.get("bgcolor")
    if not written:
        written = _first_group(_HIGHLIGHT, cell.get("class", ""))
    if not written:
        written = _first_group(_BACKGROUND, cell.get("style", ""))
    return _word(written.strip().lower())


def _first_group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _word(written: str) -> str:
    if written in _NOTHING:
        return ""
    if re.fullmatch(r"#[0-9a-f]{6}", written):
        return _nearest(*bytes.fromhex(written[1:]))
    if re.fullmatch(r"#[0-9a-f]{3}", written):
        return _nearest(*(int(digit, 16) * 17 for digit in written[1:]))
    rgb = re.match(r"rgba?\(\s*(\d{1,3})\D+(\d{1,3})\D+(\d{1,3})", written)
    if rgb:
        return _nearest(*(min(int(part), 255) for part in rgb.groups()))
    return written if written.isalpha() else ""


def _nearest(red: int, green: int, blue: int) -> str:
    hue, saturation, brightness = rgb_to_hsv(red / 255, green / 255, blue / 255)
    if saturation < 0.04:  # Confluence's palest colours have .05 and more
        if brightness > 0.99:
            return ""
        return "black" if brightness < 0.15 else "grey"
    return next(word for limit, word in _HUES if hue * 360 < limit)
