"""What an attachment is, by its content: a name and a media type are whatever somebody wrote."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath

from indexer.attachments.refusal import Refused

DOCUMENTS = {".pdf", ".docx", ".xlsx", ".pptx"}
TEXTS = {
    ".csv",
    ".txt",
    ".md",
    ".log",
    ".json",
    ".yaml",
    ".yml",
    ".ini",
    ".conf",
    ".toml",
    ".xml",
    ".sql",
    ".sh",
    ".py",
}
ZIP, PDF, OLE = b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Readers of PDF skip this much in front of the header, which printers' spoolers write there.
HEADER_WITHIN = 1024


class FileKind(StrEnum):
    """How a file is opened."""

    PDF = "PDF"
    OFFICE = "office"  # a zip archive: Word, Excel or PowerPoint, which only its parts can tell
    CSV = "CSV"
    MARKDOWN = "Markdown"
    PLAIN = "plain text"


def suffix(name: str) -> str:
    return PurePosixPath(name.lower()).suffix


def is_wanted(name: str) -> bool:
    """Whether a file is worth a download: by its name, since nothing else is known of it yet."""
    return suffix(name) in DOCUMENTS | TEXTS


def kind_of(name: str, data: bytes) -> FileKind:
    """The one kind that this file is opened as.

    Raises:
        Refused: it is none, or something else than its name says.
    """
    if not data:
        raise Refused("the file is empty")
    if data.startswith(ZIP):
        return FileKind.OFFICE
    if data.startswith(OLE):
        raise Refused("the file is encrypted, or of an Office before 2007: save it again without")
    if data.startswith(PDF) or (suffix(name) == ".pdf" and PDF in data[:HEADER_WITHIN]):
        return FileKind.PDF
    if suffix(name) in DOCUMENTS:
        raise Refused(f"the content is not what the name says: no {suffix(name)[1:]}")
    return _text_kind(name, data)


def _text_kind(name: str, data: bytes) -> FileKind:
    has_mark = data.startswith((b"\xff\xfe", b"\xfe\xff"))  # UTF-16, in which NUL bytes are usual
    if b"\0" in data and not has_mark:
        raise Refused("the content is not what the name says: no text")
    return {".csv": FileKind.CSV, ".md": FileKind.MARKDOWN}.get(suffix(name), FileKind.PLAIN)
