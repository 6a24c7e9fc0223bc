"""A look at a PDF before its text is taken: whether it is encrypted, and how many pages it has."""

from __future__ import annotations

import io
from itertools import islice

from indexer.attachments.refusal import Refused

MOST_PAGES = 2_000


def look_at_pdf(data: bytes) -> None:
    """Raise Refused for a PDF that needs a password or has too many pages.

    Pages are counted by walking to them: what the file says of their number is a claim.
    """
    from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect  # noqa: PLC0415  (the extra)
    from pdfminer.pdfpage import PDFPage  # noqa: PLC0415
    from pdfminer.pdfparser import PDFParser  # noqa: PLC0415

    try:
        document = PDFDocument(PDFParser(io.BytesIO(data)))
    except PDFPasswordIncorrect as error:
        raise Refused("the file is encrypted") from error
    pages = sum(1 for _ in islice(PDFPage.create_pages(document), MOST_PAGES + 1))
    if pages > MOST_PAGES:
        raise Refused(f"the file has more than {MOST_PAGES:,} pages")
    if not pages:
        raise Refused("the file has no pages")
