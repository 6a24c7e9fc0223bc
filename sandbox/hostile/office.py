"""Smallest Word, Excel and PowerPoint attachments, made by hand so that any part can be hostile."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

PACKAGE = "http://schemas.openxmlformats.org/package/2006"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
EXCEL = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
POWERPOINT = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
OFFICE = "application/vnd.openxmlformats-officedocument."

Parts = dict[str, str | bytes]


def packed(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these parts."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()


def types(**of_parts: str) -> str:
    """The part that says what the others are; a name's `_` stands for `/`."""
    overrides = "".join(
        f'<Override PartName="/{name.replace("_", "/")}.xml" ContentType="{OFFICE}{kind}+xml"/>'
        for name, kind in of_parts.items()
    )
    relation = "application/vnd.openxmlformats-package.relationships+xml"
    defaults = "".join(
        f'<Default Extension="{ending}" ContentType="{kind}"/>'
        for ending, kind in (("rels", relation), ("png", "image/png"))
    )
    return f'<Types xmlns="{PACKAGE}/content-types">{defaults}{overrides}</Types>'


def relations(*targets: tuple[str, str], mode: str = "Internal") -> str:
    """The part that ties others to one: pairs of kind and target."""
    found = "".join(
        f'<Relationship Id="r{n}" Type="{RELATIONS}/{kind}" Target="{target}" TargetMode="{mode}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{found}</Relationships>'


def letter(body: str = "", *, prolog: str = "") -> Parts:
    """A Word document."""
    start = "<w:p><w:r><w:t>Osprey</w:t></w:r></w:p>"
    return {
        "[Content_Types].xml": types(word_document="wordprocessingml.document.main"),
        "_rels/.rels": relations(("officeDocument", "word/document.xml")),
        "word/document.xml": f'{prolog}<w:document xmlns:w="{WORD}" xmlns:r="{RELATIONS}" '
        f'xmlns:a="{DRAWING}"><w:body>{start}{body}</w:body></w:document>',
    }


def workbook(rows: str, *, strings: str = "", dimension: str = "A1") -> Parts:
    """An Excel workbook with one sheet."""
    return {
        "[Content_Types].xml": types(
            xl_workbook="spreadsheetml.sheet.main",
            xl_worksheets_sheet1="spreadsheetml.worksheet",
            xl_sharedStrings="spreadsheetml.sharedStrings",
        ),
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{EXCEL}" xmlns:r="{RELATIONS}"><sheets>'
        '<sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
        ),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{EXCEL}"><dimension ref="{dimension}"/>'
        f"<sheetData>{rows}</sheetData></worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{EXCEL}"><si><t>Osprey</t></si>{strings}</sst>',
    }


def deck(shapes: str = "") -> Parts:
    """A PowerPoint presentation with one slide."""
    text = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr txBox="1"/>'
        "<p:nvPr/></p:nvSpPr><p:spPr/>"
        "<p:txBody><a:bodyPr/><a:p><a:r><a:t>Osprey</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    spaces = f'xmlns:p="{POWERPOINT}" xmlns:a="{DRAWING}" xmlns:r="{RELATIONS}"'
    return {
        "[Content_Types].xml": types(
            ppt_presentation="presentationml.presentation.main",
            ppt_slides_slide1="presentationml.slide",
        ),
        "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>"
        '<p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(("slide", "slides/slide1.xml")),
        "ppt/slides/slide1.xml": f"<p:sld {spaces}><p:cSld><p:spTree><p:nvGrpSpPr>"
        '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
        f"{text}{shapes}</p:spTree></p:cSld></p:sld>",
        "ppt/slides/_rels/slide1.xml.rels": relations(("image", "../media/image1.png")),
        "ppt/media/image1.png": b"\x89PNG\r\n\x1a\n",
    }
