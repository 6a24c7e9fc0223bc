"""Fonts of the chart: those of this machine for titles in other scripts, and what none can draw."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.ft2font import FT2Font

MISSING = "▯"

# Where titles in other scripts are found, if the machine has one of these; DejaVu comes with
# matplotlib.
FALLBACKS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Source Han Sans",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Microsoft YaHei",
    "Arial Unicode MS",
)


def readable(text: str) -> str:
    """The text with a sign in the place of each character that no font here can draw."""
    flat = " ".join(text.split())
    return "".join(sign if _can_be_drawn(sign) else MISSING for sign in flat)


def _can_be_drawn(sign: str) -> bool:
    return any(font.get_char_index(ord(sign)) for font in _faces())


@cache
def families() -> list[str]:
    """The fonts for titles: the one that is always there, and this machine's for other scripts."""
    known = {entry.name for entry in fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in FALLBACKS if name in known)]


@cache
def _faces() -> tuple[FT2Font, ...]:
    own = Path(get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    faces = [FT2Font(str(own))]
    for name in families()[1:]:
        path = fontManager.findfont(FontProperties(family=[name]))
        faces.append(FT2Font(str(path)))
    return tuple(faces)
