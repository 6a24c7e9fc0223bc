"""Hostile Word, Excel and PowerPoint attachments: bombs, lies, far cells, XML that explodes."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from sandbox.hostile.office import EXCEL, OFFICE, Parts, deck, letter, packed, relations, workbook

MB = 1_000_000
_CENTRAL, _LOCAL = b"PK\x01\x02", b"PK\x03\x04"


def zip_bomb(parts: Parts) -> bytes:
    """300 MB of zeros beside a good document."""
    return packed(parts | {"docProps/thumbnail.jpeg": b"\0" * (300 * MB)})


def xml_bomb() -> bytes:
    """A paragraph of 40 MB, which shrinks a thousandfold."""
    return packed(letter(f"<w:p><w:r><w:t>{'a' * (40 * MB)}</w:t></w:r></w:p>"))


def nested_zip() -> bytes:
    """A zip in a zip in a zip, with a bomb at the bottom, called a document."""
    data = packed({"zeros": b"\0" * (100 * MB)})
    for depth in range(3):
        data = packed({f"{depth}-{copy}.zip": data for copy in range(5)})
    return data


def lying_sizes() -> bytes:
    """The directory says that a part of 40 MB unpacks to 100 bytes."""
    data = bytearray(xml_bomb())
    place = -1
    while (place := data.find(_CENTRAL, place + 1)) >= 0:
        data[place + 24 : place + 28] = struct.pack("<I", 100)
    return bytes(data)


def overlapping() -> bytes:
    """A thousand entries of the directory that share the same compressed bytes."""
    parts = letter() | {f"word/media/{n:04}.xml": "" for n in range(1000)}
    parts["word/media/0000.xml"] = "<a>" + " " * 20_000 + "</a>"
    data = bytearray(packed(parts))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        shared = archive.getinfo("word/media/0000.xml")
    place = data.find(_CENTRAL)
    while place >= 0:
        if b"word/media" in data[place + 46 : place + 60]:
            data[place + 16 : place + 28] = struct.pack(
                "<III", shared.CRC, shared.compress_size, shared.file_size
            )
            data[place + 42 : place + 46] = struct.pack("<I", shared.header_offset)
        place = data.find(_CENTRAL, place + 46)
    return bytes(data)


def twice_the_same_name() -> bytes:
    """Two parts of one name: which one is read is anybody's guess."""
    data = io.BytesIO(packed(letter()))
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("word/document.xml", "<a/>")
    return data.getvalue()


def many_parts() -> bytes:
    return packed(letter() | {f"word/media/{n}": "" for n in range(20_000)})


def far_cell() -> bytes:
    """1.4 KB: one cell in the last row and column that Excel has."""
    near = '<row r="1"><c r="A1"><v>1</v></c></row>'
    return packed(workbook(near + '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'))


def far_cell_elsewhere() -> bytes:
    """The same, in a part whose name is no XML's."""
    parts = workbook('<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>')
    parts["xl/worksheets/sheet1.bin"] = parts.pop("xl/worksheets/sheet1.xml")
    for name in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
        parts[name] = str(parts[name]).replace("sheet1.xml", "sheet1.bin")
    return packed(parts)


def far_row() -> bytes:
    """A row without cells, two thousand million rows down."""
    return packed(workbook('<row r="1"><c r="A1"><v>1</v></c></row><row r="2000000000"/>'))


def wide_claim() -> bytes:
    """One cell, and the claim that all of them are used."""
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    return packed(workbook(rows, dimension="A1:XFD1048576"))


def shared_string_bomb() -> bytes:
    """10,000 cells that show the same 800,000 letters."""
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>1</v></c></row>' for n in range(1, 10_001))
    letters = "".join(chr(97 + n * n % 23) for n in range(800_000))
    return packed(workbook(cells, strings=f"<si><t>{letters}</t></si>"))


