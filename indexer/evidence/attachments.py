"""Files as storage format: PDF, Word, Excel, PowerPoint, CSV and plain text, through markitdown (extra `documents`).

A file is somebody's upload, so it is read in a process of its own, with a limit of time and memory: one that makes a library hang or
crash costs its own text and nothing else.

    python -m indexer.evidence.attachments NAME < file > storage-format
"""

from __future__ import annotations

import io
import re
import resource
import subprocess
import sys
from html import escape
from importlib.util import find_spec
from pathlib import PurePosixPath

from markdown_it import MarkdownIt

from core.errors import SettingsError

CONVERTED = {".pdf", ".docx", ".xlsx", ".pptx", ".csv"}
PLAIN = {
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
SECONDS = 120
_COMMENT = re.compile(r"^<!--.*-->$", re.MULTILINE)  # markitdown numbers slides in these
MEMORY = 4 * 1024**3  # of address space, most of which the libraries reserve and never use


class DocumentUnreadable(Exception):
    """No text could be taken from this file; the message says why, without quoting it."""


def require_library() -> None:
    """Raise SettingsError when the extra that reads files is not installed."""
    if find_spec("markitdown") is None:
        raise SettingsError(
            "CONFLUENCE_ATTACHMENTS=true needs the extra `documents`: scripts/install documents"
        )


def can_read(name: str) -> bool:
    return _suffix(name) in CONVERTED | PLAIN


def as_storage(name: str, data: bytes) -> str:
    """The text of a file as markup for the parser.

    Raises:
        DocumentUnreadable: it is damaged, encrypted, too heavy, or not what its name says.
    """
    command = [sys.executable, "-m", "indexer.evidence.attachments", name]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=True)  # noqa: S603  (our own module)
    except subprocess.TimeoutExpired as error:
        raise DocumentUnreadable(f"not read within {SECONDS} s") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip().splitlines()[-1:] or [
            f"exit code {error.returncode}"
        ]
        raise DocumentUnreadable(reason[0][:200]) from error
    return done.stdout.decode()


def _converted(name: str, data: bytes) -> str:
    if _suffix(name) in PLAIN - {".md"}:
        return f"<pre>{escape(data.decode(errors='replace'))}</pre>"
    markdown = _COMMENT.sub("", _markdown(name, data))
    return str(
        MarkdownIt("commonmark", {"html": False, "xhtmlOut": True}).enable("table").render(markdown)
    )


def _markdown(name: str, data: bytes) -> str:
    if _suffix(name) == ".md":
        return data.decode(errors="replace")
    from markitdown import MarkItDown  # noqa: PLC0415  (heavy, and only in the extra)

    return str(
        MarkItDown(enable_plugins=False)
        .convert_stream(io.BytesIO(data), file_extension=_suffix(name))
        .text_content
    )


def _suffix(name: str) -> str:
    return PurePosixPath(name.lower()).suffix


def main() -> None:
    """The other process: a file on standard input, markup on standard output."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout.write(_converted(sys.argv[1], sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()
