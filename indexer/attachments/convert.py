"""Converts an attachment to storage format, with a look at it first; runs in the child alone.

markitdown (extra `documents`) reads the four kinds of documents. Its converters are called by the
kind that the content is: its own guess would also open archives, mails and pictures.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from html import escape
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from markdown_it import MarkdownIt

from core.errors import SettingsError
from indexer.attachments.archive import office_suffix
from indexer.attachments.kinds import FileKind, kind_of
from indexer.attachments.pdf import look_at_pdf
from indexer.attachments.refusal import Refused

RULES = "1"  # count up when other files are refused, or the markup of the same file is another
MOST_TEXT = 1_000_000  # characters of markup: some 300 pages
MOST_REPEATED = 20_000_000  # characters of headers, over all rows of all tables
MOST_FIELDS = 200_000  # of a CSV: as many cells, each with the name of its column
CONVERTERS = {
    ".pdf": "PdfConverter",
    ".docx": "DocxConverter",
    ".xlsx": "XlsxConverter",
    ".pptx": "PptxConverter",
    ".csv": "CsvConverter",
}
_COMMENT = re.compile(r"^<!--.*-->$", re.MULTILINE)  # markitdown numbers slides in these


def require_library() -> None:
    """Raise SettingsError when the extra that reads files is not installed."""
    if find_spec("markitdown") is None:
        raise SettingsError(
            "CONFLUENCE_ATTACHMENTS=true needs the extra `documents`: scripts/install documents"
        )


def converter_version() -> str:
    """Changes whenever a file may be read otherwise than before."""
    try:
        return f"{RULES} markitdown {version('markitdown')}"
    except PackageNotFoundError:
        return RULES


def load() -> None:
    """Import what reading takes, ahead of the first file."""
    if find_spec("markitdown"):
        for name in ("markitdown.converters", "pdfminer.pdfpage"):
            import_module(name)


def as_storage(name: str, data: bytes) -> str:
    """The text of a file as markup for the parser.

    Raises:
        Refused: for a reason that the look at it found; libraries raise whatever they like.
    """
    markup = _markup(name, data)
    if len(markup) > MOST_TEXT:
        raise Refused(f"it has more than {MOST_TEXT:,} characters of text")
    if sum(map(_repeated, markup.split("<table")[1:])) > MOST_REPEATED:
        raise Refused("long headers of a table stand over too many rows")
    return markup


def _repeated(table: str) -> int:
    """Characters of evidence that its headers become: each row carries them."""
    return table.find("</thead>") * table.count("<tr")


def _markup(name: str, data: bytes) -> str:
    kind = kind_of(name, data)
    if kind is FileKind.PLAIN:
        return f"<pre>{escape(_decoded(data))}</pre>"
    markdown = _READERS[kind](data)
    if len(markdown) > MOST_TEXT:
        raise Refused(f"it has more than {MOST_TEXT:,} characters of text")
    renderer = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True})
    return str(renderer.enable("table").render(_COMMENT.sub("", markdown)))


def _csv(data: bytes) -> str:
    fields = data.count(b",") + data.count(b";") + data.count(b"\n")
    if fields > MOST_FIELDS:
        raise Refused(f"it has {fields:,} cells, more than {MOST_FIELDS:,}")
    try:
        return _converted(".csv", data)
    except csv.Error as error:
        raise Refused(f"it is no CSV that can be read: {error}") from error


def _pdf(data: bytes) -> str:
    look_at_pdf(data)
    return _converted(".pdf", data)


def _office(data: bytes) -> str:
    return _converted(office_suffix(data), data)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


_READERS: dict[FileKind, Callable[[bytes], str]] = {
    FileKind.MARKDOWN: _decoded,
    FileKind.CSV: _csv,
    FileKind.PDF: _pdf,
    FileKind.OFFICE: _office,
}


def _converted(suffix: str, data: bytes) -> str:
    from markitdown import StreamInfo  # noqa: PLC0415  (heavy, and only in the extra)

    converters = import_module("markitdown.converters")
    converter = getattr(converters, CONVERTERS[suffix])()
    found = converter.convert(io.BytesIO(data), StreamInfo(extension=suffix))
    return str(found.text_content)
