"""Hostile plain attachments: far too wide, far too deep, something else than their name says."""

from __future__ import annotations


def million_columns() -> bytes:
    return b"a," * 1_000_000 + b"a\n" + b"1," * 1_000_000 + b"1\n"


def long_header() -> bytes:
    """One column whose name has 120,000 letters, over 20,000 rows that each repeat it."""
    return b"Osprey " * 17_000 + b"\n" + b"a\n" * 20_000


def many_rows() -> bytes:
    """As many rows as there is room for; each becomes a piece of evidence."""
    return b"Osprey\n" + b"a\n" * 38_000


def long_field() -> bytes:
    return b"Osprey\n" + b"a" * 200_000


def ragged_rows() -> bytes:
    """Each row is longer than the one before."""
    return b"".join(b"," * width + b"\n" for width in range(600))


def deep_quotes() -> bytes:
    return b">" * 500_000 + b" Osprey\n"


def deep_brackets() -> bytes:
    return b"[" * 300_000 + b"Osprey" + b"](x)" * 100_000


def html() -> bytes:
    return b'<html><script src="http://127.0.0.1:9/x.js"></script><p>Osprey</p></html>'


def script_in_text() -> bytes:
    return b"<ac:structured-macro ac:name='include'/>]]></pre><script>alert(1)</script> Osprey"


def program() -> bytes:
    return b"\x7fELF" + b"\0" * 4000
