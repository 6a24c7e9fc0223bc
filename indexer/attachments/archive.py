"""A look at attachments of Word, Excel and PowerPoint before a library opens them.

They are zip archives of XML. The directory of the archive says how much there is; the XML is
streamed once, with nothing kept, for what makes libraries explode.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from xml.parsers import expat

from indexer.attachments.refusal import Refused

MOST_PARTS = 5_000
MOST_UNPACKED = 100_000_000  # bytes, all parts together
MOST_XML = 50_000_000  # bytes of them that are XML
# Deflate shrinks 1,032-fold at best; spreadsheets of repeated numbers were seen at 40.
MOST_RATIO = 200
RATIO_FROM = 1_000_000  # unpacked bytes: what is smaller does no harm
MOST_DEPTH = 200  # of XML elements in one another; Word's nested tables reach some 60
# Of the rectangles of a workbook that hold all values: more has no room in MOST_TEXT of convert.
MOST_CELLS = 100_000
MOST_PADDING = 2_000_000  # cells and rows without values, which libraries fill in and drop again
MAIN_PARTS = {
    "word/document.xml": ".docx",
    "xl/workbook.xml": ".xlsx",
    "ppt/presentation.xml": ".pptx",
}
CHUNK = 1 << 16
_CELL = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")


def office_suffix(data: bytes) -> str:
    """Which of the three it is, once it looks harmless.

    Raises:
        Refused: it is none, or a library would choke on it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = _by_parts(archive.infolist())
            _look_at_directory(archive.infolist())
            _look_at_xml(archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, expat.ExpatError) as error:
        raise Refused(f"the file is damaged ({type(error).__name__})") from error
    return found


def _by_parts(parts: list[zipfile.ZipInfo]) -> str:
    names = {part.filename.lower() for part in parts}
    kinds = {kind for name, kind in MAIN_PARTS.items() if name in names}
    if len(kinds) != 1:
        raise Refused("the archive is not one Word, Excel or PowerPoint document")
    return kinds.pop()


def _look_at_directory(parts: list[zipfile.ZipInfo]) -> None:
    if len(parts) > MOST_PARTS:
        raise Refused(f"the archive has {len(parts):,} parts, more than {MOST_PARTS:,}")
    if max(Counter(part.filename for part in parts).values()) > 1:
        raise Refused("two parts of the archive have the same name")
    if any(part.flag_bits & 1 for part in parts):
        raise Refused("the file is encrypted")
    _look_at_sizes(parts)
    by_place = sorted(parts, key=lambda part: part.header_offset)
    for before, after in pairwise(by_place):
        if before.header_offset + before.compress_size > after.header_offset:
            raise Refused("parts of the archive overlap")


def _look_at_sizes(parts: list[zipfile.ZipInfo]) -> None:
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED:
        raise Refused(f"unpacked it has {_mb(unpacked)} MB, more than {_mb(MOST_UNPACKED)}")
    for part in parts:
        packed = max(1, part.compress_size)
        if part.file_size > RATIO_FROM and part.file_size > MOST_RATIO * packed:
            raise Refused(f"a part unpacks to {part.file_size // packed} times its size")


def _look_at_xml(archive: zipfile.ZipFile) -> None:
    """Whatever its parts are called: Office finds a sheet by what refers to it."""
    read = 0
    cells = padding = 0
    for part in archive.infolist():
        watch = _Watch()
        with archive.open(part) as stream:
            chunk = stream.read(CHUNK)
            if not _is_xml(part, chunk):
                continue
            try:
                while chunk:
                    read += len(chunk)
                    _check(read, MOST_XML, "bytes of text")
                    watch.parser.Parse(chunk, False)
                    chunk = stream.read(CHUNK)
                watch.parser.Parse(b"", True)
            except (expat.ExpatError, DocumentTypeFound) as error:
                _tell_unless_foreign(part, error)
        cells += watch.rows * watch.columns
        padding += watch.padding
        where = f" (a sheet reaches to row {watch.rows:,} and column {watch.columns:,})"
        _check(cells, MOST_CELLS, "cells", where)
        _check(padding, MOST_PADDING, "empty cells")


def _is_xml(part: zipfile.ZipInfo, start: bytes) -> bool:
    looks_so = start.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<")
    return looks_so or _is_named_xml(part)


def _is_named_xml(part: zipfile.ZipInfo) -> bool:
    return part.filename.lower().endswith((".xml", ".rels"))


def _tell_unless_foreign(part: zipfile.ZipInfo, error: Exception) -> None:
    """Old drawings, pictures and pages of HTML are not always XML, and may have a DTD."""
    if not _is_named_xml(part):
        return
    if isinstance(error, DocumentTypeFound):
        raise Refused("its XML declares a document type, which no Office writes") from error
    raise error


def _check(number: int, most: int, of_what: str, where: str = "") -> None:
    if number > most:
        raise Refused(f"it has more than {most:,} {of_what}{where}")


class DocumentTypeFound(Exception):
    """A part of an archive begins with a DTD: it is not read on."""


class _Watch:
    """Follows one part: no DTD (billion laughs, files of ours), no abyss, how far cells reach."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.rows = self.columns = 0  # of the rectangle that holds all values
        self.padding = 0  # what libraries fill in: rows that are left out, cells to the left
        self._depth = 0
        self._row = self._column = 0

    def _doctype(self, *_: object) -> None:
        raise DocumentTypeFound

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise Refused(f"its XML is nested deeper than {MOST_DEPTH} elements")
        local = name.rpartition(" ")[2]
        if local == "row":
            row = _number(attributes.get("r"), self._row + 1)
            self.padding += max(1, row - self._row)
            self._row, self._column = row, 0
        elif local == "c" and self._row:
            self._go_to(attributes.get("r") or "")
        elif local in ("v", "is") and self._column:
            self.rows = max(self.rows, self._row)
            self.columns = max(self.columns, self._column)

    def _go_to(self, place: str) -> None:
        """To the cell of this name; without one, to the next."""
        found = _CELL.fullmatch(place)
        column = _column(found[1]) if found else self._column + 1
        self.padding += max(1, column - self._column)
        self._column = column
        if found:
            self._row = int(found[2])

    def _end(self, _name: str) -> None:
        self._depth -= 1


def _number(written: str | None, otherwise: int) -> int:
    return int(written) if written and written.isascii() and written.isdigit() else otherwise


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _mb(size: int) -> str:
    return f"{size / 1_000_000:,.0f}"
