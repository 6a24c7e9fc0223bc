"""A page to hang evidence on, and the text of blocks, for the tests of this folder."""

from __future__ import annotations

from core.models import Evidence, Kind, Page
from indexer.evidence.build import evidence
from indexer.parse import Site, parse
from indexer.parse.document.flat import lines
from indexer.parse.document.marks import without

NOWHERE = Site()


def page(identifier: str = "42") -> Page:
    """A page of a company that does not exist."""
    return Page(
        id=identifier,
        space="OPS",
        title="Harbour runbook",
        url=f"https://wiki.example.org/{identifier}",
    )


def texts(storage: str, *, site: Site = NOWHERE) -> list[str]:
    """The lines of a page's blocks."""
    return [without(line) for line in lines(parse(storage, site=site).blocks)]


def pieces(storage: str, kind: Kind | None = None, *, site: Site = NOWHERE) -> list[Evidence]:
    """A page's evidence, or that of one kind."""
    found = evidence(page(), parse(storage, site=site))
    return [piece for piece in found if kind in (None, piece.kind)]


def macro(kind: str, body: str = "", /, *, plain: str = "", **parameters: str) -> str:
    """The markup of a macro."""
    inside = "".join(
        f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items()
    )
    rich = f"<ac:rich-text-body>{body}</ac:rich-text-body>" if body else ""
    text = f"<ac:plain-text-body><![CDATA[{plain}]]></ac:plain-text-body>" if plain else ""
    return (
        f'<ac:structured-macro ac:name="{kind}" ac:schema-version="1" '
        f'ac:macro-id="6f1e">{inside}{rich}{text}</ac:structured-macro>'
    )


def table(*rows: str, head: str = "") -> str:
    """The markup of a table: bars between its cells; one that begins with ! is a header cell."""
    return f"<table>{head}<tbody>{''.join(map(_row, rows))}</tbody></table>"


def _row(row: str) -> str:
    cells = (cell.strip() for cell in row.split("|"))
    return (
        "<tr>"
        + "".join(
            f"<th>{cell[1:]}</th>" if cell.startswith("!") else f"<td>{cell}</td>" for cell in cells
        )
        + "</tr>"
    )
