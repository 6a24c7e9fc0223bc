"""Where a sentence of evidence ends, for quotes and for what pages have at their edges."""

from __future__ import annotations

import re

# Not after a number and a dot: "15. November" is a date. Not after a colon: it announces more.
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\d\.)\s+(?=[\"„“(\[]?[A-ZÄÖÜ0-9])|(?<!:)\n+")
