"""Hostile attachments by what they try, made when they are asked for; none of them is stored.

office       the smallest good files of Office, part by part
documents    Word, Excel and PowerPoint
pdfs         PDF
texts        CSV, Markdown and plain text
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from sandbox.hostile import documents, pdfs, texts
from sandbox.hostile.office import deck, letter, packed, workbook

NOWHERE = "http://127.0.0.1:9/"
ROW = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'

# What it tries: the name of the file, and what makes it.
HOSTILE: Mapping[str, tuple[str, Callable[[], bytes]]] = {
    "zip bomb in Word": ("plan.docx", lambda: documents.zip_bomb(letter())),
    "zip bomb in Excel": ("plan.xlsx", lambda: documents.zip_bomb(workbook(ROW))),
    "zip bomb in PowerPoint": ("plan.pptx", lambda: documents.zip_bomb(deck())),
    "XML bomb": ("plan.docx", documents.xml_bomb),
    "nested zips": ("plan.docx", documents.nested_zip),
    "directory that lies": ("plan.docx", documents.lying_sizes),
    "overlapping parts": ("plan.docx", documents.overlapping),
    "a part twice": ("plan.docx", documents.twice_the_same_name),
    "20,000 parts": ("plan.docx", documents.many_parts),
    "far cell": ("plan.xlsx", documents.far_cell),
    "far cell in a part of another name": ("plan.xlsx", documents.far_cell_elsewhere),
    "far row": ("plan.xlsx", documents.far_row),
    "claim of all cells": ("plan.xlsx", documents.wide_claim),
    "shared string bomb": ("plan.xlsx", documents.shared_string_bomb),
    "300,000 cells": ("plan.xlsx", documents.many_cells),
    "billion laughs": ("plan.docx", documents.billion_laughs),
    "external entity": ("plan.docx", partial(documents.external_entity, "file:///etc/passwd")),
    "external template": ("plan.docx", partial(documents.external_template, NOWHERE)),
    "deep XML": ("plan.docx", documents.deep_xml),
    "nested tables": ("plan.docx", documents.nested_tables),
    "nested math": ("plan.docx", documents.nested_math),
    "slow format of numbers": ("plan.xlsx", documents.slow_number_format),
    "nested tables that are allowed": ("plan.docx", partial(documents.nested_tables, 60)),
    "paths in the archive": ("plan.docx", documents.path_in_archive),
    "picture bomb": ("plan.pptx", documents.picture_bomb),
    "encrypted parts": ("plan.docx", documents.encrypted_zip),
    "encrypted Office": ("plan.xlsx", documents.encrypted_office),
    "archive cut short": ("plan.docx", documents.cut_short),
    "encrypted PDF": ("plan.pdf", pdfs.encrypted),
    "PDF with a strange lock": ("plan.pdf", pdfs.strange_lock),
    "PDF cut short": ("plan.pdf", pdfs.truncated),
    "page tree in a circle": ("plan.pdf", pdfs.recursive_pages),
    "deep page tree": ("plan.pdf", pdfs.deep_pages),
    "PDF stream bomb": ("plan.pdf", pdfs.stream_bomb),
    "PDF stream bomb, packed twice": ("plan.pdf", pdfs.twice_packed),
    "100,000 pages": ("plan.pdf", pdfs.many_pages),
    "500,000 letters on a page": ("plan.pdf", pdfs.many_letters),
    "200,000 lines on a page": ("plan.pdf", pdfs.many_lines),
    "form in itself": ("plan.pdf", pdfs.form_in_itself),
    "references in a circle": ("plan.pdf", pdfs.reference_in_a_circle),
    "deep array": ("plan.pdf", pdfs.deep_array),
    "letters without end": ("plan.pdf", pdfs.letters_without_end),
    "table without end": ("plan.pdf", pdfs.table_without_end),
    "table in a circle": ("plan.pdf", pdfs.table_in_a_circle),
    "wide predictor": ("plan.pdf", pdfs.wide_predictor),
    "PDF that is also a zip": ("plan.pdf", pdfs.also_a_zip),
    "million columns": ("plan.csv", texts.million_columns),
    "long header over many rows": ("plan.csv", texts.long_header),
    "many rows": ("plan.csv", texts.many_rows),
    "long field": ("plan.csv", texts.long_field),
    "ragged rows": ("plan.csv", texts.ragged_rows),
    "deep quotes": ("plan.md", texts.deep_quotes),
    "deep brackets": ("plan.md", texts.deep_brackets),
    "script in text": ("plan.txt", texts.script_in_text),
    "page of HTML called Word": ("plan.docx", texts.html),
    "program called text": ("plan.txt", texts.program),
    "Word called PDF": ("plan.pdf", lambda: packed(letter())),
    "empty file": ("plan.pdf", bytes),
    "control characters in the name": ("../../etc/pa\x1b[31m\u202e\n|[x](y).txt", texts.html),
}