def many_cells() -> bytes:
    """300,000 cells that are all there."""
    row = "".join("<c><v>1</v></c>" for _ in range(100))
    return packed(workbook("".join(f"<row>{row}</row>" for _ in range(3_000))))


def billion_laughs() -> bytes:
    entities = '<!ENTITY a0 "ha">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
    )
    laughing = "<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>"
    return packed(letter(laughing, prolog=f"<!DOCTYPE w [{entities}]>"))


def external_entity(address: str) -> bytes:
    """A paragraph that is to be the content of a file or an address of ours."""
    asked = "<w:p><w:r><w:t>&x;</w:t></w:r></w:p>"
    return packed(letter(asked, prolog=f'<!DOCTYPE w [<!ENTITY x SYSTEM "{address}">]>'))


def external_template(address: str) -> bytes:
    """A document whose template and picture are to be fetched from an address."""
    picture = '<w:p><w:r><w:drawing><a:blip r:link="r2"/></w:drawing></w:r></w:p>'
    links = relations(("attachedTemplate", address), ("image", address), mode="External")
    return packed(letter(picture) | {"word/_rels/document.xml.rels": links})


def deep_xml(depth: int = 50_000) -> bytes:
    return packed(letter("<w:p>" * depth + "</w:p>" * depth))


def nested_tables(depth: int = 2_000) -> bytes:
    start, end = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    return packed(letter(start * depth + "<w:p/>" + end * depth))


def nested_math(depth: int = 180) -> bytes:
    """Brackets of formulas in one another, as deep as XML may be."""
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    half = depth // 2
    brackets = "<m:d><m:e>" * half + "<m:r><m:t>x</m:t></m:r>" + "</m:e></m:d>" * half
    return packed(letter(f"<w:p><m:oMath {space}>{brackets}</m:oMath></w:p>"))


def slow_number_format() -> bytes:
    """A format of numbers over which patterns stumble."""
    parts = workbook('<row r="1"><c r="A1" s="0"><v>1</v></c></row>')
    formats = f'<numFmt numFmtId="200" formatCode="{"[" * 20_000 + chr(92) * 20_000}"/>'
    parts["xl/styles.xml"] = (
        f'<styleSheet xmlns="{EXCEL}"><numFmts count="1">{formats}</numFmts>'
        '<cellXfs count="1"><xf numFmtId="200"/></cellXfs></styleSheet>'
    )
    kind = f'<Override PartName="/xl/styles.xml" ContentType="{OFFICE}spreadsheetml.styles+xml"/>'
    declared = str(parts["[Content_Types].xml"]).replace("</Types>", f"{kind}</Types>")
    return packed(parts | {"[Content_Types].xml": declared})


def path_in_archive() -> bytes:
    """Parts that would lie elsewhere if anybody unpacked them."""
    return packed(letter() | {"../../../../tmp/osprey-was-here": "x", "/etc/osprey": "x"})


def picture_bomb() -> bytes:
    """A picture of 60,000 × 60,000 points on a slide."""
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    lines = zlib.compress(b"\0" * (8 * MB))
    shape = (
        '<p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="r1"/></p:blipFill><p:spPr/></p:pic>'
    )
    drawn = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data) for kind, data in ((b"IHDR", header), (b"IDAT", lines), (b"IEND", b""))
    )
    return packed(deck(shape) | {"ppt/media/image1.png": drawn})


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encrypted_zip() -> bytes:
    """Each part says that it needs a password."""
    data = bytearray(packed(letter()))
    for start, flags in ((_CENTRAL, 8), (_LOCAL, 6)):
        place = -1
        while (place := data.find(start, place + 1)) >= 0:
            data[place + flags] |= 1
    return bytes(data)


def encrypted_office() -> bytes:
    """What Office writes under a password: a compound file, of which the first sector is enough."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + b"\x3e\0\x03\0\xfe\xff" + b"\0" * 2000


def cut_short() -> bytes:
    return packed(letter())[:-30]
