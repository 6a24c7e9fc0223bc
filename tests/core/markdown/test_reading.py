"""Code is told from what stands around it, so that nothing in it is taken for a citation."""

from __future__ import annotations

from core.markdown.reading import outside


def test_code_in_two_cells_of_a_row_is_found_in_both() -> None:
    """Each cell has the lines of its row: code was taken twice from the first, and doubled."""
    table = "| a | b |\n| --- | --- |\n| `git pull` | `git push[1]` |\n\nDone [1]."
    assert "".join(part for part, _ in outside(table)) == table
    assert [part for part, is_code in outside(table) if is_code] == ["`git pull`", "`git push[1]`"]
