"""Lines of an export: JSON, or a table that no spreadsheet executes."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, TextIO

# CSV injection: a spreadsheet takes a cell that begins so for a formula
# (owasp.org/www-community/attacks/CSV_Injection).
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class Format(StrEnum):
    """Lines of JSON, or of a table."""

    JSONL = "jsonl"
    CSV = "csv"


def write(
    rows: Iterator[dict[str, Any]],
    fields: Sequence[str],
    form: Format,
    out: TextIO,
) -> None:
    """Line by line, so that a large export needs no memory."""
    if form is Format.JSONL:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False)
            out.write(line + "\n")
        return
    table = csv.writer(out)  # with \r\n between rows: only then is a lone \r in a text quoted
    table.writerow(fields)
    for row in rows:
        cells = [_cell(row[name]) for name in fields]
        table.writerow(cells)


def _cell(value: Any) -> str | int | float:
    """A cell of CSV: lists and values as JSON, and nothing that a spreadsheet would execute."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    executes = text.lstrip(" ").startswith(FORMULA)
    return f"'{text}" if executes else text
