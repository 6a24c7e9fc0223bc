"""Hostile PDF attachments: encrypted, endless, recursive, bombs, two kinds at once."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from sandbox.hostile.office import letter, packed

MB = 1_000_000
_PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
    b"/Resources << /Font << /F 5 0 R >> >> >>"
)
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_TEXT = b"BT /F 12 Tf 72 700 Td (Osprey) Tj ET"


def pdf(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """The objects, numbered from 2; the first one is the catalogue."""
    data, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate((b"<< /Type /Catalog /Pages 2 0 R >>", *objects), 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(places) + 1
    data += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (
        size,
        trailer,
        start,
    )
    return bytes(data)


def stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), more, content)


def plain() -> bytes:
    """One good page."""
    return pdf([_PAGES, _PAGE, stream(_TEXT), _FONT])


def encrypted() -> bytes:
    """Under a password that nobody has."""
    lock = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -60 >>" % (b"41" * 32, b"42" * 32)
    objects = [_PAGES, _PAGE, stream(_TEXT), _FONT, lock]
    return pdf(objects, b"/Encrypt 6 0 R /ID [<00> <00>]")


def strange_lock() -> bytes:
    """Encrypted by something that no reader knows."""
    objects = [_PAGES, _PAGE, stream(_TEXT), _FONT, b"<< /Filter /Osprey /V 99 >>"]
    return pdf(objects, b"/Encrypt 6 0 R /ID [<00> <00>]")


def truncated() -> bytes:
    return plain()[:200]


def recursive_pages() -> bytes:
    """A page tree that holds itself."""
    return pdf([b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"])


def deep_pages(depth: int = 20_000) -> bytes:
    """Each node of the page tree holds one more."""
    nodes = [
        b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (number + 1)
        for number in range(2, depth + 2)
    ]
    return pdf(nodes)


def stream_bomb() -> bytes:
    """1 GB of blanks in 1 MB, as the content of a page."""
    packer = zlib.compressobj(9)
    packed_text = b"".join(packer.compress(b" " * MB) for _ in range(1000)) + packer.flush()
    return pdf([_PAGES, _PAGE, stream(packed_text, b"/Filter /FlateDecode"), _FONT])


def twice_packed() -> bytes:
    """1 GB in 5 KB: packed, and what comes of it packed again."""
    packer = zlib.compressobj(9)
    once = b"".join(packer.compress(b" " * MB) for _ in range(1000)) + packer.flush()
    filters = b"/Filter [/FlateDecode /FlateDecode]"
    return pdf([_PAGES, _PAGE, stream(zlib.compress(once, 9), filters), _FONT])


def many_pages(pages: int = 100_000) -> bytes:
    """One page, 100,000 times."""
    kids = b" ".join(b"%d 0 R" % number for number in range(3, pages + 3))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    return pdf([b"<< /Type /Pages /Kids [%s] /Count 1 >>" % kids, *([page] * pages)])


def many_letters() -> bytes:
    """Half a million letters on one page, each placed by itself."""
    text = b"BT /F 1 Tf %s ET" % (b"1 0 0 1 72 700 Tm (a) Tj " * 500_000)
    return pdf([_PAGES, _PAGE, stream(zlib.compress(text), b"/Filter /FlateDecode"), _FONT])


def many_lines() -> bytes:
    """200,000 lines on one page, which readers of tables lay across one another."""
    drawn = b"9 0 m 9 800 l S 0 9 m 600 9 l S 7 0 m 7 800 l S 0 7 m 600 7 l S " * 50_000
    return pdf([_PAGES, _PAGE, stream(zlib.compress(drawn), b"/Filter /FlateDecode"), _FONT])


def form_in_itself() -> bytes:
    """A page that draws a form which draws itself."""
    page = _PAGE.replace(b"/Font", b"/XObject << /X 6 0 R >> /Font")
    form = stream(
        b"/X Do /X Do",
        b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
    )
    return pdf([_PAGES, page, stream(b"/X Do"), _FONT, form])


def reference_in_a_circle() -> bytes:
    """The length of a stream, and its content, refer to each other."""
    return pdf([b"2 0 R", b"4 0 R", b"3 0 R"])


def deep_array(depth: int = 200_000) -> bytes:
    return pdf([b"<< /Type /Pages /Count 1 /Kids %s %s >>" % (b"[" * depth, b"]" * depth)])


def letters_without_end() -> bytes:
    """A font whose letters are said to be four thousand million."""
    page = [_PAGES, _PAGE, stream(_TEXT)]
    font = _FONT.replace(b"/BaseFont", b"/ToUnicode 6 0 R /BaseFont")
    codes = b"1 beginbfrange\n<00000000> <FFFFFFFF> <0041>\nendbfrange"
    return pdf([*page, font, stream(codes)])


def table_without_end() -> bytes:
    """A table of objects that is said to have a thousand million lines."""
    return plain().replace(b"xref\n0 ", b"xref\n0 100000000", 1)


def table_in_a_circle() -> bytes:
    """A table of objects that refers to itself as the one before."""
    data = plain()
    start = data.rindex(b"xref\n0 ", 0, data.rindex(b"startxref"))
    return data.replace(b"/Root", b"/Prev %d /Root" % start)


def wide_predictor() -> bytes:
    """A stream that is said to have lines of two thousand million points."""
    filters = b"/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 >>"
    return pdf([_PAGES, _PAGE, stream(zlib.compress(_TEXT), filters), _FONT])


def also_a_zip() -> bytes:
    """A PDF with a Word document behind it: each reader takes it for its own."""
    return plain() + packed(letter())
